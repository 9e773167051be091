/**
 * Liquidates accounts whose margin is used up: their orders are cancelled, their positions reduced on the book, and the
 * venue takes over positions that cannot be saved. Source: domain 4.13.
 */
import { AIMS, FLAG } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import { feeOn } from "../../money/rate.ts";
import { divFloor } from "../../money/rounding.ts";
import { emitRareEvent } from "../../rare-event.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { endStopsOfUser } from "../../stops/stop-commands.ts";
import { endWhere } from "../../trading/cancel.ts";
import { endExitsOf } from "../exits/exit-event.ts";
import { byId, type Capped } from "../funding/funding.ts";
import { markOf } from "../funding/mark.ts";
import { refreshFreeze } from "../orders/held-order.ts";
import { cutReducing } from "../orders/reduce-only.ts";
import { placeForVenue } from "../orders/venue-order.ts";
import {
  accountSumsOf,
  atMark,
  backingOf,
  cashOf,
  crossOf,
  factsOf,
  marginOf,
  positionsIn,
} from "../positions/account-sums.ts";
import { increase, type Part, reduce } from "../positions/change-position.ts";
import { type FuturesSpec, signOf } from "../positions/contract.ts";
import { liquidationPrice, type PositionAtMark, shownPrice } from "../positions/figures.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import { openRow } from "../positions/futures-seat.ts";
import { sellInventory } from "./inventory.ts";
import { mayLiquidate } from "./may-liquidate.ts";
import { takeoverPrice } from "./takeover-price.ts";

/** Whether the margin of an isolated position no longer exceeds what its level asks for. */
export function isIsolatedDue(state: State, slot: number): boolean {
  const { unrealized, maintenance } = atMark(state, slot);
  return marginOf(state, slot) + unrealized <= maintenance;
}

/**
 * Whether what stands behind the cross positions of an account, orders included, no longer exceeds what they ask for.
 */
export function isCrossDue(state: State, account: number): boolean {
  const { cash, unrealized, frozen, maintenance } = accountSumsOf(state, account);
  return cash + unrealized - frozen <= maintenance;
}

/** Liquidates what is due of an account: of these isolated positions by id, then its cross positions together. */
export function liquidate(state: State, account: number, isolated: readonly number[]): void {
  const { positions } = state.futures;
  for (const slot of byId(state, [...isolated])) {
    const market = marketOf(state, slot);
    if (!mayLiquidate(state, market)) continue;
    if (!positions.isHeld(slot)) endOrdersOfClosed(state, slot);
    else if (isIsolatedDue(state, slot)) liquidateIsolated(state, market, slot);
  }
  if (sellable(state, account).length > 0 && isCrossDue(state, account)) liquidateCross(state, account);
}

/**
 * A position that a liquidation of the same account before it has closed, by deleveraging: its orders end as if it had
 * been its turn.
 */
function endOrdersOfClosed(state: State, slot: number): void {
  const { positions, seats } = state.futures;
  if (marginOf(state, slot) <= 0n) endWhere(state, seats.seat(positions.seat(slot)), () => true);
}

/** The cross positions of an account that may be liquidated now. Those of markets that wait protect nothing else. */
function sellable(state: State, account: number): number[] {
  return crossOf(state, account).filter((slot) => mayLiquidate(state, marketOf(state, slot)));
}

function liquidateIsolated(state: State, market: Market, slot: number): void {
  const { positions, seats } = state.futures;
  const row = positions.seat(slot);
  const id = positions.positionId(slot);
  const trigger = triggerPrice(state, market, slot);
  endWhere(state, seats.seat(row), () => true);
  endExitsOf(state, slot, "cancel");
  const terms = market.futures as FuturesSpec;
  const { value, unrealized } = atMark(state, slot);
  const equity = marginOf(state, slot) + unrealized;
  const level = levelNumber(terms, positions.amount(slot));
  for (let below = level - 1; below >= 0; below--) {
    const { amount, maintenanceRateE8 } = terms.levels[below] as FuturesSpec["levels"][number];
    if (equity * 100_000_000n <= value * BigInt(maintenanceRateE8)) continue;
    sell(state, market, slot, positions.amount(slot) - amount, equity);
    break;
  }
  if (isOpen(state, slot, id) && isIsolatedDue(state, slot)) {
    const { unrealized: now } = atMark(state, slot);
    takeOver(state, market, slot, marginOf(state, slot) + now, trigger);
    sellInventory(state, market);
  }
}

function liquidateCross(state: State, account: number): void {
  const { accounts, positions, seats } = state.futures;
  const userId = accounts.userId(account);
  const triggers = new Map<number, bigint>();
  for (const slot of crossOf(state, account)) {
    triggers.set(positions.positionId(slot), triggerPrice(state, marketOf(state, slot), slot));
  }
  for (const seat of state.seats.ofUser(userId)) {
    const row = seats.rowOf(seat);
    if (row >= 0 && seats.account(row) === account) endWhere(state, seat, () => true);
  }
  endStopsOfUser(state, userId, (market) => market.futures?.settleAssetId === accounts.assetId(account));
  for (const slot of crossOf(state, account)) endExitsOf(state, slot, "cancel");
  if (isHealthy(state, account)) return;
  const worst = sellable(state, account).map((slot) => ({
    slot,
    id: positions.positionId(slot),
    unrealized: atMark(state, slot).unrealized,
  }));
  worst.sort((left, right) => compare(left.unrealized, right.unrealized) || left.id - right.id);
  for (const { slot, id } of worst) {
    if (!isOpen(state, slot, id)) continue;
    const market = marketOf(state, slot);
    const { levels } = market.futures as FuturesSpec;
    const level = levelNumber(market.futures as FuturesSpec, positions.amount(slot));
    const kept = level > 0 ? (levels[level - 1] as (typeof levels)[number]).amount : 0n;
    sell(state, market, slot, positions.amount(slot) - kept, shareOfEquity(state, account, slot));
    if (isHealthy(state, account)) return;
  }
  takeOverAll(state, account, triggers);
}

/**
 * All remaining cross positions that may be liquidated go to the venue, each with its share of what is left. The cash
 * ends at 0, unless positions of markets that wait keep their share.
 */
function takeOverAll(state: State, account: number, triggers: ReadonlyMap<number, bigint>): void {
  const { positions } = state.futures;
  const slots = byId(state, sellable(state, account));
  const areAll = slots.length === crossOf(state, account).length;
  const { cash, unrealized, maintenance } = accountSumsOf(state, account);
  const equity = cash + unrealized;
  let left = equity;
  const markets = new Set<Market>();
  slots.forEach((slot, at) => {
    const market = marketOf(state, slot);
    const figures = atMark(state, slot);
    const isLast = areAll && at === slots.length - 1;
    const share = isLast ? left : part(equity, figures.maintenance, maintenance);
    const carried = withinValue(market, positions.isShort(slot), figures, share);
    left -= carried;
    takeOver(state, market, slot, carried, triggers.get(positions.positionId(slot)) ?? 0n);
    markets.add(market);
  });
  for (const market of [...markets].sort((one, other) => one.id - other.id)) sellInventory(state, market);
}

/**
 * Takes over, at the present mark, the positions of a market behind which less than nothing stands. In a market that
 * leaves without having been open to liquidations nobody could be sold on the book any more; who still has something
 * keeps it.
 */
export function takeOverBankrupt(state: State, market: Market): void {
  const { positions } = state.futures;
  const ofUsers = [...positionsIn(state, market.id)].filter((slot) => positions.userId(slot) !== LIQUIDATOR);
  for (const slot of byId(state, ofUsers)) {
    const equity = positions.isIsolated(slot)
      ? marginOf(state, slot) + atMark(state, slot).unrealized
      : missingOf(state, market, slot);
    if (equity < 0n) takeOver(state, market, slot, equity, triggerPrice(state, market, slot));
  }
}

/**
 * Takes over positions that could not pay their funding, so that the other leg of their owner does not go on receiving
 * what they owe. Of a cross account with others the one takes its share of what is there by maintenance margin. Source:
 * domain 4.12.
 */
export function takeOverCapped(state: State, market: Market, capped: readonly Capped[]): void {
  if (!holds(state, "cappedTakenOver") || !mayLiquidate(state, market)) return;
  const { positions, seats } = state.futures;
  for (const { slot, positionId } of capped) {
    // The deleveraging of one may have closed another.
    if (!isOpen(state, slot, positionId)) continue;
    const trigger = triggerPrice(state, market, slot);
    endWhere(state, seats.seat(positions.seat(slot)), () => true);
    endExitsOf(state, slot, "cancel");
    takeOver(state, market, slot, carriedBy(state, market, slot), trigger);
    sellInventory(state, market);
  }
}

/** The equity that a position carries if it alone goes to the venue. */
function carriedBy(state: State, market: Market, slot: number): bigint {
  const { positions } = state.futures;
  const figures = atMark(state, slot);
  if (positions.isIsolated(slot)) return marginOf(state, slot) + figures.unrealized;
  const account = positions.account(slot);
  const { cash, unrealized, maintenance } = accountSumsOf(state, account);
  const equity = cash + unrealized;
  const share = crossOf(state, account).length === 1 ? equity : part(equity, figures.maintenance, maintenance);
  return withinValue(market, positions.isShort(slot), figures, share);
}

/**
 * Returns the part of its account's equity below 0 that a cross position carries; 0 or more where the account is short
 * of nothing.
 */
function missingOf(state: State, market: Market, slot: number): bigint {
  const account = state.futures.positions.account(slot);
  const { cash, unrealized, maintenance } = accountSumsOf(state, account);
  const equity = cash + unrealized;
  if (equity >= 0n || crossOf(state, account).length === 1) return equity;
  const figures = atMark(state, slot);
  const share = part(equity, figures.maintenance, maintenance);
  return withinValue(market, state.futures.positions.isShort(slot), figures, share);
}

/** An equity that a position can carry so that it is taken over at a value of at least 0. */
function withinValue(market: Market, isShort: boolean, { value }: PositionAtMark, equity: bigint): bigint {
  if (signOf(market.futures as FuturesSpec, isShort) > 0n) return equity > value ? value : equity;
  return equity < -value ? -value : equity;
}

/** Closes a position at the value that leaves its user nothing of the equity it carries; the venue opens it there. */
function takeOver(state: State, market: Market, slot: number, equity: bigint, trigger: bigint): void {
  const { positions } = state.futures;
  const terms = market.futures as FuturesSpec;
  const row = positions.seat(slot);
  const isShort = positions.isShort(slot);
  const lots = positions.amount(slot);
  const value = atMark(state, slot).value - signOf(terms, isShort) * equity;
  const price = shownPrice(terms, lots, value);
  emitRareEvent(state, {
    type: "liquidated",
    marketId: market.id,
    userId: positions.userId(slot),
    positionId: positions.positionId(slot),
    isShort,
    lots: lots.toString(),
    value: value.toString(),
    liqPrice: trigger.toString(),
    bkrPrice: price.toString(),
  });
  const taken: Part = { lots, value, price, fee: 0n, dealId: 0, orderId: 0 };
  reduce(state, market, slot, taken, "liq");
  increase(state, market, openRow(state, LIQUIDATOR, market), isShort, taken);
  refreshFreeze(state, row);
  cutReducing(state, market, row);
}

/**
 * Reduces a position on the book, for its user and at its fee, never at a price worse than that of a takeover: its
 * equity bears the fee, too, which the insurance fund would else.
 */
function sell(state: State, market: Market, slot: number, lots: bigint, equity: bigint): void {
  const { positions } = state.futures;
  const isShort = positions.isShort(slot);
  const left = holds(state, "guardedFund") ? equity - feeOfSale(state, market, slot, lots, equity) : equity;
  const bound = takeoverPrice(market, isShort, positions.amount(slot), markOf(state, market), left);
  const flags = (AIMS.indexOf("liquidation") << FLAG.aimShift) | (isShort ? 0 : FLAG.sell);
  placeForVenue(state, market, positions.userId(slot), flags, lots, bound);
}

/** The fee of selling so many lots for as much more, or less, than they are worth at the mark as the equity allows. */
function feeOfSale(state: State, market: Market, slot: number, lots: bigint, equity: bigint): bigint {
  const { positions } = state.futures;
  const own = state.users.futuresTakerFeeRateE8(positions.userId(slot));
  const value = (atMark(state, slot).value * lots) / positions.amount(slot) + (equity > 0n ? equity : -equity);
  return feeOn(value, BigInt(own < 0 ? market.takerFeeRateE8 : own));
}

function shareOfEquity(state: State, account: number, slot: number): bigint {
  const { cash, unrealized, maintenance } = accountSumsOf(state, account);
  return part(cash + unrealized, atMark(state, slot).maintenance, maintenance);
}

function part(equity: bigint, maintenance: bigint, whole: bigint): bigint {
  return whole === 0n ? 0n : divFloor(equity * maintenance, whole);
}

function isHealthy(state: State, account: number): boolean {
  const { unrealized, maintenance } = accountSumsOf(state, account);
  return crossOf(state, account).length === 0 || cashOf(state, account) + unrealized > maintenance;
}

function triggerPrice(state: State, market: Market, slot: number): bigint {
  const terms = market.futures as FuturesSpec;
  return liquidationPrice(terms, factsOf(state, slot), backingOf(state, slot), market.maxPrice);
}

function isOpen({ futures: { positions } }: State, slot: number, id: number): boolean {
  return positions.positionId(slot) === id && positions.isHeld(slot);
}

/** The level that holds an amount, counted from 0. */
function levelNumber({ levels }: FuturesSpec, lots: bigint): number {
  const at = levels.findIndex(({ amount }) => lots <= amount);
  return at < 0 ? levels.length - 1 : at;
}

function marketOf(state: State, slot: number): Market {
  return state.markets[state.futures.positions.marketId(slot)] as Market;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
