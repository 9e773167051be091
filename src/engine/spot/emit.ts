import { FLAG, orderTraits } from "../command.ts";
import { DEAL_FLAG, DEAL_WORDS, EVENT, LEVEL_WORDS, ORDER_FLAG, ORDER_WORDS, type OrderRecord } from "../event.ts";
import { int64 } from "../money/int64.ts";
import type { State } from "../state.ts";
import { writeAscii, wordsFor } from "../words.ts";
import { NONE } from "./order.ts";

export const ORDER_EVENT = { put: 0, update: 1, modify: 2, finish: 3 } as const;
export const STATUS = { open: 0, partFilled: 1, filled: 2, partCanceled: 3, canceled: 4 } as const;

/** Writes the order in `slot` as it stands. Returns the word at which its record starts. */
export function emitOrder(state: State, slot: number, event: number, status: number): number {
  const { orders, fills, seats, events } = state;
  const flags = orders.flags[slot] as number;
  const clientIdLength = (flags >> FLAG.clientIdLengthShift) & FLAG.clientIdLengthMask;
  const words = ORDER_WORDS + wordsFor(clientIdLength);
  events.reserve(words);
  const at = events.length;
  const { i32, f64, i64 } = events;
  const seat = orders.seat[slot] as number;
  i32[at * 2] = EVENT.order | (words << 8);
  i32[at * 2 + 1] = seats.marketId[seat] as number;
  i32[at * 2 + 2] = seats.userId[seat] as number;
  i32[at * 2 + 3] = flags | (event << ORDER_FLAG.eventShift) | (status << ORDER_FLAG.statusShift);
  f64[at + 2] = orders.orderId[slot] as number;
  i64[at + 3] = orders.price[slot] as bigint;
  i64[at + 5] = orders.left[slot] as bigint;
  i32[at * 2 + 22] = orders.makerFeeRateE8[slot] as number;
  i32[at * 2 + 23] = orders.takerFeeRateE8[slot] as number;
  f64[at + 14] = orders.createdAt[slot] as number;
  const row = orders.fill[slot] as number;
  if (row === NONE) {
    i64[at + 4] = orders.left[slot] as bigint;
    for (let word = 6; word <= 10; word++) f64[at + word] = 0;
    f64[at + 12] = 0;
    f64[at + 13] = 0;
    f64[at + 15] = orders.createdAt[slot] as number;
  } else {
    const filled = ((flags & FLAG.inQuote) === 0 ? fills.filledLots[row] : fills.filledValue[row]) as bigint;
    i64[at + 4] = int64((orders.left[slot] as bigint) + filled);
    i64[at + 6] = fills.filledLots[row] as bigint;
    i64[at + 7] = fills.filledValue[row] as bigint;
    i64[at + 8] = fills.baseFee[row] as bigint;
    i64[at + 9] = fills.quoteFee[row] as bigint;
    i64[at + 10] = fills.discountFee[row] as bigint;
    i64[at + 12] = fills.lastLots[row] as bigint;
    i64[at + 13] = fills.lastPrice[row] as bigint;
    f64[at + 15] = fills.updatedAt[row] as number;
  }
  if (clientIdLength > 0) writeAscii(events, at + ORDER_WORDS, state.orders.clientId.get(slot) as string);
  events.length = at + words;
  return at;
}

/** Writes what is displayed at a price after a change of the book. */
export function emitLevel(state: State, marketId: number, side: number, price: bigint): void {
  const { events } = state;
  events.reserve(LEVEL_WORDS);
  const at = events.length;
  events.i32[at * 2] = EVENT.level | (LEVEL_WORDS << 8);
  events.i32[at * 2 + 1] = marketId;
  events.i32[at * 2 + 2] = side;
  events.i32[at * 2 + 3] = 0;
  events.i64[at + 2] = price;
  events.i64[at + 3] = (state.books[marketId] as { shown: BigInt64Array }).shown[0] as bigint;
  events.length = at + LEVEL_WORDS;
}

/** Writes an execution between `taker` and `maker`. */
export function emitDeal(
  state: State,
  taker: number,
  maker: number,
  dealId: number,
  price: bigint,
  lots: bigint,
  value: bigint,
  takerFee: bigint,
  makerFee: bigint,
): void {
  const { orders, seats, events } = state;
  events.reserve(DEAL_WORDS);
  const at = events.length;
  const { i32, f64, i64 } = events;
  const takerFlags = orders.flags[taker] as number;
  const makerFlags = orders.flags[maker] as number;
  const takerSeat = orders.seat[taker] as number;
  const makerSeat = orders.seat[maker] as number;
  const marketId = seats.marketId[takerSeat] as number;
  const market = state.markets[marketId] as { baseAssetId: number; quoteAssetId: number };
  const takerSells = (takerFlags & FLAG.sell) !== 0;
  i32[at * 2] = EVENT.deal | (DEAL_WORDS << 8);
  i32[at * 2 + 1] = marketId;
  i32[at * 2 + 2] =
    (takerSells ? DEAL_FLAG.sell : 0) |
    ((takerFlags & FLAG.margin) === 0 ? 0 : DEAL_FLAG.takerMargin) |
    ((makerFlags & FLAG.margin) === 0 ? 0 : DEAL_FLAG.makerMargin);
  i32[at * 2 + 3] = 0;
  f64[at + 2] = dealId;
  i64[at + 3] = price;
  i64[at + 4] = lots;
  i64[at + 5] = value;
  i32[at * 2 + 12] = seats.userId[takerSeat] as number;
  i32[at * 2 + 13] = seats.userId[makerSeat] as number;
  f64[at + 7] = orders.orderId[taker] as number;
  f64[at + 8] = orders.orderId[maker] as number;
  i64[at + 9] = takerFee;
  i64[at + 10] = makerFee;
  i32[at * 2 + 22] = takerSells ? market.quoteAssetId : market.baseAssetId;
  i32[at * 2 + 23] = takerSells ? market.baseAssetId : market.quoteAssetId;
  events.length = at + DEAL_WORDS;
}

/** A live order as a record, for queries: the same fields that its event would carry now. */
export function readOrder(state: State, slot: number): OrderRecord {
  const { orders, fills, seats } = state;
  const flags = orders.flags[slot] as number;
  const row = orders.fill[slot] as number;
  const seat = orders.seat[slot] as number;
  const fillOf = (column: BigInt64Array) => (row === NONE ? 0n : (column[row] as bigint));
  const filledLots = fillOf(fills.filledLots);
  const filledValue = fillOf(fills.filledValue);
  const left = orders.left[slot] as bigint;
  const traits = orderTraits(flags);
  const createdAt = orders.createdAt[slot] as number;
  return {
    orderId: orders.orderId[slot] as number,
    userId: seats.userId[seat] as number,
    marketId: seats.marketId[seat] as number,
    ...traits,
    status: filledLots === 0n ? "open" : "part_filled",
    price: orders.price[slot] as bigint,
    amount: left + (traits.amountIn === "quote" ? filledValue : filledLots),
    left,
    filledLots,
    filledValue,
    baseFee: fillOf(fills.baseFee),
    quoteFee: fillOf(fills.quoteFee),
    discountFee: fillOf(fills.discountFee),
    makerFeeRateE8: orders.makerFeeRateE8[slot] as number,
    takerFeeRateE8: orders.takerFeeRateE8[slot] as number,
    lastFilledLots: fillOf(fills.lastLots),
    lastFilledPrice: fillOf(fills.lastPrice),
    createdAt,
    updatedAt: row === NONE ? createdAt : (fills.updatedAt[row] as number),
    clientId: orders.clientId.get(slot) ?? "",
  };
}
