import { FLAG } from "../command.ts";
import { POSTING } from "../ledger/ledger.ts";
import { CELL } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import { int64 } from "../money/int64.ts";
import { feeOn } from "../money/rate.ts";
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import { emitDeal, emitLevel, emitOrder, ORDER_EVENT, STATUS } from "./emit.ts";
import { NONE } from "./order.ts";
import { endResting } from "./resting.ts";
import { baseUnits, valueOf } from "./value.ts";

/** Positions of STP_MODES. */
const STP = { cancelTaker: 1, cancelMaker: 2, both: 3 } as const;
const FOK = 4;

/**
 * Lets the order in `taker`, which is in no book, trade against the opposite side as far as `bound` (ticks; 0 = any price).
 * Trade price is the resting order's. What is left stays in `left`; the caller rests, cancels or finishes it.
 * Returns whether self-trade protection ended the taker.
 */
export function match(state: State, market: Market, taker: number, bound: bigint): boolean {
  const { orders, seats } = state;
  const book = state.books[market.id] as Book;
  const flags = orders.flags[taker] as number;
  const opposite = (flags & FLAG.sell) ^ 1;
  const userId = seats.userId[orders.seat[taker] as number];
  const protection = ((flags >> FLAG.typeShift) & FLAG.typeMask) === FOK ? 0 : (flags >> FLAG.stpShift) & FLAG.stpMask;

  while ((orders.left[taker] as bigint) > 0n) {
    const maker = book.first(opposite);
    if (maker === NONE) return false;
    const price = orders.price[maker] as bigint;
    if (bound !== 0n && (opposite === 1 ? price > bound : price < bound)) return false;

    if (protection !== 0 && seats.userId[orders.seat[maker] as number] === userId) {
      if (protection !== STP.cancelTaker) endResting(state, market, maker);
      if (protection !== STP.cancelMaker) return true;
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
  const resting = orders.left[maker] as bigint;
  let wanted = orders.left[taker] as bigint;
  if (((orders.flags[taker] as number) & FLAG.inQuote) !== 0) {
    wanted = int64(wanted / int64((orders.price[maker] as bigint) * market.unitsPerLotTick));
  }
  return wanted < resting ? wanted : resting;
}

/**
 * Executes `lots` between the two. The buyer pays quote and receives base less its fee, the seller the reverse; the taker
 * gives from what is available, the maker from what its order froze. Both fees go to the venue.
 */
function fill(state: State, market: Market, taker: number, maker: number, lots: bigint): void {
  const { orders, fills, seats, ledger, events } = state;
  const price = orders.price[maker] as bigint;
  const value = valueOf(market, price, lots);
  const units = baseUnits(market, lots);
  const takerSells = ((orders.flags[taker] as number) & FLAG.sell) !== 0;
  const takerRate = BigInt(orders.takerFeeRateE8[taker] as number);
  const makerRate = BigInt(orders.makerFeeRateE8[maker] as number);
  const takerFee = feeOn(takerSells ? value : units, takerRate);
  const makerFee = feeOn(takerSells ? units : value, makerRate);
  const dealId = state.nextDealId++;

  const seller = takerSells ? taker : maker;
  const buyer = takerSells ? maker : taker;
  const sellerSeat = orders.seat[seller] as number;
  const buyerSeat = orders.seat[buyer] as number;
  const sellerFee = takerSells ? takerFee : makerFee;
  const buyerFee = takerSells ? makerFee : takerFee;
  ledger.post(events, seats.quoteCell[buyerSeat] as number, takerSells ? 1 : 0, int64(-value), POSTING.trade, dealId);
  ledger.post(events, seats.baseCell[buyerSeat] as number, 0, int64(units - buyerFee), POSTING.trade, dealId);
  ledger.post(events, seats.baseCell[sellerSeat] as number, takerSells ? 0 : 1, int64(-units), POSTING.trade, dealId);
  ledger.post(events, seats.quoteCell[sellerSeat] as number, 0, int64(value - sellerFee), POSTING.trade, dealId);
  if (buyerFee !== 0n) {
    ledger.post(events, ledger.venueCell(CELL.fee, market.baseAssetId), 0, buyerFee, POSTING.trade, dealId);
  }
  if (sellerFee !== 0n) {
    ledger.post(events, ledger.venueCell(CELL.fee, market.quoteAssetId), 0, sellerFee, POSTING.trade, dealId);
  }

  const takerRow = fillRow(state, taker);
  const makerRow = fillRow(state, maker);
  fills.quoteFee[takerSells ? takerRow : makerRow] = int64(
    (fills.quoteFee[takerSells ? takerRow : makerRow] as bigint) + sellerFee,
  );
  fills.baseFee[takerSells ? makerRow : takerRow] = int64(
    (fills.baseFee[takerSells ? makerRow : takerRow] as bigint) + buyerFee,
  );
  recordFill(state, takerRow, price, lots, value);
  recordFill(state, makerRow, price, lots, value);
  state.lastPrice[market.id] = price;
  emitDeal(state, taker, maker, dealId, price, lots, value, takerFee, makerFee);

  const inQuote = ((orders.flags[taker] as number) & FLAG.inQuote) !== 0;
  orders.left[taker] = int64((orders.left[taker] as bigint) - (inQuote ? value : lots));
  const book = state.books[market.id] as Book;
  if (lots === orders.left[maker]) {
    book.remove(maker);
    emitLevelOf(state, market, maker);
    orders.left[maker] = 0n;
    seats.remove(orders, maker);
    orders.leave(maker);
    emitOrder(state, maker, ORDER_EVENT.finish, STATUS.filled);
    freeOrder(state, maker);
  } else {
    book.reduce(maker, lots);
    orders.left[maker] = int64((orders.left[maker] as bigint) - lots);
    emitLevelOf(state, market, maker);
    emitOrder(state, maker, ORDER_EVENT.update, STATUS.partFilled);
  }
}

/** The row of `Fills` of an order, made on first use. */
export function fillRow(state: State, slot: number): number {
  const { orders, fills } = state;
  const row = orders.fill[slot] as number;
  if (row !== NONE) return row;
  const made = fills.allocate();
  fills.updatedAt[made] = orders.createdAt[slot] as number;
  orders.fill[slot] = made;
  return made;
}

function recordFill(state: State, row: number, price: bigint, lots: bigint, value: bigint): void {
  const { fills } = state;
  fills.filledLots[row] = int64((fills.filledLots[row] as bigint) + lots);
  fills.filledValue[row] = int64((fills.filledValue[row] as bigint) + value);
  fills.lastLots[row] = lots;
  fills.lastPrice[row] = price;
  fills.updatedAt[row] = state.timeMs;
}

/** Publishes the level of an order that the book has just changed; hidden orders change none. */
export function emitLevelOf(state: State, market: Market, slot: number): void {
  const flags = state.orders.flags[slot] as number;
  if ((flags & FLAG.hidden) !== 0) return;
  emitLevel(state, market.id, flags & FLAG.sell, state.orders.price[slot] as bigint);
}

/** Gives the rows of an order back; nothing may point to it any more. */
export function freeOrder(state: State, slot: number): void {
  const { orders, fills } = state;
  const row = orders.fill[slot] as number;
  if (row !== NONE) fills.free(row);
  if (orders.clientId.size > 0) orders.clientId.delete(slot);
  orders.free(slot);
}
