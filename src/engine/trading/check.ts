/**
 * The acceptance checks of an order, in their stated order: the first that fails gives the answer, and none of them writes.
 * Placing and modifying share them. Source: domain 2.1.
 */
import { USER_FLAG } from "../accounts/user.ts";
import { FLAG, STP } from "../command.ts";
import { hooks } from "../hooks.ts";
import type { Market } from "../listing/market.ts";
import { isLocked } from "../listing/status.ts";
import { PHASE, phaseFor } from "../maintenance/maintenance.ts";
import { isSure } from "../margin/bearing.ts";
import * as money from "../money/int64.ts";
import { type Refusal, refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";
import { against, bestAgainst, crossesPool } from "./against.ts";
import type { Book } from "./book.ts";
import * as drafts from "./draft.ts";
import { reachOf } from "./interruption.ts";
import { NONE } from "./order.ts";
import { isSureToBear } from "./solvency.ts";
import { baseUnits, quoteUnits } from "./value.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { draft } = drafts;
const SELL = FLAG.sell;
const MARGIN = FLAG.margin;
/** Either of them has to be looked into before a user trades. */
const BARS = USER_FLAG.tradeBarred | USER_FLAG.indebted;
const PHASE_OPEN = PHASE.open;
const PROTECTION = PHASE.protection;
const MAINTENANCE = PHASE.maintenance;

/** What a user asks of a market: not everything is allowed at every time. Source: domain 2.12 and 2.13. */
export const DEED = { limit: 0, makerOnly: 1, otherOrder: 2, modify: 3, stop: 4 } as const;

const MAKER_ONLY = DEED.makerOnly;

/** The deed of placing an order, by the position of its type. */
export const PLACING: readonly number[] = [
  DEED.limit,
  DEED.otherOrder,
  DEED.makerOnly,
  DEED.otherOrder,
  DEED.otherOrder,
];

/** Resting orders that one account may have in one market, so that lists and cancel-all stay bounded. */
export const OPEN_ORDERS_MAX = 1000;

/**
 * Limit prices may leave the index, or the latest price where that is not fresh, by half in the aggressive direction; market
 * orders the best price by a tenth, and a fresh index by three tenths.
 */
export const HIGHEST_BUY_PERCENT = 150n;
export const LOWEST_SELL_PERCENT = 50n;
const MARKET_BAND_PERCENT = 10n;
const MARKET_INDEX_BAND_PERCENT = 30n;

const number = (refusal: Refusal) => refusalNumber(refusal);
const R = {
  tradeBarred: number("trade_barred"),
  cancelOnly: number("venue_cancel_only"),
  maintenance: number("maintenance"),
  protection: number("protection_period"),
  notOpen: number("market_not_open"),
  suspended: number("market_suspended"),
  apiOff: number("api_trading_off"),
  amountOffGrid: number("amount_off_grid"),
  amountTooSmall: number("amount_too_small"),
  amountTooLarge: number("amount_too_large"),
  priceOffGrid: number("price_off_grid"),
  priceTooHigh: number("price_too_high"),
  farFromLatest: number("price_far_from_latest"),
  farFromIndex: number("price_far_from_index"),
  noCounterOrders: number("no_counter_orders"),
  insufficient: number("insufficient_balance"),
  wouldTake: number("would_take"),
  notFillable: number("not_fillable"),
  auctionLocked: number("auction_locked"),
};

/** Rows 3 and 4: may this user trade, and does this market take such a DEED now? 0 = yes. */
export function refuseTrading(state: State, userId: number, market: Market, deed: number): number {
  if ((state.users.flags(userId) & BARS) !== 0) {
    const refusal = refuseOwner(state, userId);
    if (refusal !== 0) return refusal;
  }
  if (state.cancelOnly) return R.cancelOnly;
  if ((state.spotPhase | state.futuresPhase) !== PHASE_OPEN) {
    const phase = phaseFor(state, market.futures !== undefined);
    if (phase !== PHASE_OPEN && !(deed === MAKER_ONLY && phase === PROTECTION)) return refusePhase(phase);
  }
  if (market.status !== "online") {
    const refusal = refuseBeforeOpening(state, market, deed);
    if (refusal !== 0) return refusal;
  }
  if (market.suspended) return R.suspended;
  if (!market.apiTradingAvailable) return R.apiOff;
  return 0;
}

/** Row 3: barred by an operator, or by what it owes. */
function refuseOwner(state: State, userId: number): number {
  if ((state.users.flags(userId) & USER_FLAG.tradeBarred) !== 0) return R.tradeBarred;
  for (const part of hooks()) {
    const refusal = part.refuseTrading?.(state, userId);
    if (refusal !== undefined) return refusalNumber(refusal);
  }
  return 0;
}

/** Row 4 for anything but a cancel or a new maker_only order. */
export function refusePhase(phase: number): number {
  return phase === PHASE_OPEN ? 0 : phase === PROTECTION ? R.protection : R.maintenance;
}

/** Row 4 for a market that is not online: an auction takes limit orders, stop orders, and changes until it is locked. */
function refuseBeforeOpening(state: State, market: Market, deed: number): number {
  if (market.status !== "bidding") return R.notOpen;
  if (deed === DEED.modify) return refuseLocked(state, market);
  return deed === DEED.limit || deed === DEED.stop ? 0 : R.notOpen;
}

/** Row 4 for a cancel in whatever market: only maintenance itself stops it. */
export function refuseCancelling(state: State, isFutures: boolean): number {
  return phaseFor(state, isFutures) === MAINTENANCE ? R.maintenance : 0;
}

/** Row 4 for taking back or changing what a market has: in the second phase of an auction it stands. */
export function refuseLocked(state: State, market: Market): number {
  return isLocked(state, market) ? R.auctionLocked : 0;
}

/** Row 5 for the drafted amount, in lots. */
export function refuseLots(market: Market): number {
  const lots = draft.left;
  if (lots < int64(market.minAmount)) return lots < int64(0n) ? R.amountOffGrid : R.amountTooSmall;
  if (lots > int64(market.maxAmount)) return R.amountTooLarge;
  return 0;
}

/** Row 5 for amounts in quote units: worth the smallest order at the best opposite price. */
export function refuseBudget(state: State, market: Market, flags: number, units: bigint): number {
  if (units < 0n) return R.amountOffGrid;
  const best = bestAgainst(state, market, flags);
  if (best === undefined) return units === 0n ? R.amountTooSmall : 0;
  // Not bound to int64: the best order may rest from before an operator narrowed the price and widened the amount.
  if (units < best * market.minAmount * market.unitsPerLotTick) return R.amountTooSmall;
  return 0;
}

/** Rows 5 and 6 for the drafted price. */
export function refusePrice(state: State, market: Market, flags: number): number {
  const price = draft.price;
  if (price <= int64(0n)) return R.priceOffGrid;
  if (price > int64(market.maxPrice)) return R.priceTooHigh;
  // A margin order is held to the index under its own name, before anything stands in for one.
  if ((flags & MARGIN) !== 0 && isFarFrom(market.index.price, flags, price)) return R.farFromIndex;
  const band = state.terms.bandIndex(market.id);
  const last = state.lastPrice[market.id] as bigint;
  if (band !== int64(0n)) {
    if (isFarFrom(band, flags, price)) return R.farFromLatest;
  } else if (last === int64(0n)) {
    if (isFarFrom(market.index.price, flags, price)) return R.farFromLatest;
  } else if (isFarFrom(last, flags, price)) return R.farFromLatest;
  return 0;
}

/** Only the aggressive direction is bounded: buying above, selling below. Without a reference there is no band. */
function isFarFrom(reference: bigint, flags: number, price: bigint): boolean {
  // Prices stay below 2^53, so these products fit.
  const scaled = int64(price * 100n);
  if ((flags & SELL) !== 0) return scaled < int64(reference * LOWEST_SELL_PERCENT);
  return scaled > int64(reference * HIGHEST_BUY_PERCENT) && int64(reference) !== int64(0n);
}

/**
 * How far from the best opposite price, and from a fresh index, a market order may go, in ticks; 0 = there is none to meet, which is
 * row 9.
 */
export function protectionBound(state: State, market: Market, flags: number): bigint {
  const price = bestAgainst(state, market, flags);
  if (price === undefined) return 0n;
  const bound = awayFrom(price, flags, MARKET_BAND_PERCENT);
  const band = state.terms.bandIndex(market.id);
  if (band === 0n) return bound;
  const byIndex = awayFrom(band, flags, MARKET_INDEX_BAND_PERCENT);
  if ((flags & FLAG.sell) === 0) return byIndex < price ? 0n : byIndex < bound ? byIndex : bound;
  return byIndex > price ? 0n : byIndex > bound ? byIndex : bound;
}

/** A price so many percent above another to buy, below it to sell, rounded towards it. */
function awayFrom(price: bigint, flags: number, percent: bigint): bigint {
  return (flags & FLAG.sell) === 0 ? (price * (100n + percent)) / 100n : (price * (100n - percent) + 99n) / 100n;
}

/** Whether an order of these flags would trade at the drafted price. */
export function crosses(state: State, market: Market, flags: number): boolean {
  const { bestPrice } = state.books[market.id] as Book;
  if (market.pool !== undefined && crossesPool(state, market, flags)) return true;
  return (flags & SELL) === 0 ? (bestPrice[1] as bigint) <= draft.price : (bestPrice[0] as bigint) >= draft.price;
}

/**
 * What a market order of `userId` needs to have available, in units of what it gives: its budget or amount itself, or for
 * an amount in the currency it receives, the exact result of a dry run up to `bound`.
 */
export function marketNeeds(
  state: State,
  userId: number,
  market: Market,
  flags: number,
  amount: bigint,
  bound: bigint,
): bigint {
  const inQuote = (flags & FLAG.inQuote) !== 0;
  const gives = (flags & FLAG.sell) === 0 ? inQuote : !inQuote;
  if (!gives) return needsOfSweep(state, userId, market, flags, amount, bound);
  return inQuote ? amount : baseUnits(market, amount);
}

/** A dry run meets own orders as matching will: they stop it, or are stepped over and what lies behind costs more. */
function needsOfSweep(
  state: State,
  userId: number,
  market: Market,
  flags: number,
  amount: bigint,
  bound: bigint,
): bigint {
  const { orders, seats } = state;
  const inQuote = (flags & FLAG.inQuote) !== 0;
  const protection = (flags >> FLAG.stpShift) & FLAG.stpMask;
  let left = amount;
  let needs = 0n;
  // Of orders that may not be met when they are reached: how much they offer, and the worst of their prices.
  let unsure = 0n;
  let worst = 0n;
  // There is nobody to meet.
  if (bound === 0n) return needs;
  for (const { price, lots: resting, slot } of against(state, market, flags)) {
    if ((flags & FLAG.sell) === 0 ? price > bound : price < bound) break;
    if (protection !== 0 && slot !== NONE && seats.userId(orders.seat(slot)) === userId) {
      if (protection === STP.cm) continue;
      break;
    }
    if (slot !== NONE && !(isSure(state, market, slot) && isSureToBear(state, market, slot))) {
      unsure += resting;
      worst = price;
      continue;
    }
    const wanted = inQuote ? left / quoteUnits(market, price, 1n) : left;
    if (wanted === 0n) break;
    const lots = wanted < resting ? wanted : resting;
    const value = price * lots * market.unitsPerLotTick;
    left -= inQuote ? value : lots;
    needs += inQuote ? baseUnits(market, lots) : value;
    if (left === 0n) break;
  }
  if (unsure === 0n || left <= 0n) return needs;
  // As if what the others lack were traded at the worst price: they may be met all, or some of them.
  const open = inQuote ? left / quoteUnits(market, worst, 1n) : left;
  const lots = open < unsure ? open : unsure;
  return needs + (inQuote ? baseUnits(market, lots) : quoteUnits(market, worst, lots));
}

/** Row 9 for fok: whether all that is drafted is there within its price and the market's reach, hidden and own orders counted. */
export function isFillable(state: State, market: Market, flags: number): boolean {
  let { left } = draft;
  const reach = market.interruption && reachOf(state, market, bestAgainst(state, market, flags) ?? 0n);
  for (const { price, lots, slot } of against(state, market, flags)) {
    if ((flags & SELL) === 0 ? price > draft.price : price < draft.price) return false;
    if (reach !== undefined && (price < reach.low || price > reach.high)) return false;
    if (slot === NONE || (isSure(state, market, slot) && isSureToBear(state, market, slot))) left -= lots;
    if (left <= 0n) return true;
  }
  return false;
}

export { R as CHECK };
