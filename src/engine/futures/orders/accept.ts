/**
 * The acceptance checks of an order in a futures market, placed or modified; none of them writes. Source: domain 2.1 with
 * 2.9, 4.2, 4.3 and 4.5.
 */
import { aimOf, FLAG, TYPE } from "../../command.ts";
import { waitsForIndex } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { feeOn } from "../../money/rate.ts";
import { divCeil } from "../../money/rounding.ts";
import { type Refusal, refusalNumber } from "../../refusal.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import type { Book } from "../../trading/book.ts";
import { CHECK, crosses, OPEN_ORDERS_MAX, PLACING, refuseLots, refuseTrading } from "../../trading/check.ts";
import { draft, trade } from "../../trading/draft.ts";
import { NONE } from "../../trading/order.ts";
import { TRIGGER_BAND_PERCENT } from "../../trading/reference-price.ts";
import { markOf } from "../funding/mark.ts";
import { lossAt } from "../liquidation/maker-loss.ts";
import { takeoverPrice } from "../liquidation/takeover-price.ts";
import { backingOfClose } from "../positions/account-sums.ts";
import { type FuturesTerms, levelAt, positionBound, tradeValue } from "../positions/contract.ts";
import { shareOf } from "../positions/figures.ts";
import { defaultLeverage, heldLots, isHedge, rowOf } from "../positions/futures-seat.ts";
import { canLose, covers, surelyCovers } from "./buying-power.ts";
import { dryRun } from "./dry-run.ts";
import { exposureOf } from "./exposure.ts";
import { isReducing, noteGrowth, openOn } from "./held-order.ts";
import { closeAvailable } from "./reduce-only.ts";

/** Limit prices may leave the index, and market orders the mark, by a tenth in the aggressive direction. */
export const HIGHEST_BUY_PERCENT = 110n;
export const LOWEST_SELL_PERCENT = 90n;
const ONE_E8 = 100_000_000n;
/** What may close the whole position, whatever orders would reduce it. */
const GOES_FIRST: ReadonlySet<string> = new Set(["close_all", "take_profit", "stop_loss"]);

const number = (refusal: Refusal) => refusalNumber(refusal);
const R = {
  sideMismatch: number("position_side_mismatch"),
  noMark: number("no_mark_price"),
  indexStale: number("index_stale"),
  farFromIndex: number("price_outside_index"),
  farBuy: number("buy_far_from_mark"),
  farSell: number("sell_far_from_mark"),
  positionLimit: number("position_limit"),
  leverageLimit: number("leverage_above_level"),
  exceedsClosable: number("exceeds_closable"),
  tooManyOrders: number("too_many_open_orders"),
};

/** The flags of an order of a user: one that names a position on the other side of it only reduces. */
export function contractFlags(flags: number): number {
  if ((flags & FLAG.sided) === 0 || isReducing(flags)) return flags & ~FLAG.inQuote;
  const reduces = ((flags & FLAG.sell) !== 0) === ((flags & FLAG.short) === 0);
  return (reduces ? flags | (1 << FLAG.aimShift) : flags) & ~FLAG.inQuote;
}

/** Checks the drafted new order; 0 = nothing to object. Sets the bound of its trades and the price at which it freezes. */
export function refuseContract(state: State, userId: number, market: Market, flags: number): number {
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  const refusal =
    refuseTrading(state, userId, market, PLACING[type] as number) ||
    refuseTerms(state, userId, market, flags, NONE) ||
    refuseContractLots(market, flags) ||
    refuseBound(state, market, flags);
  if (refusal !== 0) return refusal;
  const seat = state.seats.find(userId, market.id, 0);
  if (seat !== NONE && state.seats.openOrders(seat) >= OPEN_ORDERS_MAX) return R.tooManyOrders;
  const takerRate = state.users.futuresTakerFeeRateE8(userId);
  const rate = takerRate < 0 ? market.takerFeeRateE8 : takerRate;
  return refuseRisk(state, userId, market, flags, rate, NONE) || refuseMatch(state, userId, market, flags);
}

/** Checks the drafted change of the order in `slot`, as if it were placed in its stead, but for its whole amount. */
export function refuseContractChange(state: State, market: Market, slot: number): number {
  const { orders, seats } = state;
  const userId = seats.userId(orders.seat(slot));
  const flags = orders.flags(slot);
  return (
    refuseTerms(state, userId, market, flags, slot) ||
    refuseBound(state, market, flags) ||
    refuseRisk(state, userId, market, flags, orders.takerFeeRateE8(slot), slot) ||
    (draft.price === orders.price(slot) ? 0 : refuseMatch(state, userId, market, flags))
  );
}

/** Row 1: the position side, a price to go by, and one that is not old where the order in its stead could open a position. */
function refuseTerms(state: State, userId: number, market: Market, flags: number, slot: number): number {
  if (((flags & FLAG.sided) !== 0) !== isHedge(state, userId)) return R.sideMismatch;
  if (markOf(state, market) === 0n) return R.noMark;
  return waitsForIndex(state, market) && couldOpen(state, userId, market, flags, slot) ? R.indexStale : 0;
}

/** Whether any lot of the drafted order, in place of the one in `slot`, could open a position or make one grow. */
function couldOpen(state: State, userId: number, market: Market, flags: number, slot: number): boolean {
  if (isReducing(flags)) return false;
  const row = rowOf(state, userId, market.id);
  if (row === NONE) return true;
  const side = flags & FLAG.sell;
  const others = state.futures.seats.lots(row, side) - (slot === NONE ? 0n : state.orders.left(slot));
  return openOn(state, row, side, others + draft.left) > openOn(state, row, side, others);
}

/** Row 5 for the drafted amount, in lots. Of a position everything can be closed, however small or large it is. */
export function refuseContractLots(market: Market, flags: number): number {
  return isReducing(flags) && draft.left > 0n ? 0 : refuseLots(market);
}

/** Rows 5 and 6 for the price. */
function refuseBound(state: State, market: Market, flags: number): number {
  return ((flags >> FLAG.typeShift) & FLAG.typeMask) === TYPE.market
    ? refuseMarketBound(state, market, flags)
    : refuseLimit(state, market, flags);
}

/** A limit price is held to the index, and to the last mark while that is stale. */
function refuseLimit(state: State, market: Market, flags: number): number {
  const { price } = draft;
  const { tickSize } = market.futures as FuturesTerms;
  if (price <= 0n || price % tickSize !== 0n) return CHECK.priceOffGrid;
  if (price > market.maxPrice) return CHECK.priceTooHigh;
  const reference = waitsForIndex(state, market) ? markOf(state, market) : market.index.price;
  const isFar =
    (flags & FLAG.sell) !== 0
      ? price * 100n < reference * LOWEST_SELL_PERCENT
      : price * 100n > reference * HIGHEST_BUY_PERCENT;
  if (isFar && reference !== 0n) return R.farFromIndex;
  trade.bound = price;
  return 0;
}

/** A market order reaches a tenth beyond the mark, one that a trigger has fired half of that; it must meet its first order before. */
function refuseMarketBound(state: State, market: Market, flags: number): number {
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
function refuseMatch(state: State, userId: number, market: Market, flags: number): number {
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  if (type === TYPE.maker_only && crosses(state, market, flags)) return CHECK.wouldTake;
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
 * Lets the drafted close of a position trade only as far as what stands behind it pays for: the rest is cancelled, and
 * liquidated if it comes to that. Refuses one that could not trade at all.
 */
function bindClose(state: State, row: number, market: Market, isShort: boolean): number {
  const backing = backingOfClose(state, state.futures.seats.position(row, isShort), draft.left);
  const price = takeoverPrice(market, isShort, draft.left, markOf(state, market), backing);
  const best = (state.books[market.id] as Book).bestPrice[isShort ? 1 : 0] as bigint;
  trade.bound = isShort ? smallest(trade.bound, price) : largest(trade.bound, price);
  return (isShort ? best > trade.bound : best < trade.bound) ? CHECK.insufficient : 0;
}

/** Rows 7 and 8 for the drafted order, with the order in `slot` out of the way if it changes one: levels and funds. */
function refuseRisk(
  state: State,
  userId: number,
  market: Market,
  flags: number,
  takerRateE8: number,
  slot: number,
): number {
  const row = rowOf(state, userId, market.id);
  const worst = worstPrice(state, userId, market, flags);
  draft.freezePrice = freezePrice(state, market, flags, worst);
  if (isReducing(flags)) {
    const isShort = (flags & FLAG.sell) === 0;
    const freed = slot === NONE ? 0n : state.orders.left(slot);
    // Who closes all has the orders cancelled that would reduce the position, and an exit goes before them.
    const isAll = slot === NONE && GOES_FIRST.has(aimOf(flags));
    const most = isAll ? heldLots(state, row, isShort) : closeAvailable(state, row, isShort, freed);
    if (row === NONE || draft.left > most) return R.exceedsClosable;
    // What the venue itself closes has its own bound.
    if (aimOf(flags) === "liquidation") return 0;
    const refusal = lossOfClosing(state, row, market, isShort, draft.left, worst);
    return refusal === 0 || !isImmediate(flags) ? refusal : bindClose(state, row, market, isShort);
  }
  return refuseOpening(state, userId, row, market, flags, takerRateE8, slot, worst);
}

/**
 * The worst price at which the drafted order can trade, in ticks: its limit, or where the book fills it now, and where it
 * never rests, the price of its last lot.
 */
function worstPrice(state: State, userId: number, market: Market, flags: number): bigint {
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  const { bound } = trade;
  if (type === TYPE.maker_only) return bound;
  if (type !== TYPE.market && !crosses(state, market, flags)) return bound;
  const run = dryRun(state, market, userId, flags, draft.left, bound);
  if (run.worst === 0n || (type === TYPE.limit && run.lots < draft.left)) return bound;
  return run.worst;
}

/** Pf: of all prices at which the order can open, the one at which it is worth most. Source: domain 4.4. */
function freezePrice(state: State, market: Market, flags: number, worst: bigint): bigint {
  const isLinear = (market.futures as FuturesTerms).contractType === "linear";
  const sells = (flags & FLAG.sell) !== 0;
  if (sells !== isLinear) return worst;
  const { bestPrice } = state.books[market.id] as Book;
  const mark = markOf(state, market);
  // An empty side has a price that nobody can meet, which is never the larger of bids nor the smaller of asks.
  const best = bestPrice[sells ? 0 : 1] as bigint;
  return sells ? largest(worst, mark, best) : smallest(worst, mark, best);
}

/** 4.3 and 4.5 for an order that can open a position. */
function refuseOpening(
  state: State,
  userId: number,
  row: number,
  market: Market,
  flags: number,
  takerRateE8: number,
  slot: number,
  worst: bigint,
): number {
  // Without a seat there is no position and no order, and without an account no money.
  if (row === NONE) return refuseFirst(state, userId, market, flags, takerRateE8, worst);
  const { seats } = state.futures;
  const side = flags & FLAG.sell;
  const lots = seats.lots(row, side);
  const freed = slot === NONE ? 0n : state.orders.left(slot);
  const before = openOn(state, row, side, lots);
  const opens = openOn(state, row, side, lots - freed + draft.left);
  const opening = opens - openOn(state, row, side, lots - freed);
  const closing = draft.left - opening;
  noteGrowth(state, market, row, side, slot, takerRateE8, before, opens);
  const loss = lossAt(state, market, side === 1, worst, opening);
  const isIsolated = seats.isIsolated(row);
  if (closing > 0n) {
    // What opens on cross margin loses of the same money; on isolated margin it brings its own.
    const refusal = lossOfClosing(state, row, market, side === 0, closing, worst, isIsolated ? 0n : loss);
    if (refusal !== 0) return refusal;
  }
  if (opening > 0n) {
    if (isBeyondLedger(state, market, opening)) return R.positionLimit;
    const refusal = opens > before ? refuseSize(state, row, market, side, draft.left - freed) : 0;
    if (refusal !== 0) return refusal;
  }
  // An order that freezes no more than before needs no more margin, unless its new price makes it lose at once what the old one did not.
  if (draft.moreFrozen <= 0n && (loss === 0n || isMilder(state, slot, side))) return 0;
  const held = heldLots(state, row, side === 1);
  return refuseMargin(state, market, seats.account(row), {
    opening,
    held,
    loss,
    isIsolated,
    leverage: seats.leverage(row),
  });
}

/** Whether the draft changes an order to a price at which it loses no more than at its own. */
function isMilder({ orders }: State, slot: number, side: number): boolean {
  if (slot === NONE) return false;
  return side === 1 ? draft.price >= orders.price(slot) : draft.price <= orders.price(slot);
}

/** Of a user without a seat in the market: settings are the market's own, and there is nothing to reduce. */
function refuseFirst(
  state: State,
  userId: number,
  market: Market,
  flags: number,
  takerRateE8: number,
  worst: bigint,
): number {
  const terms = market.futures as FuturesTerms;
  const account = state.futures.accounts.find(userId, terms.settleAssetId);
  if (account === NONE) return CHECK.insufficient;
  const leverage = defaultLeverage(terms);
  if (isBeyondLedger(state, market, draft.left)) return R.positionLimit;
  const refusal = refuseExposure(terms, draft.left, leverage);
  if (refusal !== 0) return refusal;
  const value = tradeValue(terms, draft.freezePrice, draft.left);
  draft.moreFrozen = shareOf(value, leverage) + feeOn(value, BigInt(takerRateE8));
  const loss = lossAt(state, market, (flags & FLAG.sell) !== 0, worst, draft.left);
  return refuseMargin(state, market, account, { opening: draft.left, held: 0n, loss, isIsolated: false, leverage });
}

function refuseSize(state: State, row: number, market: Market, side: number, more: bigint): number {
  const { seats } = state.futures;
  return refuseExposure(market.futures as FuturesTerms, exposureOf(state, row, side, more), seats.leverage(row));
}

/** Whether a position of so many lots is within the market's levels. */
function refuseExposure(terms: FuturesTerms, exposure: bigint, leverage: number): number {
  if (exposure > positionBound(terms)) return R.positionLimit;
  return leverage > levelAt(terms, exposure).leverage ? R.leverageLimit : 0;
}

/**
 * L4: whether so many lots more of open interest would no longer fit the ledger's numbers. What rests is not counted: every
 * trade has a taker, who is asked when it comes.
 */
function isBeyondLedger({ futures: { live }, terms }: State, market: Market, opening: bigint): boolean {
  return live.openInterest(market.id) + opening > terms.openMost(market.id);
}

/** What an order opens. */
interface Opening {
  readonly opening: bigint;
  /** Lots of the position that it adds to. */
  readonly held: bigint;
  /** Units that it loses at once by opening at its worst price. */
  readonly loss: bigint;
  readonly isIsolated: boolean;
  readonly leverage: number;
}

/** 4.5: margin for what the order opens, which freezes what is drafted, and for what it loses at once. */
function refuseMargin(state: State, market: Market, account: number, order: Opening): number {
  const { opening, held, loss, isIsolated, leverage } = order;
  const terms = market.futures as FuturesTerms;
  draft.needs = isIsolated ? draft.moreFrozen : draft.moreFrozen + loss;
  if (!surelyCovers(state, account, isIsolated) && !covers(state, account, isIsolated)) return CHECK.insufficient;
  if (!isIsolated || loss === 0n) return 0;
  const initial = divCeil(tradeValue(terms, draft.freezePrice, opening), BigInt(leverage));
  const value = tradeValue(terms, markOf(state, market), opening);
  const maintenance = divCeil(value * BigInt(levelAt(terms, held + opening).maintenanceRateE8), ONE_E8);
  return loss >= initial - maintenance ? CHECK.insufficient : 0;
}

/**
 * Refuses to close at a price that would leave less than nothing of what stands behind the position: the insurance fund
 * pays for markets that move, not for users who sell cheaply to themselves. `taken` is what the rest of the order takes of it.
 */
function lossOfClosing(
  state: State,
  row: number,
  market: Market,
  isShort: boolean,
  lots: bigint,
  worst: bigint,
  taken = 0n,
): number {
  const { seats } = state.futures;
  const slot = seats.position(row, isShort);
  if (slot === NONE) return 0;
  // Who closes a short position buys, and loses what a new long one would.
  const loss = lossAt(state, market, !isShort, worst, lots);
  if (loss <= 0n) return 0;
  if (!seats.isIsolated(row)) return canLose(state, seats.account(row), loss + taken) ? 0 : CHECK.insufficient;
  return backingOfClose(state, slot, lots) - taken < loss ? CHECK.insufficient : 0;
}

function largest(first: bigint, ...others: bigint[]): bigint {
  return others.reduce((most, value) => (value > most ? value : most), first);
}

function smallest(first: bigint, ...others: bigint[]): bigint {
  return others.reduce((least, value) => (value < least ? value : least), first);
}
