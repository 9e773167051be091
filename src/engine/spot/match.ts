import { FLAG } from "../command.ts";
import { CELL } from "../ledger/cell.ts";
import { POSTING } from "../ledger/ledger.ts";
import type { Market } from "../listing/market.ts";
import { int64 } from "../money/int64.ts";
import { feeOn } from "../money/rate.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import { STP, TYPE } from "./check.ts";
import { emitDeal, emitLevel, emitOrder, ORDER_EVENT, STATUS } from "./emit.ts";
import { NONE } from "./order.ts";
import { endResting } from "./resting.ts";
import { baseUnits, valueOf } from "./value.ts";

const TRADE = POSTING.trade;
const FEE_CELL = CELL.fee;
const FOK = TYPE.fok;
const CANCEL_TAKER = STP.cancelTaker;
const CANCEL_MAKER = STP.cancelMaker;

/**
 * Lets the order in `taker`, which is in no book, trade against the opposite side as far as `bound` (ticks; 0 = any price).
 * Trade price is the resting order's. What is left stays in `left`; the caller rests, cancels or finishes it.
 * Returns whether self-trade protection ended the taker.
 */
export function match(state: State, market: Market, taker: number, bound: bigint): boolean {
  const { orders, seats } = state;
  const book = state.books[market.id] as Book;
  const flags = orders.flags(taker);
  const opposite = (flags & FLAG.sell) ^ 1;
  const userId = seats.userId(orders.seat(taker));
  const protection = ((flags >> FLAG.typeShift) & FLAG.typeMask) === FOK ? 0 : (flags >> FLAG.stpShift) & FLAG.stpMask;

  while (orders.left(taker) > 0n) {
    const maker = book.first(opposite);
    if (maker === NONE) return false;
    const price = orders.price(maker);
    if (bound !== 0n && (opposite === 1 ? price > bound : price < bound)) return false;

    if (protection !== 0 && seats.userId(orders.seat(maker)) === userId) {
      if (protection !== CANCEL_TAKER) endResting(state, market, maker);
      if (protection !== CANCEL_MAKER) return true;
      continue;
    }

    const lots = lotsWith(state, market, taker, maker);
    if (lots === 0n) return false;
    fill(state, market, taker, maker, lots);
  }
  return false;
}

/** How much `taker` can trade with `maker`: a budget in quote buys whole lots only. */
function lotsWith(state: State, market: Market, taker: number, maker: number): bigint {
  const { orders } = state;
  const resting = orders.left(maker);
  let wanted = orders.left(taker);
  if ((orders.flags(taker) & FLAG.inQuote) !== 0) {
    wanted = int64(wanted / int64(orders.price(maker) * market.unitsPerLotTick));
  }
  return wanted < resting ? wanted : resting;
}

/**
 * Executes `lots` between the two. The buyer pays quote and receives base less its fee, the seller the reverse; the taker
 * gives from what is available, the maker from what its order froze. Both fees go to the venue.
 */
function fill(state: State, market: Market, taker: number, maker: number, lots: bigint): void {
  const { orders, fills, seats, ledger, events } = state;
  const price = orders.price(maker);
  const value = valueOf(market, price, lots);
  const units = baseUnits(market, lots);
  const takerSells = (orders.flags(taker) & FLAG.sell) !== 0;
  const takerRate = BigInt(orders.takerFeeRateE8(taker));
  const makerRate = BigInt(orders.makerFeeRateE8(maker));
  const takerFee = feeOn(takerSells ? value : units, takerRate);
  const makerFee = feeOn(takerSells ? units : value, makerRate);
  const dealId = state.nextDealId++;

  const seller = takerSells ? taker : maker;
  const buyer = takerSells ? maker : taker;
  const sellerSeat = orders.seat(seller);
  const buyerSeat = orders.seat(buyer);
  const sellerFee = takerSells ? takerFee : makerFee;
  const buyerFee = takerSells ? makerFee : takerFee;
  // The maker gives from what its order froze, the taker from what is available.
  const given = takerSells ? value : units;
  const giver = takerSells ? seats.quoteCell(buyerSeat) : seats.baseCell(sellerSeat);
  ledger.post(events, giver, 0n, int64(0n - given), TRADE, dealId);
  const taken = takerSells ? units : value;
  const payer = takerSells ? seats.baseCell(sellerSeat) : seats.quoteCell(buyerSeat);
  ledger.post(events, payer, int64(0n - taken), 0n, TRADE, dealId);
  ledger.post(events, seats.baseCell(buyerSeat), int64(units - buyerFee), 0n, TRADE, dealId);
  ledger.post(events, seats.quoteCell(sellerSeat), int64(value - sellerFee), 0n, TRADE, dealId);
  if (buyerFee !== 0n) ledger.post(events, ledger.venueCell(FEE_CELL, market.baseAssetId), buyerFee, 0n, TRADE, dealId);
  if (sellerFee !== 0n)
    ledger.post(events, ledger.venueCell(FEE_CELL, market.quoteAssetId), sellerFee, 0n, TRADE, dealId);

  const takerRow = fillRow(state, taker);
  const makerRow = fillRow(state, maker);
  fills.setQuoteFee(
    takerSells ? takerRow : makerRow,
    int64(fills.quoteFee(takerSells ? takerRow : makerRow) + sellerFee),
  );
  fills.setBaseFee(takerSells ? makerRow : takerRow, int64(fills.baseFee(takerSells ? makerRow : takerRow) + buyerFee));
  recordFill(state, takerRow, price, lots, value);
  recordFill(state, makerRow, price, lots, value);
  state.lastPrice[market.id] = price;
  emitDeal(state, taker, maker, dealId, price, lots, value, takerFee, makerFee);

  const inQuote = (orders.flags(taker) & FLAG.inQuote) !== 0;
  orders.setLeft(taker, int64(orders.left(taker) - (inQuote ? value : lots)));
  const book = state.books[market.id] as Book;
  if (lots === orders.left(maker)) {
    book.remove(maker);
    emitLevelOf(state, market, maker);
    orders.setLeft(maker, 0n);
    seats.remove(orders, maker);
    orders.leave(maker);
    emitOrder(state, maker, ORDER_EVENT.finish, STATUS.filled);
    freeOrder(state, maker);
  } else {
    book.reduce(maker, lots);
    orders.setLeft(maker, int64(orders.left(maker) - lots));
    emitLevelOf(state, market, maker);
    emitOrder(state, maker, ORDER_EVENT.update, STATUS.partFilled);
  }
}

/** The row of `Fills` of an order, made on first use. */
export function fillRow(state: State, slot: number): number {
  const { orders, fills } = state;
  const row = orders.fill(slot);
  if (row !== NONE) return row;
  const made = fills.allocate();
  fills.setUpdatedAt(made, orders.createdAt(slot));
  orders.setFill(slot, made);
  return made;
}

function recordFill(state: State, row: number, price: bigint, lots: bigint, value: bigint): void {
  const { fills } = state;
  fills.setFilledLots(row, int64(fills.filledLots(row) + lots));
  fills.setFilledValue(row, int64(fills.filledValue(row) + value));
  fills.setLastLots(row, lots);
  fills.setLastPrice(row, price);
  fills.setUpdatedAt(row, state.timeMs);
}

/** Publishes the level of an order that the book has just changed; hidden orders change none. */
export function emitLevelOf(state: State, market: Market, slot: number): void {
  const flags = state.orders.flags(slot);
  if ((flags & FLAG.hidden) !== 0) return;
  emitLevel(state, market.id, flags & FLAG.sell, state.orders.price(slot));
}

/** Gives the rows of an order back; nothing may point to it any more. */
export function freeOrder(state: State, slot: number): void {
  const { orders, fills } = state;
  const row = orders.fill(slot);
  if (row !== NONE) fills.free(row);
  if (orders.clientId.size > 0) orders.clientId.delete(slot);
  orders.free(slot);
}
