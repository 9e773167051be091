/**
 * Watching over accounts: when each has to be looked at again, and who is told that liquidation is near. Source: domain
 * 4.13.
 */

import type { Market } from "../../listing/market.ts";
import { INT64_MAX } from "../../money/int64.ts";
import { emitRareEvent } from "../../rare-event.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import { markOf } from "../funding/mark.ts";
import { UNCOVERED } from "../futures-state.ts";
import { accountSumsOf, atMark, crossOf, marginOf, positionsOf } from "../positions/account-sums.ts";
import { type FuturesSpec, levelAt, signOf } from "../positions/contract.ts";
import { NEEDS, slopeOf, sureSurplus, surplusOf, usedUpAt } from "./risk-threshold.ts";
import { WAY } from "./thresholds.ts";

/** The share of a surplus that orders may freeze: an eighth, of quarters of a unit. */
const RESERVE_QUARTERS = 32n;

/** The equity that the present marks leave behind a position, or behind all cross positions of an account. */
export interface Watched {
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
    const isStill = positions.isHeld(slot) && positions.isIsolated(slot) && positions.account(slot) === account;
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
export function isNear({ equity, maintenance }: Watched): boolean {
  return surplusOf(equity, maintenance, NEEDS.alert) <= 0n;
}

/**
 * Whether somebody has come near liquidation and has not been told: the id of the position, or null for all cross ones.
 */
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

export function isolatedOf(state: State, slot: number): Watched {
  const { unrealized, maintenance } = atMark(state, slot);
  return { equity: marginOf(state, slot) + unrealized, maintenance };
}

function crossFigures(state: State, account: number): Watched {
  const { cash, unrealized, frozen, maintenance } = accountSumsOf(state, account);
  return { equity: cash + unrealized - frozen, maintenance };
}

function tell(state: State, account: number, marketId: number | null, positionId: number | null): void {
  const { accounts } = state.futures;
  const { ccy } = state.assets[accounts.assetId(account)] as { ccy: string };
  emitRareEvent(state, { type: "risk_alert", userId: accounts.userId(account), ccy, marketId, positionId });
}

export function armIsolated(state: State, slot: number, { equity, maintenance }: Watched): void {
  const { positions, thresholds, alertedPositions } = state.futures;
  const needs = alertedPositions.has(positions.positionId(slot)) ? NEEDS.liquidation : NEEDS.alert;
  const surplus = sureSurplus(surplusOf(equity, maintenance, needs), 1);
  const market = state.markets[positions.marketId(slot)] as Market;
  const way = positions.isShort(slot) ? WAY.rises : WAY.falls;
  const found = usedUpAt(
    market.futures as FuturesSpec,
    markOf(state, market),
    surplus,
    slopeOfPosition(state, market, slot, needs),
    market.maxPrice,
  );
  if (found === undefined) thresholds.disarm(market.id, positions.seat(slot), way);
  else thresholds.arm(market.id, positions.seat(slot), way, found.ticks);
}

/**
 * Shares the surplus out among the account's markets by what it holds there: while no share is used up, neither is the
 * whole.
 */
function armCross(state: State, account: number, cross: readonly number[], { equity, maintenance }: Watched): void {
  const { positions, seats, thresholds } = state.futures;
  const needs = needsOf(state, account);
  const whollyFree = surplusOf(equity, maintenance, needs);
  // A part of the surplus is kept for orders to come, so that not each of them sets all thresholds anew.
  const reserve = whollyFree > 0n ? whollyFree / RESERVE_QUARTERS : 0n;
  const covered = whollyFree > 0n ? state.futures.accounts.frozen(account) + reserve : UNCOVERED;
  state.futures.coverFreeze(account, covered);
  const surplus = sureSurplus(surplusOf(equity - reserve, maintenance, needs), cross.length);
  const values = new Map<number, bigint>();
  let whole = 0n;
  for (const slot of cross) {
    const row = positions.seat(slot);
    const { value } = atMark(state, slot);
    values.set(row, (values.get(row) ?? 0n) + value);
    whole += value;
  }
  for (const [row, value] of values) {
    const market = state.markets[state.seats.marketId(seats.seat(row))] as Market;
    const share = whole === 0n || surplus <= 0n ? surplus : (surplus * value) / whole;
    const slope = slopeOfRow(state, market, row);
    const found = usedUpAt(market.futures as FuturesSpec, markOf(state, market), share, slope, market.maxPrice);
    for (const way of [WAY.falls, WAY.rises]) {
      if (found?.way === way) thresholds.arm(market.id, row, way, found.ticks);
      else thresholds.disarm(market.id, row, way);
    }
  }
}

/**
 * Returns the level that the surplus of an account's cross positions is counted against: that of the alert, or after
 * the alert that of liquidation.
 */
export function needsOf({ futures }: State, account: number): bigint {
  return futures.alertedAccounts.has(account) ? NEEDS.liquidation : NEEDS.alert;
}

/**
 * By how much the surplus of an account changes with the value of a lot, by all that a seat holds: see
 * risk-threshold.ts.
 */
export function slopeOfRow(state: State, market: Market, row: number): bigint {
  const { seats } = state.futures;
  const needs = needsOf(state, seats.account(row));
  let slope = 0n;
  for (const isShort of [false, true]) {
    const slot = seats.position(row, isShort);
    if (slot !== NONE) slope += slopeOfPosition(state, market, slot, needs);
  }
  return slope;
}

function slopeOfPosition({ futures: { positions } }: State, market: Market, slot: number, needs: bigint): bigint {
  const terms = market.futures as FuturesSpec;
  const amount = positions.amount(slot);
  return slopeOf(signOf(terms, positions.isShort(slot)), amount, levelAt(terms, amount).maintenanceRateE8, needs);
}
