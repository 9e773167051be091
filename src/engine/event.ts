/**
 * Everything that comes out of the engine: records of 64-bit words in emission order, self-contained, so that a reader
 * in another thread needs nothing else. Word 0: kind in the low 8 bits, length in words above them, then an int32 that
 * the kind defines.
 *
 * Each command that did something opens with a `command` record; the records up to the next one are its effects.
 */

import { namesOf } from "./codes.ts";
import {
  type Account,
  type Aim,
  aimOf,
  clientIdAt,
  decodeJson,
  FLAG,
  type OrderTraits,
  orderTraits,
  type Side,
} from "./command.ts";
import { decodePosition, type PositionEvent } from "./futures/positions/position-event.ts";
import { VENUE } from "./ledger/cell.ts";
import { type PostingKind, postingKind } from "./ledger/posting.ts";
import type { Fields, RecordOf } from "./record.ts";
import { decodeStop, type StopEvent } from "./stops/stop-event.ts";
import type { WordBuffer } from "./words.ts";
import { flagsAt, recordWords } from "./words.ts";

export const EVENT = { command: 1, order: 2, deal: 3, posting: 4, level: 5, stop: 6, position: 7, json: 255 } as const;

/** Numbers, as the flags of order events carry them. */
export const ORDER_EVENT = { put: 0, update: 1, modify: 2, finish: 3 } as const;
export const STATUS = { open: 0, part_filled: 1, filled: 2, part_canceled: 3, canceled: 4 } as const;
export const ORDER_EVENTS = namesOf(ORDER_EVENT);
export const ORDER_STATUSES = namesOf(STATUS);
export type OrderEventName = (typeof ORDER_EVENTS)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Bits of the flags word that only order events use, above those of FLAG. */
export const ORDER_FLAG = { eventShift: 13, eventMask: 3, statusShift: 15, statusMask: 7 } as const;

/**
 * The leg of a deal in spot or margin that a posting is: what each side gives, and what it gets, less a fee kept back.
 * Empty for every other posting. So the reader of a deal knows what its four cells held right after it, without
 * guessing from signs and order.
 */
export const DEAL_LEGS = ["", "buyer_gives", "seller_gives", "buyer_gets", "seller_gets"] as const;
export type DealLeg = (typeof DEAL_LEGS)[number];

/** Where kind and leg stand in the marks of a posting, above the kind of its cell. */
export const POSTING_FLAG = { kindShift: 8, kindMask: 31, legShift: 13, legMask: 7 } as const;

/** The figures of an order, with what each counts: what its events carry, what history keeps and what surfaces show. */
export const ORDER_FIELDS = {
  orderId: "id",
  userId: "id",
  marketId: "id",
  /** 0 for market orders. */
  price: "ticks",
  amount: "asked",
  left: "asked",
  filledLots: "lots",
  filledValue: "value",
  baseFee: "base",
  /** Of a futures order its whole fee. */
  quoteFee: "value",
  discountFee: "deduction",
  /** The result of the positions that it closed; 0 of spot orders. */
  realizedPnl: "value",
  makerFeeRateE8: "rateE8",
  takerFeeRateE8: "rateE8",
  lastFilledLots: "lots",
  lastFilledPrice: "ticks",
  createdAt: "ms",
  updatedAt: "ms",
  clientId: "text",
} as const satisfies Fields;

/** The figures that fills alone change: 0 of an order that nothing was filled of. */
export const FILL_FIGURES = [
  ...(["filledLots", "filledValue", "baseFee", "quoteFee", "discountFee", "realizedPnl"] as const),
  ...(["lastFilledLots", "lastFilledPrice"] as const),
] as const satisfies readonly (keyof typeof ORDER_FIELDS)[];

/** An order as it stands: what an event carries and what a query reads. */
export interface OrderRecord extends OrderTraits, RecordOf<typeof ORDER_FIELDS> {
  readonly aim: Aim;
  readonly status: OrderStatus;
}

export interface CommandEvent {
  readonly kind: "command";
  readonly seq: number;
  readonly timeMs: number;
}

export interface OrderEvent {
  readonly kind: "order";
  readonly event: OrderEventName;
  readonly order: OrderRecord;
}

/**
 * One execution. Fees are units of their asset, taken out of what each side received unless they were deducted. The
 * maker may be the pool of the market: then it has no order and no user, which are 0 and VENUE.
 */
export interface DealEvent {
  readonly kind: "deal";
  readonly marketId: number;
  readonly dealId: number;
  /** Side of the taker. */
  readonly side: Side;
  readonly price: bigint;
  readonly lots: bigint;
  readonly value: bigint;
  readonly taker: DealParty;
  readonly maker: DealParty;
}

/** The figures of an execution that everybody may see, with what each counts. */
export const DEAL_FIELDS = { dealId: "id", createdAt: "ms", price: "ticks", lots: "lots" } as const satisfies Fields;

/** Those of one side of it, as its owner sees it. */
export const OWN_DEAL_FIELDS = {
  ...DEAL_FIELDS,
  marketId: "id",
  orderId: "id",
  /** The position that it changed; 0 of a spot deal. */
  positionId: "id",
  value: "value",
} as const satisfies Fields;

/** An execution as everybody may see it; `side` is the taker's. */
export interface PublicDeal extends RecordOf<typeof DEAL_FIELDS> {
  readonly side: Side;
}

export interface DealParty {
  readonly userId: number;
  readonly account: Account;
  readonly orderId: number;
  readonly fee: bigint;
  readonly feeAssetId: number;
  /** Whether the fee was paid in the deduction currency, and not out of what the side received. */
  readonly deducted: boolean;
}

/**
 * One journal line: `available` and `frozen` were added to the two parts of a cell, which then held `availableAfter`
 * and `frozenAfter`. Over a command, Σ (available + frozen) is 0 per asset; a freeze alone moves between the two parts.
 */
export interface PostingEvent {
  readonly kind: "posting";
  readonly assetId: number;
  /** -1: a cell of the venue itself. */
  readonly userId: number;
  /** One of CELL, see ledger/cell.ts. */
  readonly cellKind: number;
  /** Margin or futures market of the cell; 0 where it has none. */
  readonly marketId: number;
  readonly posting: PostingKind;
  readonly leg: DealLeg;
  readonly available: bigint;
  readonly frozen: bigint;
  readonly availableAfter: bigint;
  readonly frozenAfter: bigint;
  /** Id of the order, deal, deposit or adjustment that caused it. */
  readonly ref: number;
}

/** Displayed lots now resting at one price; 0 = the level is gone. */
export interface LevelEvent {
  readonly kind: "level";
  readonly marketId: number;
  readonly side: Side;
  readonly price: bigint;
  readonly lots: bigint;
}

/** Rare events, as JSON: listings, users, keys, deposits, index prices, maintenance. */
export interface JsonEvent {
  readonly kind: "json";
  readonly event: RareEvent;
}

/** All events, by type. Each part enters its own in its events.ts. */
// biome-ignore lint/suspicious/noEmptyInterface: the parts fill it.
export interface RareEvents {}

export type RareEvent = { [Type in keyof RareEvents]: { readonly type: Type } & RareEvents[Type] }[keyof RareEvents];

export type EngineEvent =
  | CommandEvent
  | OrderEvent
  | DealEvent
  | PostingEvent
  | LevelEvent
  | StopEvent
  | PositionEvent
  | JsonEvent;

/** Words of an order record before its client id. */
export const ORDER_WORDS = 16;
export const DEAL_WORDS = 12;
export const POSTING_WORDS = 7;
export const LEVEL_WORDS = 4;
export const COMMAND_WORDS = 3;

export function eventKind(buffer: WordBuffer, at: number): number {
  return (buffer.i32[at * 2] as number) & 255;
}

/** Every event from word `from` to `to`, decoded. */
export function* decodeEvents(buffer: WordBuffer, from = 0, to = buffer.length): Generator<EngineEvent> {
  for (let at = from; at < to; at += recordWords(buffer, at)) yield decodeEvent(buffer, at);
}

export function decodeEvent(buffer: WordBuffer, at: number): EngineEvent {
  switch (eventKind(buffer, at)) {
    case EVENT.command:
      return { kind: "command", seq: buffer.f64[at + 1] as number, timeMs: buffer.f64[at + 2] as number };
    case EVENT.order:
      return { kind: "order", event: orderEventName(buffer, at), order: decodeOrder(buffer, at) };
    case EVENT.deal:
      return decodeDeal(buffer, at);
    case EVENT.posting:
      return decodePosting(buffer, at);
    case EVENT.level:
      return decodeLevel(buffer, at);
    case EVENT.stop:
      return decodeStop(buffer, at);
    case EVENT.position:
      return decodePosition(buffer, at);
    case EVENT.json:
      return { kind: "json", event: decodeJson(buffer, at) as RareEvent };
    default:
      throw new Error(`There is no event of kind ${eventKind(buffer, at)}.`);
  }
}

export function orderEventName(buffer: WordBuffer, at: number): OrderEventName {
  return ORDER_EVENTS[(flagsAt(buffer, at) >> ORDER_FLAG.eventShift) & ORDER_FLAG.eventMask] as OrderEventName;
}

/** How an order stands, by its flags. */
export function orderStatus(flags: number): OrderStatus {
  return ORDER_STATUSES[(flags >> ORDER_FLAG.statusShift) & ORDER_FLAG.statusMask] as OrderStatus;
}

/** The id of the order whose event stands at `at`. */
export function orderIdAt(buffer: WordBuffer, at: number): number {
  return buffer.f64[at + 2] as number;
}

/**
 * Layout of an order record, in words: 0 head + market, 1 user + flags, 2 order id, 3 price, 4 amount, 5 left, 6 filled
 * lots, 7 filled value, 8 base fee, 9 quote fee, 10 discount fee (of a futures order: realized profit), 11 maker +
 * taker rate, 12 last filled lots, 13 last filled price, 14 created, 15 updated, 16.. client id.
 */
export function decodeOrder(buffer: WordBuffer, at: number): OrderRecord {
  const { i32, f64, i64 } = buffer;
  const flags = flagsAt(buffer, at);
  const isFutures = (flags & FLAG.futures) !== 0;
  const traits = orderTraits(flags);
  // Field by field: decoded for each answer and each push, and spreading takes as long as all the rest.
  const order = {
    orderId: f64[at + 2] as number,
    userId: i32[at * 2 + 2] as number,
    marketId: i32[at * 2 + 1] as number,
    account: traits.account,
    side: traits.side,
    type: traits.type,
    amountIn: traits.amountIn,
    hidden: traits.hidden,
    stpMode: traits.stpMode,
    aim: aimOf(flags),
    status: orderStatus(flags),
    price: i64[at + 3] as bigint,
    amount: i64[at + 4] as bigint,
    left: i64[at + 5] as bigint,
    filledLots: i64[at + 6] as bigint,
    filledValue: i64[at + 7] as bigint,
    baseFee: i64[at + 8] as bigint,
    quoteFee: i64[at + 9] as bigint,
    discountFee: isFutures ? 0n : (i64[at + 10] as bigint),
    realizedPnl: isFutures ? (i64[at + 10] as bigint) : 0n,
    makerFeeRateE8: i32[at * 2 + 22] as number,
    takerFeeRateE8: i32[at * 2 + 23] as number,
    lastFilledLots: i64[at + 12] as bigint,
    lastFilledPrice: i64[at + 13] as bigint,
    createdAt: f64[at + 14] as number,
    updatedAt: f64[at + 15] as number,
    clientId: clientIdAt(buffer, at + ORDER_WORDS, flags),
  };
  const { positionSide } = traits;
  return positionSide === undefined ? order : { ...order, positionSide };
}

/**
 * Bits of a deal's flags: taker sells, taker and maker in margin, taker and maker whose fee was deducted, a futures
 * market.
 */
export const DEAL_FLAG = {
  sell: 1,
  takerMargin: 2,
  makerMargin: 4,
  takerDeducts: 8,
  makerDeducts: 16,
  futures: 32,
} as const;

/**
 * Layout of a deal, in words: 0 head + market, 1 flags, 2 deal id, 3 price, 4 lots, 5 value, 6 taker + maker user, 7
 * taker order, 8 maker order, 9 taker fee, 10 maker fee, 11 taker + maker fee asset.
 */
export function decodeDeal(buffer: WordBuffer, at: number): DealEvent {
  const { i32, f64, i64 } = buffer;
  const flags = i32[at * 2 + 2] as number;
  return {
    kind: "deal",
    marketId: i32[at * 2 + 1] as number,
    dealId: f64[at + 2] as number,
    side: flags & DEAL_FLAG.sell ? "sell" : "buy",
    price: i64[at + 3] as bigint,
    lots: i64[at + 4] as bigint,
    value: i64[at + 5] as bigint,
    taker: {
      userId: i32[at * 2 + 12] as number,
      account: dealAccount(flags, DEAL_FLAG.takerMargin),
      orderId: f64[at + 7] as number,
      fee: i64[at + 9] as bigint,
      feeAssetId: i32[at * 2 + 22] as number,
      deducted: (flags & DEAL_FLAG.takerDeducts) !== 0,
    },
    maker: {
      userId: i32[at * 2 + 13] as number,
      account: dealAccount(flags, DEAL_FLAG.makerMargin),
      orderId: f64[at + 8] as number,
      fee: i64[at + 10] as bigint,
      feeAssetId: i32[at * 2 + 23] as number,
      deducted: (flags & DEAL_FLAG.makerDeducts) !== 0,
    },
  };
}

/** Whether the maker of a deal is the pool of its market. */
export function isMadeByPool({ maker }: DealEvent): boolean {
  return maker.userId === VENUE;
}

/** The account of a party of a deal; `margin` is its bit of DEAL_FLAG. */
export function dealAccount(flags: number, margin: number): Account {
  return flags & DEAL_FLAG.futures ? "futures" : flags & margin ? "margin" : "spot";
}

/**
 * Layout of a posting, in words: 0 head + asset, 1 user + (cell kind | posting << 8 | leg << 13 | market << 16), 2
 * available, 3 frozen, 4 available after, 5 frozen after, 6 ref.
 */
export function decodePosting(buffer: WordBuffer, at: number): PostingEvent {
  const { i32, i64 } = buffer;
  const packed = i32[at * 2 + 3] as number;
  return {
    kind: "posting",
    assetId: i32[at * 2 + 1] as number,
    userId: i32[at * 2 + 2] as number,
    cellKind: packed & 255,
    posting: postingKind((packed >> POSTING_FLAG.kindShift) & POSTING_FLAG.kindMask),
    leg: DEAL_LEGS[(packed >> POSTING_FLAG.legShift) & POSTING_FLAG.legMask] as DealLeg,
    marketId: packed >>> 16,
    available: i64[at + 2] as bigint,
    frozen: i64[at + 3] as bigint,
    availableAfter: i64[at + 4] as bigint,
    frozenAfter: i64[at + 5] as bigint,
    ref: buffer.f64[at + 6] as number,
  };
}

/** Layout of a level: 0 head + market, 1 side, 2 price, 3 lots. */
export function decodeLevel(buffer: WordBuffer, at: number): LevelEvent {
  return {
    kind: "level",
    marketId: buffer.i32[at * 2 + 1] as number,
    side: (buffer.i32[at * 2 + 2] as number) & 1 ? "sell" : "buy",
    price: buffer.i64[at + 2] as bigint,
    lots: buffer.i64[at + 3] as bigint,
  };
}
