/**
 * The acceptance checks of an order in a futures market, placed or modified; none of them writes. Source: domain 2.1
 * with 2.9, 4.2, 4.3 and 4.5.
 */

import { aimOf, FLAG, TYPE } from "../../command.ts";
import { waitsForIndex } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { larger, smaller } from "../../money/extremes.ts";
import * as money from "../../money/int64.ts";
import { divCeil } from "../../money/rounding.ts";
import { type Refusal, refusalNumber } from "../../refusal.ts";
import { holds } from "../../rules-version.ts";
import type { Scratch } from "../../scratch.ts";
import type { State } from "../../state.ts";
import type { Book } from "../../trading/book.ts";
import * as checks from "../../trading/check.ts";
import { NONE } from "../../trading/order.ts";
import { TRIGGER_BAND_PERCENT } from "../../trading/reference-price.ts";
import { markOf } from "../funding/mark.ts";
import { takeoverPrice } from "../liquidation/takeover-price.ts";
import { backingOfClose, isEquityUnknown } from "../positions/account-sums.ts";
import type { FuturesSpec } from "../positions/contract.ts";
import { heldLots, isHedge } from "../positions/futures-seat.ts";
import { nearMark } from "../positions/loss.ts";
import { dryRun } from "./dry-run.ts";
import { isReducing, openOn } from "./held-order.ts";
import * as openings from "./opening.ts";
import { closeAvailable } from "./reduce-only.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { CHECK, crosses, OPEN_ORDERS_MAX, PLACING, refuseLots, refuseTrading } = checks;
const { noteLosses, refuseClosing, refuseFirst, refuseOpening } = openings;
const SELL = FLAG.sell;

/** Limit prices may leave the index, and market orders the mark, by a tenth in the aggressive direction. */
export const HIGHEST_BUY_PERCENT = 110n;
export const LOWEST_SELL_PERCENT = 90n;
/** Aims that may close the whole position, whatever other orders would reduce it. */
const GOES_FIRST: ReadonlySet<string> = new Set(["close_all", "take_profit", "stop_loss"]);

const number = (refusal: Refusal) => refusalNumber(refusal);
const R = {
  sideMismatch: number("position_side_mismatch"),
  noMark: number("no_mark_price"),
  indexStale: number("index_stale"),
  farFromIndex: number("price_outside_index"),
  farBuy: number("buy_far_from_mark"),
  farSell: number("sell_far_from_mark"),
  exceedsClosable: number("exceeds_closable"),
  tooManyOrders: number("too_many_open_orders"),
};

/** The flags of an order of a user: one that names a position on the other side of it only reduces. */
export function contractFlags(flags: number): number {
  if ((flags & FLAG.sided) === 0 || isReducing(flags)) return flags & ~FLAG.inQuote;
  const reduces = ((flags & FLAG.sell) !== 0) === ((flags & FLAG.short) === 0);
  return (reduces ? flags | (1 << FLAG.aimShift) : flags) & ~FLAG.inQuote;
}

/**
 * Checks the drafted new order; 0 = nothing to object. Sets the bound of its trades and the price at which it freezes.
 */
export function refuseContract(state: State, scratch: Scratch, userId: number, market: Market, flags: number): number {
  const seat = state.seats.find(userId, market.id, 0);
  const row = seat === NONE ? NONE : state.futures.seats.rowOf(seat);
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  const refusal =
    refuseTrading(state, userId, market, PLACING[type] as number, flags) ||
    refuseTerms(state, scratch, userId, row, market, flags, NONE) ||
    refuseContractLots(scratch, market, flags) ||
    refuseBound(state, scratch, market, flags);
  if (refusal !== 0) return refusal;
  if (seat !== NONE && state.seats.openOrders(seat) >= OPEN_ORDERS_MAX) return R.tooManyOrders;
  const takerRate = state.users.futuresTakerFeeRateE8(userId);
  const rate = takerRate < 0 ? market.takerFeeRateE8 : takerRate;
  return (
    refuseRisk(state, scratch, userId, row, market, flags, rate, NONE) ||
    refuseMatch(state, scratch, userId, market, flags)
  );
}

/**
 * Checks the drafted quote of the seat in `row`, whose lots have been checked, but for whether it would take; 0 = it
 * may rest. Its fee rate as a taker is `takerRateE8`.
 */
export function refuseContractQuote(
  state: State,
  scratch: Scratch,
  userId: number,
  row: number,
  market: Market,
  flags: number,
  takerRateE8: number,
): number {
  const refusal =
    refuseTerms(state, scratch, userId, row, market, flags, NONE) || refuseBound(state, scratch, market, flags);
  if (refusal !== 0) return refusal;
  noteQuotePrices(state, scratch, market, flags);
  return refuseAtPrices(state, scratch, userId, row, market, flags, takerRateE8, NONE);
}

/** As `noteWorstPrice` and `noteFreezePrice`, of a quote: it meets nobody, so that no price of the book counts. */
export function noteQuotePrices(state: State, { contract, draft }: Scratch, market: Market, flags: number): void {
  const isLinear = state.terms.unitsPerLotTick(market.id) !== int64(0n);
  const sells = (flags & SELL) !== 0;
  contract.worst = draft.price;
  contract.freezePrice = draft.price;
  if (sells !== isLinear) return;
  const mark = state.futures.live.mark(market.id);
  if (sells ? mark > draft.price : mark < draft.price) contract.freezePrice = mark;
}

/** Checks the drafted change of the order in `slot`, as if it were placed in its stead, but for its whole amount. */
export function refuseContractChange(state: State, scratch: Scratch, market: Market, slot: number): number {
  const { draft } = scratch;
  const { orders, seats } = state;
  const seat = orders.seat(slot);
  const userId = seats.userId(seat);
  const row = state.futures.seats.rowOf(seat);
  const flags = orders.flags(slot);
  return (
    refuseTerms(state, scratch, userId, row, market, flags, slot) ||
    refuseBound(state, scratch, market, flags) ||
    refuseRisk(state, scratch, userId, row, market, flags, orders.takerFeeRateE8(slot), slot) ||
    (draft.price === orders.price(slot) ? 0 : refuseMatch(state, scratch, userId, market, flags))
  );
}

/**
 * Row 1: the position side, a price to go by, and one that is not old where the order in its stead could open a
 * position.
 */
function refuseTerms(
  state: State,
  scratch: Scratch,
  userId: number,
  row: number,
  market: Market,
  flags: number,
  slot: number,
): number {
  if (((flags & FLAG.sided) !== 0) !== isHedge(state, userId)) return R.sideMismatch;
  if (markOf(state, market) === 0n) return R.noMark;
  const isSilent = waitsForIndex(state, market) || leansOnSilence(state, userId, market);
  return isSilent && couldOpen(state, scratch, row, flags, slot) ? R.indexStale : 0;
}

/** Whether the cross positions of a user in the currency of a market hang on a stale index. */
function leansOnSilence(state: State, userId: number, market: Market): boolean {
  const { accounts, silent } = state.futures;
  if (silent.size === 0) return false;
  return isEquityUnknown(state, accounts.find(userId, (market.futures as FuturesSpec).settleAssetId));
}

/** Whether any lot of the drafted order, in place of the one in `slot`, could open a position or make one grow. */
function couldOpen(state: State, { draft }: Scratch, row: number, flags: number, slot: number): boolean {
  if (isReducing(flags)) return false;
  if (row === NONE) return true;
  const side = flags & FLAG.sell;
  const others = state.futures.seats.lots(row, side) - (slot === NONE ? 0n : state.orders.left(slot));
  return openOn(state, row, side, others + draft.left) > openOn(state, row, side, others);
}

/** Row 5 for the drafted amount, in lots. Of a position everything can be closed, however small or large it is. */
export function refuseContractLots(scratch: Scratch, market: Market, flags: number): number {
  const { draft } = scratch;
  return isReducing(flags) && draft.left > 0n ? 0 : refuseLots(scratch, market);
}

/** Rows 5 and 6 for the price. */
function refuseBound(state: State, scratch: Scratch, market: Market, flags: number): number {
  return ((flags >> FLAG.typeShift) & FLAG.typeMask) === TYPE.market
    ? refuseMarketBound(state, scratch, market, flags)
    : refuseLimit(state, scratch, market, flags);
}

/** A limit price is held to the index, and to the last mark while that is stale. */
function refuseLimit(state: State, scratch: Scratch, market: Market, flags: number): number {
  const { contract, draft, trade } = scratch;
  const { terms } = state;
  const price = draft.price;
  if (price <= int64(0n) || int64(price % terms.tickSize(market.id)) !== int64(0n)) return CHECK.priceOffGrid;
  if (price > terms.maxPrice(market.id)) return CHECK.priceTooHigh;
  contract.reference = waitsForIndex(state, market) ? markOf(state, market) : market.index.price;
  if (isFarFromReference(scratch, flags)) return R.farFromIndex;
  trade.bound = price;
  return 0;
}

/** Whether the drafted price leaves the drafted reference too far; without one there is no bound. */
export function isFarFromReference({ contract, draft }: Scratch, flags: number): boolean {
  if (contract.reference === int64(0n)) return false;
  // Prices stay below 2^53, so these products fit.
  const scaled = int64(draft.price * 100n);
  if ((flags & SELL) !== 0) return scaled < int64(contract.reference * LOWEST_SELL_PERCENT);
  return scaled > int64(contract.reference * HIGHEST_BUY_PERCENT);
}

/**
 * A market order reaches a tenth beyond the mark, one that a trigger has fired half of that; it must meet its first
 * order before.
 */
function refuseMarketBound(state: State, { draft, trade }: Scratch, market: Market, flags: number): number {
  const best = (state.books[market.id] as Book).first((flags & FLAG.sell) ^ 1);
  if (best === NONE) return CHECK.noCounterOrders;
  const mark = markOf(state, market);
  const price = state.orders.price(best);
  const isHeld = draft.isFired && holds(state, "heldTriggers");
  if ((flags & FLAG.sell) === 0) {
    trade.bound = (mark * (isHeld ? 100n + TRIGGER_BAND_PERCENT : HIGHEST_BUY_PERCENT)) / 100n;
    return price > trade.bound ? R.farBuy : 0;
  }
  trade.bound = divCeil(mark * (isHeld ? 100n - TRIGGER_BAND_PERCENT : LOWEST_SELL_PERCENT), 100n);
  return price < trade.bound ? R.farSell : 0;
}

/** Row 9. */
function refuseMatch(state: State, scratch: Scratch, userId: number, market: Market, flags: number): number {
  const { draft, trade } = scratch;
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  if (type === TYPE.maker_only && crosses(state, scratch, market, flags)) return CHECK.wouldTake;
  if (type !== TYPE.fok) return 0;
  // An order that is filled at once or not at all knows no self-trade protection.
  const plain = flags & ~(FLAG.stpMask << FLAG.stpShift);
  const run = dryRun(state, market, userId, plain, draft.left, trade.bound);
  return run.lots < draft.left ? CHECK.notFillable : 0;
}

/** Whether what an order of these flags does not trade at once is cancelled. */
function isImmediate(flags: number): boolean {
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  return type === TYPE.market || type === TYPE.ioc;
}

/**
 * Lets the drafted close of a position, which is refused as it is, trade only as far as what stands behind it pays for,
 * and near the mark while nobody knows how much that is: the rest is cancelled, and liquidated if it comes to that.
 * Refuses one that could not trade at all.
 */
function bindClose(
  state: State,
  scratch: Scratch,
  row: number,
  market: Market,
  isShort: boolean,
  refusal: number,
): number {
  const { trade } = scratch;
  const price =
    refusal === R.indexStale ? nearMark(state, market, !isShort) : priceOfBacking(state, scratch, row, market, isShort);
  const best = (state.books[market.id] as Book).bestPrice[isShort ? 1 : 0] as bigint;
  trade.bound = isShort ? smaller(trade.bound, price) : larger(trade.bound, price);
  return (isShort ? best > trade.bound : best < trade.bound) ? refusal : 0;
}

/** The worst price at which what stands behind a position pays for the drafted close of it. */
function priceOfBacking(state: State, { draft }: Scratch, row: number, market: Market, isShort: boolean): bigint {
  const backing = backingOfClose(state, state.futures.seats.position(row, isShort), draft.left);
  return takeoverPrice(market, isShort, draft.left, markOf(state, market), backing);
}

/**
 * Rows 7 and 8 for the drafted order, with the order in `slot` out of the way if it changes one: levels and funds.
 * `row` is that of its user in the market, NONE before the first order.
 */
function refuseRisk(
  state: State,
  scratch: Scratch,
  userId: number,
  row: number,
  market: Market,
  flags: number,
  takerRateE8: number,
  slot: number,
): number {
  noteWorstPrice(state, scratch, userId, market, flags);
  noteFreezePrice(state, scratch, market, flags);
  return refuseAtPrices(state, scratch, userId, row, market, flags, takerRateE8, slot);
}

/** As `refuseRisk`, once the prices at which the order trades and freezes at worst are noted. */
function refuseAtPrices(
  state: State,
  scratch: Scratch,
  userId: number,
  row: number,
  market: Market,
  flags: number,
  takerRateE8: number,
  slot: number,
): number {
  const { contract, draft } = scratch;
  if (!isReducing(flags)) {
    // Without a seat there is no position and no order, and without an account no money.
    return row === NONE
      ? refuseFirst(state, scratch, userId, market, flags, takerRateE8)
      : refuseOpening(state, scratch, row, market, flags, takerRateE8, slot);
  }
  const isShort = (flags & FLAG.sell) === 0;
  const freed = slot === NONE ? 0n : state.orders.left(slot);
  // Who closes all has the orders cancelled that would reduce the position, and an exit goes before them.
  const isAll = slot === NONE && GOES_FIRST.has(aimOf(flags));
  const most = isAll ? heldLots(state, row, isShort) : closeAvailable(state, row, isShort, freed);
  if (row === NONE || draft.left > most) return R.exceedsClosable;
  // What the venue itself closes has its own bound.
  if (aimOf(flags) === "liquidation") return 0;
  contract.opening = 0n;
  contract.closing = draft.left;
  noteLosses(state, scratch, market, !isShort);
  const refusal = refuseClosing(state, scratch, row, market, isShort);
  return refusal === 0 || !isImmediate(flags) ? refusal : bindClose(state, scratch, row, market, isShort, refusal);
}

/**
 * Notes the worst price at which the drafted order can trade, in ticks: its limit, or where the book fills it now, and
 * where it never rests, the price of its last lot.
 */
function noteWorstPrice(state: State, scratch: Scratch, userId: number, market: Market, flags: number): void {
  const { contract, draft, trade } = scratch;
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  contract.worst = trade.bound;
  if (type === TYPE.maker_only) return;
  if (type !== TYPE.market && !crosses(state, scratch, market, flags)) return;
  const run = dryRun(state, market, userId, flags, draft.left, trade.bound);
  if (run.worst !== 0n && (type !== TYPE.limit || run.lots === draft.left)) contract.worst = run.worst;
}

/** Notes Pf: of all prices at which the order can open, the one at which it is worth most. Source: domain 4.4. */
export function noteFreezePrice(state: State, { contract }: Scratch, market: Market, flags: number): void {
  const isLinear = state.terms.unitsPerLotTick(market.id) !== int64(0n);
  const sells = (flags & SELL) !== 0;
  contract.freezePrice = contract.worst;
  if (sells !== isLinear) return;
  // An empty side has a price that nobody can meet, which is never the larger of bids nor the smaller of asks.
  const best = (state.books[market.id] as Book).bestPrice[sells ? 0 : 1] as bigint;
  const mark = state.futures.live.mark(market.id);
  if (sells ? best > contract.freezePrice : best < contract.freezePrice) contract.freezePrice = best;
  if (sells ? mark > contract.freezePrice : mark < contract.freezePrice) contract.freezePrice = mark;
}
