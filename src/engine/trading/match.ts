import { payWithPool, shareFees } from "../amm/fill.ts";
import type { Pool } from "../amm/pool.ts";
import { poolLevelBefore } from "../amm/quotes.ts";
import { FLAG, STP, TYPE } from "../command.ts";
import * as eventForm from "../event.ts";
import { noteResult } from "../futures/liquidation/fund-budget.ts";
import { canBear } from "../futures/liquidation/inventory.ts";
import { canBearFill } from "../futures/liquidation/maker-loss.ts";
import { fillContract, reducibleLots, settleContract } from "../futures/orders/fill.ts";
import { isReducing, weigh } from "../futures/orders/held-order.ts";
import { type FuturesTerms, tradeValue } from "../futures/positions/contract.ts";
import { LIQUIDATOR } from "../futures/positions/futures-account.ts";
import { isFarFromMark } from "../futures/positions/loss.ts";
import { tradePosting } from "../ledger/ledger.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Market } from "../listing/market.ts";
import * as bearing from "../margin/bearing.ts";
import * as money from "../money/int64.ts";
import * as rates from "../money/rate.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import * as deductions from "./deduct.ts";
import * as drafts from "./draft.ts";
import * as emits from "./emit.ts";
import * as interruptions from "./interruption.ts";
import { NONE, type Orders } from "./order.ts";
import { endResting } from "./resting.ts";
import { bearsResting } from "./solvency.ts";
import * as values from "./value.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { feeOn } = rates;
const { baseUnits, quoteUnits } = values;
const { emitDeal, emitOrder } = emits;
const { DEAL_FLAG, ORDER_EVENT, STATUS } = eventForm;
const { trade } = drafts;
const { decideDeductions, payDeductions } = deductions;
const BUYER_GIVES = tradePosting("buyer_gives");
const SELLER_GIVES = tradePosting("seller_gives");
const BUYER_GETS = tradePosting("buyer_gets");
const SELLER_GETS = tradePosting("seller_gets");
const { interrupt, notePrice, noteReach } = interruptions;
const { canBearResting, canBearTaking } = bearing;
const FEE = POSTING.fee;
const FOK = TYPE.fok;
const MARGIN = FLAG.margin;
const FUTURES = FLAG.futures;
const CONTRACT = DEAL_FLAG.futures;
const INT32_MAX = 2 ** 31 - 1;
const CANCEL_TAKER = STP.ct;
const CANCEL_MAKER = STP.cm;

/**
 * Lets the order in `taker`, which is in no book, trade against the opposite side as far as `trade.bound`. Trade price is
 * the resting order's. What is left stays in `left`; the caller rests, cancels or finishes it. A deal that would leave the
 * reference of the market interrupts it instead. Returns whether the taker is at its end: by self-trade protection, or because
 * what it would meet is out of reach of a market that is not interrupted again.
 */
export function match(state: State, market: Market, taker: number): boolean {
  const { orders } = state;
  const book = state.books[market.id] as Book;
  const flags = orders.flags(taker);
  const opposite = orders.side(taker) ^ 1;
  const protection = ((flags >> FLAG.typeShift) & FLAG.typeMask) === FOK ? 0 : (flags >> FLAG.stpShift) & FLAG.stpMask;
  const isGuarded = market.interruption !== undefined;
  if (isGuarded) noteReach(state, market);

  while (orders.hasLeft(taker)) {
    const best = book.bestPrice[opposite] as bigint;
    if (market.pool !== undefined) {
      // A pool is nobody: it knows no self-trade.
      const level = poolLevelBefore(state, market, market.pool, opposite, best);
      if (level !== undefined) {
        if (opposite === 1 ? level.price > trade.bound : level.price < trade.bound) return false;
        trade.taker = taker;
        trade.maker = NONE;
        trade.price = level.price;
        if (!agreeOnLots(orders, market, level.lots)) return false;
        if ((flags & MARGIN) !== 0 && !canBearTaking(state, market, taker, level.price, trade.lots)) return true;
        if (isGuarded && isOutOfReach(state, market)) return !interrupt(state, market, level.price);
        executeWithPool(state, market, market.pool);
        lowerTaker(orders, taker);
        continue;
      }
    }
    if (opposite === 1 ? best > trade.bound : best < trade.bound) return false;
    const maker = book.first(opposite);

    if (protection !== 0 && isSameUser(state, taker, maker)) {
      if (protection !== CANCEL_TAKER) endResting(state, market, maker);
      if (protection !== CANCEL_MAKER) return true;
      continue;
    }

    trade.taker = taker;
    trade.maker = maker;
    trade.price = best;
    if (!agreeOnLots(orders, market, orders.left(maker))) return false;
    if ((flags & FUTURES) === 0) {
      if (((flags | orders.flags(maker)) & MARGIN) !== 0) {
        if (!canBearTaking(state, market, taker, best, trade.lots)) return true;
        if (!canBearResting(state, market, maker, trade.lots)) {
          endResting(state, market, maker);
          continue;
        }
      }
      if (
        state.users.owing > 0 &&
        !isSameUser(state, taker, maker) &&
        !bearsResting(state, market, maker, trade.lots)
      ) {
        endResting(state, market, maker);
        continue;
      }
      if (isGuarded && isOutOfReach(state, market)) return !interrupt(state, market, best);
      execute(state, market);
      lowerTaker(orders, taker);
      lowerResting(state, market, maker);
    } else if (!executeContract(state, market)) return false;
  }
  return false;
}

/** Whether the price under way lies beyond what a market that may be interrupted lets through. */
function isOutOfReach({ terms }: State, { id }: Market): boolean {
  return trade.price < terms.reachLow(id) || trade.price > terms.reachHigh(id);
}

function isSameUser(state: State, taker: number, maker: number): boolean {
  const { orders, seats } = state;
  return seats.userId(orders.seat(taker)) === seats.userId(orders.seat(maker));
}

/** Sets how much of `offered` the taker can trade; false when it is nothing, because a budget buys whole lots only. */
function agreeOnLots(orders: Orders, market: Market, offered: bigint): boolean {
  const { taker } = trade;
  trade.lots = orders.left(taker);
  if (orders.isInQuote(taker)) {
    trade.lots = int64(trade.lots / int64(trade.price * market.unitsPerLotTick));
    if (trade.lots === int64(0n)) return false;
  }
  if (offered < trade.lots) trade.lots = offered;
  return true;
}

/** Executes the trade: money, what each order remembers of it, and the deal. What is left of the two is the caller's to lower. */
export function execute(state: State, market: Market): void {
  const { orders } = state;
  const { taker, maker } = trade;
  const takerSells = orders.side(taker) === 1;
  const buyerRate = takerSells ? orders.makerFeeRateE8(maker) : orders.takerFeeRateE8(taker);
  const sellerRate = takerSells ? orders.takerFeeRateE8(taker) : orders.makerFeeRateE8(maker);
  trade.dealId = state.nextDealId++;
  trade.value = quoteUnits(market, trade.price, trade.lots);
  trade.units = baseUnits(market, trade.lots);
  trade.baseFee = feeOn(trade.units, BigInt(buyerRate));
  trade.quoteFee = feeOn(trade.value, BigInt(sellerRate));
  const deducts = state.users.deducting > 0 && market.pool === undefined ? decideDeductions(state, market) : 0;
  pay(state, market, takerSells);
  remember(state, taker, takerSells);
  remember(state, maker, !takerSells);
  if (deducts !== 0) payDeductions(state, deducts);
  state.lastPrice[market.id] = trade.price;
  if (market.interruption !== undefined) notePrice(state, market, trade.price);
  if (((orders.flags(taker) | orders.flags(maker)) & MARGIN) !== 0) {
    noteMargin(state, market, taker);
    noteMargin(state, market, maker);
  }
  emitDeal(state, market, deducts);
}

/** As `execute`, with the pool as the maker. */
function executeWithPool(state: State, market: Market, pool: Pool): void {
  const { orders } = state;
  const { taker } = trade;
  const takerSells = orders.side(taker) === 1;
  const rate = BigInt(orders.takerFeeRateE8(taker));
  trade.dealId = state.nextDealId++;
  trade.value = quoteUnits(market, trade.price, trade.lots);
  trade.units = baseUnits(market, trade.lots);
  trade.baseFee = takerSells ? 0n : feeOn(trade.units, rate);
  trade.quoteFee = takerSells ? feeOn(trade.value, rate) : 0n;
  payWithPool(state, pool, takerSells);
  shareFees(state, market, pool);
  remember(state, taker, takerSells);
  state.lastPrice[market.id] = trade.price;
  if (market.interruption !== undefined) notePrice(state, market, trade.price);
  if ((orders.flags(taker) & MARGIN) !== 0) noteMargin(state, market, taker);
  emitDeal(state, market, 0);
}

/** Has the account of a margin order that has traded looked at when the command is done. */
function noteMargin({ orders, seats, margin }: State, market: Market, slot: number): void {
  if ((orders.flags(slot) & MARGIN) !== 0) margin.note(seats.userId(orders.seat(slot)), market.id);
}

/** Takes the trade off what a taker that is in no book has left. */
function lowerTaker(orders: Orders, taker: number): void {
  if (orders.isInQuote(taker)) orders.setLeft(taker, int64(orders.left(taker) - trade.value));
  else orders.setLeft(taker, int64(orders.left(taker) - trade.lots));
}

/** Whether the insurance fund can bear what the venue would lose by the trade. */
function isBearable(state: State, market: Market): boolean {
  const value = tradeValue(market.futures as FuturesTerms, trade.price, trade.lots);
  return canBear(state, market, state.orders.side(trade.taker) === 0, trade.lots, value);
}

/** Whether the maker can bear what it loses by the trade against the mark; nobody loses by trading with himself. */
function isBorne(state: State, market: Market): boolean {
  const { taker, maker, lots } = trade;
  return isSameUser(state, taker, maker) || canBearFill(state, market, maker, lots);
}

/**
 * Executes the trade in a futures market: instead of money for goods, both positions change. False when there is nothing
 * that the taker, which only reduces, could reduce. A maker who could not bear the trade loses his order instead.
 */
function executeContract(state: State, market: Market): boolean {
  const { orders, futures, seats } = state;
  const { taker, maker } = trade;
  let isVenues = false;
  if (isReducing(orders.flags(taker))) {
    const most = reducibleLots(state, taker);
    if (most === 0n) return false;
    if (most < trade.lots) trade.lots = most;
    isVenues = seats.userId(orders.seat(taker)) === LIQUIDATOR;
    if (isVenues && !isBearable(state, market)) return false;
  }
  if (isFarFromMark(state, market, orders.side(maker) === 1, trade.price) && !isBorne(state, market)) {
    endResting(state, market, maker);
    return true;
  }
  const takerRow = futures.held.row(taker);
  const makerRow = futures.held.row(maker);
  const remains = trade.lots < orders.left(maker);
  const takerSells = orders.side(taker) === 1;
  trade.dealId = state.nextDealId++;
  weigh(state, market, maker, -1n);
  fillContract(state, market);
  rememberContract(state, taker, takerSells);
  rememberContract(state, maker, !takerSells);
  state.lastPrice[market.id] = trade.price;
  emitDeal(state, market, CONTRACT);
  lowerTaker(orders, taker);
  lowerResting(state, market, maker);
  if (remains) weigh(state, market, maker, 1n);
  settleContract(state, market, takerRow, makerRow);
  if (isVenues) noteResult(state, market, takerSells ? trade.sellerPnl : trade.buyerPnl);
  return true;
}

/**
 * Posts the trade: the buyer pays quote and receives base less its fee, the seller the reverse; the maker gives from what
 * its order froze, the taker from what is available. Both fees go to the venue, and in a market with a pool in part to its providers.
 */
function pay(state: State, market: Market, takerSells: boolean): void {
  const { orders, seats, ledger, events } = state;
  const { dealId } = trade;
  const buyerSeat = orders.seat(takerSells ? trade.maker : trade.taker);
  const sellerSeat = orders.seat(takerSells ? trade.taker : trade.maker);
  if (takerSells) {
    ledger.post(events, seats.quoteCell(buyerSeat), 0n, int64(0n - trade.value), BUYER_GIVES, dealId);
    ledger.post(events, seats.baseCell(sellerSeat), int64(0n - trade.units), 0n, SELLER_GIVES, dealId);
  } else {
    ledger.post(events, seats.baseCell(sellerSeat), 0n, int64(0n - trade.units), SELLER_GIVES, dealId);
    ledger.post(events, seats.quoteCell(buyerSeat), int64(0n - trade.value), 0n, BUYER_GIVES, dealId);
  }
  ledger.post(events, seats.baseCell(buyerSeat), int64(trade.units - trade.baseFee), 0n, BUYER_GETS, dealId);
  ledger.post(events, seats.quoteCell(sellerSeat), int64(trade.value - trade.quoteFee), 0n, SELLER_GETS, dealId);
  if (market.pool !== undefined) {
    shareFees(state, market, market.pool);
    return;
  }
  if (trade.baseFee > int64(0n)) {
    ledger.post(events, ledger.feeCell(market.baseAssetId), trade.baseFee, 0n, FEE, dealId);
  }
  if (trade.quoteFee > int64(0n)) {
    ledger.post(events, ledger.feeCell(market.quoteAssetId), trade.quoteFee, 0n, FEE, dealId);
  }
}

/** Adds the trade to the fills of an order. */
function remember(state: State, slot: number, sells: boolean): void {
  const { fills } = state;
  const row = fillsOf(state, slot);
  if (sells) fills.setQuoteFee(row, int64(fills.quoteFee(row) + trade.quoteFee));
  else fills.setBaseFee(row, int64(fills.baseFee(row) + trade.baseFee));
  rememberLots(state, row);
}

/** As `remember`, in a futures market: one fee in the settlement asset, and what was closed. */
function rememberContract(state: State, slot: number, sells: boolean): void {
  const { fills } = state;
  const row = fillsOf(state, slot);
  if (sells) {
    fills.setQuoteFee(row, int64(fills.quoteFee(row) + trade.quoteFee));
    fills.setRealizedPnl(row, int64(fills.realizedPnl(row) + trade.sellerPnl));
  } else {
    fills.setQuoteFee(row, int64(fills.quoteFee(row) + trade.baseFee));
    fills.setRealizedPnl(row, int64(fills.realizedPnl(row) + trade.buyerPnl));
  }
  rememberLots(state, row);
}

/** The row of an order's fills, made at the first. */
function fillsOf({ orders, fills }: State, slot: number): number {
  let row = orders.fillRow(slot);
  if (row === 0) {
    row = fills.allocate();
    orders.setFill(slot, row);
  }
  return row;
}

function rememberLots({ fills, timeMs }: State, row: number): void {
  fills.setFilledLots(row, int64(fills.filledLots(row) + trade.lots));
  fills.setFilledValue(row, int64(fills.filledValue(row) + trade.value));
  fills.setLastLots(row, trade.lots);
  fills.setLastPrice(row, trade.price);
  fills.setUpdatedAt(row, timeMs);
}

/** Takes the trade's lots off a resting order, which stays in the book with the rest or is finished. */
export function lowerResting(state: State, market: Market, slot: number): void {
  const { orders, seats } = state;
  const book = state.books[market.id] as Book;
  if (trade.lots < orders.left(slot)) {
    book.resize(slot, int64(orders.left(slot) - trade.lots));
    emitOrder(state, slot, ORDER_EVENT.update, STATUS.part_filled);
    return;
  }
  book.remove(slot);
  orders.setLeft(slot, 0n);
  seats.remove(orders, slot);
  orders.leave(slot);
  emitOrder(state, slot, ORDER_EVENT.finish, STATUS.filled);
  freeOrder(state, slot);
}

/** Notes the time of a change that filled nothing. */
export function noteChanged({ orders, fills, timeMs }: State, slot: number): void {
  const row = orders.fillRow(slot);
  const after = timeMs - orders.createdAt(slot);
  if (row > 0) fills.setUpdatedAt(row, timeMs);
  else if (after <= INT32_MAX) orders.setChangedAfter(slot, after);
  else {
    const made = fills.allocate();
    fills.setUpdatedAt(made, timeMs);
    orders.setFill(slot, made);
  }
}

/** Gives the rows of an order back; nothing may point to it any more. */
export function freeOrder(state: State, slot: number): void {
  const { orders, fills } = state;
  const row = orders.fillRow(slot);
  if (row > 0) fills.free(row);
  if (orders.clientId.size > 0) orders.clientId.delete(slot);
  orders.free(slot);
}
