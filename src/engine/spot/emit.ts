import { FLAG, orderTraits } from "../command.ts";
import { DEAL_FLAG, DEAL_WORDS, EVENT, LEVEL_WORDS, ORDER_FLAG, ORDER_WORDS, type OrderRecord } from "../event.ts";
import { int64 } from "../money/int64.ts";
import type { State } from "../state.ts";
import { writeAscii } from "../words.ts";
import { NONE } from "./order.ts";

export const ORDER_EVENT = { put: 0, update: 1, modify: 2, finish: 3 } as const;
export const STATUS = { open: 0, partFilled: 1, filled: 2, partCanceled: 3, canceled: 4 } as const;

// Imported constants are looked up at each use; these are not.
const EVENT_SHIFT = ORDER_FLAG.eventShift;
const STATUS_SHIFT = ORDER_FLAG.statusShift;
const ID_LENGTH_SHIFT = FLAG.clientIdLengthShift;
const ID_LENGTH_MASK = FLAG.clientIdLengthMask;
const IN_QUOTE = FLAG.inQuote;
const ORDER_FIXED_WORDS = ORDER_WORDS;
const FINISH = ORDER_EVENT.finish;
const ORDER_KIND = EVENT.order;
const LEVEL_SIZE = LEVEL_WORDS;
const LEVEL_HEAD = EVENT.level | (LEVEL_WORDS << 8);

/** Writes the order in `slot` as it stands. Returns the word at which its record starts. */
export function emitOrder(state: State, slot: number, event: number, status: number): number {
  const { orders, fills, seats, events } = state;
  const flags = orders.flags(slot);
  const clientIdLength = (flags >> ID_LENGTH_SHIFT) & ID_LENGTH_MASK;
  const words = ORDER_FIXED_WORDS + ((clientIdLength + 7) >> 3);
  events.reserve(words);
  const at = events.length | 0;
  const half = (at * 2) | 0;
  const { i32, f64, i64 } = events;
  const seat = orders.seat(slot);
  i32[half] = ORDER_KIND | (words << 8);
  i32[half + 1] = seats.marketId(seat);
  i32[half + 2] = seats.userId(seat);
  i32[half + 3] = flags | (event << EVENT_SHIFT) | (status << STATUS_SHIFT);
  f64[at + 2] = orders.orderId(slot);
  i64[at + 3] = orders.price(slot);
  i64[at + 5] = orders.left(slot);
  i32[half + 22] = orders.makerFeeRateE8(slot);
  i32[half + 23] = orders.takerFeeRateE8(slot);
  f64[at + 14] = orders.createdAt(slot);
  const row = orders.fill(slot);
  if (row === NONE) {
    i64[at + 4] = orders.left(slot);
    for (let word = 6; word <= 10; word++) f64[at + word] = 0;
    f64[at + 12] = 0;
    f64[at + 13] = 0;
    f64[at + 15] = event === FINISH ? state.timeMs : orders.createdAt(slot);
  } else {
    const filled = ((flags & IN_QUOTE) === 0 ? fills.filledLots(row) : fills.filledValue(row)) as bigint;
    i64[at + 4] = int64(orders.left(slot) + filled);
    i64[at + 6] = fills.filledLots(row);
    i64[at + 7] = fills.filledValue(row);
    i64[at + 8] = fills.baseFee(row);
    i64[at + 9] = fills.quoteFee(row);
    i64[at + 10] = fills.discountFee(row);
    i64[at + 12] = fills.lastLots(row);
    i64[at + 13] = fills.lastPrice(row);
    f64[at + 15] = fills.updatedAt(row);
  }
  if (clientIdLength > 0) writeAscii(events, at + ORDER_FIXED_WORDS, state.orders.clientId.get(slot) as string);
  events.length = at + words;
  return at;
}

/** Writes what is displayed at a price after a change of the book. */
export function emitLevel(state: State, marketId: number, side: number, price: bigint): void {
  const { events } = state;
  events.reserve(LEVEL_SIZE);
  const at = events.length | 0;
  const half = (at * 2) | 0;
  events.i32[half] = LEVEL_HEAD;
  events.i32[half + 1] = marketId;
  events.i32[half + 2] = side;
  events.i32[half + 3] = 0;
  events.i64[at + 2] = price;
  events.i64[at + 3] = (state.books[marketId] as { shown: BigInt64Array }).shown[0] as bigint;
  events.length = at + LEVEL_SIZE;
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
  const at = events.length | 0;
  const { i32, f64, i64 } = events;
  const takerFlags = orders.flags(taker);
  const makerFlags = orders.flags(maker);
  const takerSeat = orders.seat(taker);
  const makerSeat = orders.seat(maker);
  const marketId = seats.marketId(takerSeat);
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
  i32[at * 2 + 12] = seats.userId(takerSeat);
  i32[at * 2 + 13] = seats.userId(makerSeat);
  f64[at + 7] = orders.orderId(taker);
  f64[at + 8] = orders.orderId(maker);
  i64[at + 9] = takerFee;
  i64[at + 10] = makerFee;
  i32[at * 2 + 22] = takerSells ? market.quoteAssetId : market.baseAssetId;
  i32[at * 2 + 23] = takerSells ? market.baseAssetId : market.quoteAssetId;
  events.length = at + DEAL_WORDS;
}

/** A live order as a record, for queries: the same fields that its event would carry now. */
export function readOrder(state: State, slot: number): OrderRecord {
  const { orders, fills, seats } = state;
  const flags = orders.flags(slot);
  const row = orders.fill(slot);
  const seat = orders.seat(slot);
  const filledLots = row === NONE ? 0n : fills.filledLots(row);
  const filledValue = row === NONE ? 0n : fills.filledValue(row);
  const left = orders.left(slot);
  const traits = orderTraits(flags);
  const createdAt = orders.createdAt(slot);
  return {
    orderId: orders.orderId(slot),
    userId: seats.userId(seat),
    marketId: seats.marketId(seat),
    ...traits,
    status: filledLots === 0n ? "open" : "part_filled",
    price: orders.price(slot),
    amount: left + (traits.amountIn === "quote" ? filledValue : filledLots),
    left,
    filledLots,
    filledValue,
    baseFee: row === NONE ? 0n : fills.baseFee(row),
    quoteFee: row === NONE ? 0n : fills.quoteFee(row),
    discountFee: row === NONE ? 0n : fills.discountFee(row),
    makerFeeRateE8: orders.makerFeeRateE8(slot),
    takerFeeRateE8: orders.takerFeeRateE8(slot),
    lastFilledLots: row === NONE ? 0n : fills.lastLots(row),
    lastFilledPrice: row === NONE ? 0n : fills.lastPrice(row),
    createdAt,
    updatedAt: row === NONE ? createdAt : fills.updatedAt(row),
    clientId: orders.clientId.get(slot) ?? "",
  };
}
