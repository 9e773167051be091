import { USER_FLAG } from "../accounts/user.ts";
import { aimOf, FLAG, orderTraits } from "../command.ts";
import {
  DEAL_FLAG,
  DEAL_WORDS,
  decodeDeal,
  EVENT,
  LEVEL_WORDS,
  ORDER_EVENT,
  ORDER_FLAG,
  ORDER_WORDS,
  type OrderRecord,
} from "../event.ts";
import { hooks } from "../hooks.ts";
import { VENUE } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { type WordBuffer, writeAscii } from "../words.ts";
import { type Fills, NONE, type Orders } from "./order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const EVENT_SHIFT = ORDER_FLAG.eventShift;
const STATUS_SHIFT = ORDER_FLAG.statusShift;
const ID_LENGTH_SHIFT = FLAG.clientIdLengthShift;
const ID_LENGTH_MASK = FLAG.clientIdLengthMask;
const IN_QUOTE = FLAG.inQuote;
const GROUPED = FLAG.grouped;
const ORDER_FIXED_WORDS = ORDER_WORDS;
const FINISH = ORDER_EVENT.finish;
const ORDER_KIND = EVENT.order;
const LEVEL_SIZE = LEVEL_WORDS;
const LEVEL_HEAD = EVENT.level | (LEVEL_WORDS << 8);
const DEAL_SIZE = DEAL_WORDS;
const DEAL_HEAD = EVENT.deal | (DEAL_WORDS << 8);
const SELL = FLAG.sell;
const MARGIN = FLAG.margin;
const REFERRED = USER_FLAG.referred;
const TAKER_DEDUCTS = DEAL_FLAG.takerDeducts;
const MAKER_DEDUCTS = DEAL_FLAG.makerDeducts;
const DEAL_SELL = DEAL_FLAG.sell;
const DEAL_TAKER_MARGIN = DEAL_FLAG.takerMargin;
const DEAL_MAKER_MARGIN = DEAL_FLAG.makerMargin;

/** Writes the order in `slot` as it stands. Returns the word at which its record starts. */
export function emitOrder(state: State, slot: number, event: number, status: number): number {
  const { orders, fills, seats, events } = state;
  const flags = orders.flags(slot);
  const clientIdLength = (flags >> ID_LENGTH_SHIFT) & ID_LENGTH_MASK;
  const words = ORDER_FIXED_WORDS + ((clientIdLength + 7) >> 3);
  const at = events.open(words);
  const { i32, i64 } = events;
  const seat = orders.seat(slot);
  const row = orders.fillRow(slot);
  i32[at * 2] = ORDER_KIND | (words << 8);
  i32[at * 2 + 1] = seats.marketId(seat);
  i32[at * 2 + 2] = seats.userId(seat);
  i32[at * 2 + 3] = flags | (event << EVENT_SHIFT) | (status << STATUS_SHIFT);
  i64[at + 2] = orders.idWord(slot);
  i64[at + 3] = orders.price(slot);
  const left = orders.left(slot);
  i64[at + 5] = left;
  i64[at + 11] = orders.ratesWord(slot);
  i64[at + 14] = orders.createdAtWord(slot);
  if (row > 0) {
    if ((flags & IN_QUOTE) === 0) i64[at + 4] = int64(left + fills.filledLots(row));
    else i64[at + 4] = int64(left + fills.filledValue(row));
    i64[at + 6] = fills.filledLots(row);
    i64[at + 7] = fills.filledValue(row);
    i64[at + 8] = fills.baseFee(row);
    i64[at + 9] = fills.quoteFee(row);
    i64[at + 10] = fills.discountFee(row);
    i64[at + 12] = fills.lastLots(row);
    i64[at + 13] = fills.lastPrice(row);
  } else {
    // Most orders have no fills: to write that is half the work of reading it.
    i64[at + 4] = left;
    i64[at + 6] = 0n;
    i64[at + 7] = 0n;
    i64[at + 8] = 0n;
    i64[at + 9] = 0n;
    i64[at + 10] = 0n;
    i64[at + 12] = 0n;
    i64[at + 13] = 0n;
  }
  if (event === FINISH) events.f64[at + 15] = state.timeMs;
  else events.f64[at + 15] = updatedAt(orders, fills, slot);
  if (clientIdLength > 0) writeAscii(events, at + ORDER_FIXED_WORDS, orders.clientId.get(slot) as string);
  if ((flags & GROUPED) !== 0) tellGrouped(state, slot, event === FINISH);
  return at;
}

/** Tells parts of an order that others of its group depend on. */
function tellGrouped(state: State, slot: number, isOver: boolean): void {
  for (const part of hooks()) part.onGroupedOrder?.(state, slot, isOver);
}

/** When an order last changed, in ms. */
function updatedAt(orders: Orders, fills: Fills, slot: number): number {
  const row = orders.fillRow(slot);
  return row > 0 ? fills.updatedAt(row) : orders.createdAt(slot) + orders.changedAfter(slot);
}

/** Writes what a price displays after a change of the book. */
export function emitLevel(events: WordBuffer, marketId: number, side: number, price: bigint, lots: bigint): void {
  const at = openLevel(events, marketId, side);
  events.i64[at + 2] = price;
  events.i64[at + 3] = lots;
}

/** As `emitLevel`, but the caller writes the two figures: the price at the second word and the lots at the third. */
export function openLevel(events: WordBuffer, marketId: number, side: number): number {
  const at = events.open(LEVEL_SIZE);
  const { i32 } = events;
  i32[at * 2] = LEVEL_HEAD;
  i32[at * 2 + 1] = marketId;
  i32[at * 2 + 2] = side;
  i32[at * 2 + 3] = 0;
  return at;
}

/**
 * Writes the execution under way, with its fees; a maker of NONE is a quote. `marks` are those of DEAL_FLAG that say
 * what the fees are in: nothing when they come out of what each side receives, else that they are the settlement's, or
 * the sides that pay by deduction.
 */
export function emitDeal(state: State, scratch: Scratch, market: Market, marks: number): void {
  const { trade } = scratch;
  const { orders, seats, events, users } = state;
  const { taker, maker } = trade;
  const at = events.open(DEAL_SIZE);
  const { i32, f64, i64 } = events;
  const takerFlags = orders.flags(taker);
  // A quote is no order.
  const hasOrder = maker >= 0;
  i32[at * 2] = DEAL_HEAD;
  i32[at * 2 + 1] = market.id;
  i32[at * 2 + 2] =
    marks |
    ((takerFlags & SELL) === 0 ? 0 : DEAL_SELL) |
    ((takerFlags & MARGIN) === 0 ? 0 : DEAL_TAKER_MARGIN) |
    (hasOrder && (orders.flags(maker) & MARGIN) !== 0 ? DEAL_MAKER_MARGIN : 0);
  i32[at * 2 + 3] = 0;
  f64[at + 2] = trade.dealId;
  i64[at + 3] = trade.price;
  i64[at + 4] = trade.lots;
  i64[at + 5] = trade.value;
  i32[at * 2 + 12] = seats.userId(orders.seat(taker));
  i32[at * 2 + 13] = hasOrder ? seats.userId(orders.seat(maker)) : VENUE;
  i64[at + 7] = orders.idWord(taker);
  if (hasOrder) i64[at + 8] = orders.idWord(maker);
  else f64[at + 8] = 0;
  if (marks !== 0) {
    writeFees(scratch, events, at, market, marks, (takerFlags & SELL) !== 0);
  } else if ((takerFlags & SELL) === 0) {
    i64[at + 9] = trade.baseFee;
    i64[at + 10] = trade.quoteFee;
    i32[at * 2 + 22] = market.baseAssetId;
    i32[at * 2 + 23] = market.quoteAssetId;
  } else {
    i64[at + 9] = trade.quoteFee;
    i64[at + 10] = trade.baseFee;
    i32[at * 2 + 22] = market.quoteAssetId;
    i32[at * 2 + 23] = market.baseAssetId;
  }
  const marksOfBoth =
    users.flags(i32[at * 2 + 12] as number) | (hasOrder ? users.flags(i32[at * 2 + 13] as number) : 0);
  if ((marksOfBoth & REFERRED) !== 0) tellDeal(state, market, at);
}

/** Tells parts of a deal. */
function tellDeal(state: State, market: Market, at: number): void {
  const deal = decodeDeal(state.events, at);
  for (const part of hooks()) part.onDeal?.(state, market, deal);
}

/**
 * The fees of an execution that the settlement marks, or of an execution of which at least one side pays by deduction.
 */
function writeFees(
  { trade }: Scratch,
  { i32, i64 }: WordBuffer,
  at: number,
  market: Market,
  marks: number,
  takerSells: boolean,
): void {
  const baseAssetId = market.settlement.feeAssetId(market, true);
  const quoteAssetId = market.settlement.feeAssetId(market, false);
  const takerDeducts = (marks & TAKER_DEDUCTS) !== 0;
  const makerDeducts = (marks & MAKER_DEDUCTS) !== 0;
  i64[at + 9] = takerDeducts ? trade.takerDeduction : takerSells ? trade.quoteFee : trade.baseFee;
  i64[at + 10] = makerDeducts ? trade.makerDeduction : takerSells ? trade.baseFee : trade.quoteFee;
  i32[at * 2 + 22] = takerDeducts ? trade.deductionAssetId : takerSells ? quoteAssetId : baseAssetId;
  i32[at * 2 + 23] = makerDeducts ? trade.deductionAssetId : takerSells ? baseAssetId : quoteAssetId;
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
  const { keepsPositions } = (state.markets[seats.marketId(seat)] as Market).settlement;
  return {
    orderId: orders.orderId(slot),
    userId: seats.userId(seat),
    marketId: seats.marketId(seat),
    ...traits,
    aim: aimOf(flags),
    status: filledLots === 0n ? "open" : "part_filled",
    price: orders.price(slot),
    amount: left + (traits.amountIn === "quote" ? filledValue : filledLots),
    left,
    filledLots,
    filledValue,
    baseFee: row === NONE ? 0n : fills.baseFee(row),
    quoteFee: row === NONE ? 0n : fills.quoteFee(row),
    discountFee: row === NONE || keepsPositions ? 0n : fills.discountFee(row),
    realizedPnl: row === NONE || !keepsPositions ? 0n : fills.realizedPnl(row),
    makerFeeRateE8: orders.makerFeeRateE8(slot),
    takerFeeRateE8: orders.takerFeeRateE8(slot),
    lastFilledLots: row === NONE ? 0n : fills.lastLots(row),
    lastFilledPrice: row === NONE ? 0n : fills.lastPrice(row),
    createdAt: orders.createdAt(slot),
    updatedAt: updatedAt(orders, fills, slot),
    clientId: orders.clientId.get(slot) ?? "",
  };
}
