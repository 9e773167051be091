/**
 * The acceptance checks of an order in a spot market, placed or modified, in their stated order; none of them writes.
 * Source: domain 2.1 with 2.3, 2.4 and 2.9.
 */
import { FLAG, STP, TYPE } from "../command.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import { type Refusal, refusalNumber } from "../refusal.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import * as opposite from "../trading/against.ts";
import * as checks from "../trading/check.ts";
import { reachOf } from "../trading/interruption.ts";
import { NONE } from "../trading/order.ts";
import { foreseePulls } from "../trading/protections.ts";
import * as owners from "./account.ts";
import * as values from "./value.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { against, bestAgainst } = opposite;
const { CHECK, crosses, OPEN_ORDERS_MAX: ORDERS_MAX, PLACING, refuseLots, refuseTrading } = checks;
const { spotAccountOf } = owners;
const { baseUnits, noteChange, noteFreeze, quoteUnits } = values;
const SELL = FLAG.sell;
const IN_QUOTE = FLAG.inQuote;
/** An order with this flag trades with another account than the spot account. */
const OTHER_ACCOUNT = FLAG.margin;
const TYPE_SHIFT = FLAG.typeShift;
const TYPE_MASK = FLAG.typeMask;
const MARKET = TYPE.market;
const MAKER_ONLY = TYPE.maker_only;
const FOK = TYPE.fok;

/**
 * Limit prices may leave the index, or the latest price where that is not fresh, by half in the aggressive direction;
 * market orders the best price by a tenth, and a fresh index by three tenths.
 */
export const HIGHEST_BUY_PERCENT = 150n;
export const LOWEST_SELL_PERCENT = 50n;
const MARKET_BAND_PERCENT = 10n;
const MARKET_INDEX_BAND_PERCENT = 30n;

const number = (refusal: Refusal) => refusalNumber(refusal);
const R = {
  farFromLatest: number("price_far_from_latest"),
  farFromIndex: number("price_far_from_index"),
  tooManyOrders: number("too_many_open_orders"),
};

/** Checks what is drafted; 0 = nothing to object. Sets the bound of its trades. */
export function refuseSpotOrder(
  state: State,
  scratch: Scratch,
  userId: number,
  market: Market,
  seat: number,
  flags: number,
): number {
  const { draft, trade } = scratch;
  const type = (flags >> TYPE_SHIFT) & TYPE_MASK;
  let refusal = refuseTrading(state, userId, market, PLACING[type] as number, flags);
  if (refusal !== 0) return refusal;
  if (type === MARKET) return refuseMarketOrder(state, scratch, userId, market, seat, flags);
  refusal = refuseLots(scratch, market);
  if (refusal !== 0) return refusal;
  refusal = refusePrice(state, scratch, market, flags);
  if (refusal !== 0) return refusal;
  if (hasTooManyOrders(state, seat)) return R.tooManyOrders;
  noteFreeze(scratch, market, flags);
  const cell = givingCellOf(state, userId, market, seat, flags);
  if (cell < 0 || state.ledger.available(cell) < draft.needs) return CHECK.insufficient;
  refusal = spotAccountOf(flags).refuseDrafted(state, scratch, userId, market, flags);
  if (refusal !== 0) return refusal;
  if (type === MAKER_ONLY && crosses(state, scratch, market, flags)) return CHECK.wouldTake;
  if (type === FOK && !isFillable(state, scratch, market, flags)) return CHECK.notFillable;
  trade.bound = draft.price;
  return 0;
}

/** The checks of an order without a price of its own. */
function refuseMarketOrder(
  state: State,
  scratch: Scratch,
  userId: number,
  market: Market,
  seat: number,
  flags: number,
): number {
  const { draft, trade } = scratch;
  const amount = draft.left;
  const refusal = (flags & IN_QUOTE) === 0 ? refuseLots(scratch, market) : refuseBudget(state, market, flags, amount);
  if (refusal !== 0) return refusal;
  if (hasTooManyOrders(state, seat)) return R.tooManyOrders;
  const bound = spotAccountOf(flags).boundAtMarket(state, userId, market, flags, protectionBound(state, market, flags));
  const needs = marketNeeds(state, userId, market, flags, amount, bound);
  const cell = givingCellOf(state, userId, market, seat, flags);
  if (needs > 0n && (cell < 0 || state.ledger.available(cell) < needs)) return CHECK.insufficient;
  if (bound === 0n) return CHECK.noCounterOrders;
  const lots = lotsAtBound(market, flags, amount, needs, bound);
  const unborne = spotAccountOf(flags).refuseAtMarket(state, userId, market, flags, bound, lots);
  if (unborne !== 0) return unborne;
  trade.bound = bound;
  trade.reserved = needs;
  return 0;
}

function hasTooManyOrders(state: State, seat: number): boolean {
  return seat >= 0 && state.seats.openOrders(seat) >= ORDERS_MAX;
}

/** The cell that an order of these flags gives from; NONE while its user never held the asset. */
function givingCellOf(state: State, userId: number, market: Market, seat: number, flags: number): number {
  if (seat >= 0) return state.seats.givingCell(seat, flags & SELL);
  return spotAccountOf(flags).givingCell(state, userId, market, flags);
}

/**
 * Checks the drafted change of the order in `slot`, whose lots are sound; 0 = nothing to object. Notes the change of
 * its freeze.
 */
export function refuseSpotChange(state: State, scratch: Scratch, market: Market, slot: number): number {
  const { draft } = scratch;
  const { orders, seats, ledger } = state;
  const flags = orders.flags(slot);
  const seat = orders.seat(slot);
  let refusal = refusePrice(state, scratch, market, flags);
  if (refusal !== 0) return refusal;
  noteChange(scratch, market, orders, slot);
  if (ledger.available(seats.givingCell(seat, flags & SELL)) < draft.needs) return CHECK.insufficient;
  refusal = spotAccountOf(flags).refuseDrafted(state, scratch, seats.userId(seat), market, flags);
  if (refusal !== 0) return refusal;
  const isMakerOnly = ((flags >> TYPE_SHIFT) & TYPE_MASK) === MAKER_ONLY;
  if (isMakerOnly && draft.price !== orders.price(slot) && crosses(state, scratch, market, flags))
    return CHECK.wouldTake;
  return 0;
}

/**
 * Whether a resting order may go to the drafted price, at which it meets nobody. Notes by how much its freeze grows.
 * False also where `refuseSpotChange` has to look closer.
 */
export function canMoveSpot(
  state: State,
  { draft }: Scratch,
  market: Market,
  slot: number,
  seat: number,
  flags: number,
): boolean {
  const { orders, seats, ledger, terms } = state;
  if ((flags & OTHER_ACCOUNT) !== 0) return false;
  const price = draft.price;
  const scaled = int64(price * 100n);
  const band = terms.bandIndex(market.id);
  if (band !== int64(0n)) {
    if (scaled > int64(band * HIGHEST_BUY_PERCENT) || scaled < int64(band * LOWEST_SELL_PERCENT)) return false;
  } else {
    const last = state.lastPrice[market.id] as bigint;
    if (scaled > int64(last * HIGHEST_BUY_PERCENT) || scaled < int64(last * LOWEST_SELL_PERCENT)) return false;
  }
  // A buy freezes as much more as its value grows, a sell the same as before.
  const side = flags & SELL;
  const buys = BigInt((1 - side) | 0);
  const growth = int64(draft.left * int64(price - orders.price(slot)));
  draft.needs = int64(growth * int64(terms.unitsPerLotTick(market.id) * buys));
  return ledger.available(seats.givingCell(seat, side)) >= draft.needs;
}

/**
 * Lots that a market order may come to, filled at its bound: what a budget buys there, or all that it has set aside to
 * give.
 */
function lotsAtBound(market: Market, flags: number, amount: bigint, needs: bigint, bound: bigint): bigint {
  if ((flags & IN_QUOTE) === 0) return amount;
  return (flags & SELL) === 0 ? amount / (bound * market.unitsPerLotTick) : needs / market.unitsPerLot;
}

/** Row 5 for amounts in quote units: worth the smallest order at the best opposite price. */
export function refuseBudget(state: State, market: Market, flags: number, units: bigint): number {
  if (units < 0n) return CHECK.amountOffGrid;
  const best = bestAgainst(state, market, flags);
  if (best === undefined) return units === 0n ? CHECK.amountTooSmall : 0;
  // Not bound to int64: the best order may rest from before an operator narrowed the price and widened the amount.
  if (units < best * market.minAmount * market.unitsPerLotTick) return CHECK.amountTooSmall;
  return 0;
}

/** Rows 5 and 6 for the drafted price. */
export function refusePrice(state: State, { draft }: Scratch, market: Market, flags: number): number {
  const price = draft.price;
  if (price <= int64(0n)) return CHECK.priceOffGrid;
  if (price > int64(market.maxPrice)) return CHECK.priceTooHigh;
  // Some accounts are held to the index under its own name, before anything stands in for one.
  if (spotAccountOf(flags).isHeldToIndex && isFarFrom(market.index.price, flags, price)) return R.farFromIndex;
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
 * How far from the best opposite price, and from a fresh index, a market order may go, in ticks; 0 = there is none to
 * meet, which is row 9.
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

/**
 * Returns the units that a market order of `userId` needs to have available of the currency that it gives: its budget
 * or amount itself, or for an amount in the currency it receives, the exact result of a dry run up to `bound`.
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
  const pulls = foreseePulls(state, market);
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
    if (slot !== NONE && pulls?.isGone(slot)) continue;
    if (slot !== NONE && (pulls?.isUnsure(slot) || !spotAccountOf(orders.flags(slot)).isSure(state, market, slot))) {
      pulls?.noteUnsure(slot);
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
    if (slot !== NONE) pulls?.fill(slot, lots);
  }
  if (unsure === 0n || left <= 0n) return needs;
  // As if what the others lack were traded at the worst price: they may be met all, or some of them.
  const open = inQuote ? left / quoteUnits(market, worst, 1n) : left;
  const lots = open < unsure ? open : unsure;
  return needs + (inQuote ? baseUnits(market, lots) : quoteUnits(market, worst, lots));
}

/**
 * Row 9 for fok: whether all that is drafted is there within its price and the market's reach, hidden and own orders
 * counted.
 */
export function isFillable(state: State, { draft }: Scratch, market: Market, flags: number): boolean {
  let { left } = draft;
  const reach = market.interruption && reachOf(state, market, bestAgainst(state, market, flags) ?? 0n);
  const pulls = foreseePulls(state, market);
  for (const { price, lots, slot } of against(state, market, flags)) {
    if ((flags & SELL) === 0 ? price > draft.price : price < draft.price) return false;
    if (reach !== undefined && (price < reach.low || price > reach.high)) return false;
    if (slot === NONE) left -= lots;
    else if (pulls?.isGone(slot) || pulls?.isUnsure(slot)) continue;
    else if (spotAccountOf(state.orders.flags(slot)).isSure(state, market, slot)) {
      left -= lots;
      pulls?.fill(slot, lots);
    } else pulls?.noteUnsure(slot);
    if (left <= 0n) return true;
  }
  return false;
}
