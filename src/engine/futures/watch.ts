/** Watching over accounts: when each has to be looked at again, and who is told that liquidation is near. Source: domain 4.13. */
import { emitHappening } from "../happening.ts";
import type { Market } from "../listing/market.ts";
import { INT64_MAX } from "../money/int64.ts";
import type { State } from "../state.ts";
import { type FuturesTerms, signOf } from "./contract.ts";
import { crossOf } from "./liquidation.ts";
import { markOf } from "./mark.ts";
import { NEEDS, slopeOf, sureSurplus, surplusOf, usedUpAt } from "./risk-threshold.ts";
import { atMark, marginOf, positionsOf, standingOf } from "./standing.ts";
import { WAY } from "./thresholds.ts";

/** The share of a surplus that orders may freeze: an eighth, of quarters of a unit. */
const RESERVE_QUARTERS = 32n;

/** What the present marks leave of the equity behind a position, or behind all cross positions of an account. */
interface Watched {
  readonly equity: bigint;
  readonly maintenance: bigint;
}

/**
 * Tells users whose margin has come near its end, and sets the marks at which the account is looked at again: for these
 * isolated positions, as far as they are still the account's, and for its cross positions.
 */
export function watch(state: State, account: number, isolated: readonly number[]): void {
  const { positions, alertedPositions, alertedAccounts } = state.futures;
  for (const slot of isolated) {
    // It may have been liquidated since.
    const isStill = positions.amount(slot) > 0n && positions.isIsolated(slot) && positions.account(slot) === account;
    if (!isStill) continue;
    const watched = isolatedOf(state, slot);
    if (isNear(watched) && !alertedPositions.has(positions.positionId(slot))) {
      alertedPositions.set(positions.positionId(slot), slot);
      tell(state, account, positions.marketId(slot), positions.positionId(slot));
    }
    armIsolated(state, slot, watched);
  }
  const cross = crossOf(state, account);
  if (cross.length === 0) {
    alertedAccounts.delete(account);
    // Freezes concern nobody else.
    state.futures.coverFreeze(account, INT64_MAX);
    return;
  }
  const watched = crossFigures(state, account);
  if (isNear(watched) && !alertedAccounts.has(account)) {
    alertedAccounts.add(account);
    tell(state, account, null, null);
  }
  armCross(state, account, cross, watched);
}

/** The isolated positions of an account. */
export function isolatedIn(state: State, account: number): number[] {
  const { positions } = state.futures;
  return [...positionsOf(state, account)].filter((slot) => positions.isIsolated(slot));
}

/** Whether an equity is within a quarter more of what it must exceed: a risk rate of 0.8 or above. */
function isNear({ equity, maintenance }: Watched): boolean {
  return surplusOf(equity, maintenance, NEEDS.alert) <= 0n;
}

/** Whether somebody has come near liquidation and has not been told: the id of the position, or null for all cross ones. */
export function* untold(state: State, account: number): Generator<number | null> {
  const { positions, alertedPositions, alertedAccounts } = state.futures;
  for (const slot of positionsOf(state, account)) {
    const id = positions.positionId(slot);
    if (positions.isIsolated(slot) && isNear(isolatedOf(state, slot)) && !alertedPositions.has(id)) yield id;
  }
  const isCrossNear = crossOf(state, account).length > 0 && isNear(crossFigures(state, account));
  if (isCrossNear && !alertedAccounts.has(account)) yield null;
}

/** Forgets alerts of whom has recovered, so that they are told again. */
export function forgetAlerts(state: State): void {
  const { alertedPositions, alertedAccounts } = state.futures;
  for (const [id, slot] of alertedPositions) {
    const watched = isolatedOf(state, slot);
    if (isNear(watched)) continue;
    alertedPositions.delete(id);
    armIsolated(state, slot, watched);
  }
  for (const account of alertedAccounts) {
    const cross = crossOf(state, account);
    if (cross.length > 0 && isNear(crossFigures(state, account))) continue;
    alertedAccounts.delete(account);
    if (cross.length > 0) armCross(state, account, cross, crossFigures(state, account));
  }
}

function isolatedOf(state: State, slot: number): Watched {
  const { unrealized, maintenance } = atMark(state, slot);
  return { equity: marginOf(state, slot) + unrealized, maintenance };
}

function crossFigures(state: State, account: number): Watched {
  const { cash, unrealized, frozen, maintenance } = standingOf(state, account);
  return { equity: cash + unrealized - frozen, maintenance };
}

function tell(state: State, account: number, marketId: number | null, positionId: number | null): void {
  const { accounts } = state.futures;
  const { ccy } = state.assets[accounts.assetId(account)] as { ccy: string };
  emitHappening(state, { type: "risk_alert", userId: accounts.userId(account), ccy, marketId, positionId });
}

function armIsolated(state: State, slot: number, { equity, maintenance }: Watched): void {
  const { positions, thresholds, alertedPositions } = state.futures;
  const needs = alertedPositions.has(positions.positionId(slot)) ? NEEDS.liquidation : NEEDS.alert;
  const surplus = sureSurplus(surplusOf(equity, maintenance, needs), 1);
  const market = state.markets[positions.marketId(slot)] as Market;
  const way = positions.isShort(slot) ? WAY.rises : WAY.falls;
  const found = usedUpAt(
    market.futures as FuturesTerms,
    markOf(state, market),
    surplus,
    slope(state, market, slot, needs),
    market.maxPrice,
  );
  if (found === undefined) thresholds.disarm(market.id, positions.seat(slot), way);
  else thresholds.arm(market.id, positions.seat(slot), way, found.ticks);
}

/** Shares the surplus out among the account's markets by what it holds there: while no share is used up, neither is the whole. */
function armCross(state: State, account: number, cross: readonly number[], { equity, maintenance }: Watched): void {
  const { positions, thresholds, alertedAccounts } = state.futures;
  const needs = alertedAccounts.has(account) ? NEEDS.liquidation : NEEDS.alert;
  // A part of the surplus is kept for orders to come, so that not each of them sets all thresholds anew.
  const whollyFree = surplusOf(equity, maintenance, needs);
  const reserve = whollyFree > 0n ? whollyFree / RESERVE_QUARTERS : 0n;
  state.futures.coverFreeze(account, state.futures.accounts.frozen(account) + reserve);
  const surplus = sureSurplus(surplusOf(equity - reserve, maintenance, needs), cross.length);
  const held = new Map<number, { value: bigint; slope: bigint }>();
  let whole = 0n;
  for (const slot of cross) {
    const row = positions.seat(slot);
    const market = state.markets[positions.marketId(slot)] as Market;
    const own = held.get(row) ?? { value: 0n, slope: 0n };
    const { value } = atMark(state, slot);
    held.set(row, { value: own.value + value, slope: own.slope + slope(state, market, slot, needs) });
    whole += value;
  }
  for (const slot of cross) {
    const row = positions.seat(slot);
    const own = held.get(row);
    if (own === undefined) continue;
    held.delete(row);
    const market = state.markets[positions.marketId(slot)] as Market;
    const share = whole === 0n || surplus <= 0n ? surplus : (surplus * own.value) / whole;
    const terms = market.futures as FuturesTerms;
    const found = usedUpAt(terms, markOf(state, market), share, own.slope, market.maxPrice);
    for (const way of [WAY.falls, WAY.rises]) {
      if (found?.way === way) thresholds.arm(market.id, row, way, found.ticks);
      else thresholds.disarm(market.id, row, way);
    }
  }
}

function slope(state: State, market: Market, slot: number, needs: bigint): bigint {
  const { positions } = state.futures;
  const terms = market.futures as FuturesTerms;
  const { maintenanceRateE8 } = atMark(state, slot);
  return slopeOf(signOf(terms, positions.isShort(slot)), positions.amount(slot), maintenanceRateE8, needs);
}
