import { encodeJson, FLAG, orderFlags } from "../../src/engine/command.ts";
import {
  COMMAND_WORDS,
  DEAL_FLAG,
  DEAL_WORDS,
  type DealEvent,
  EVENT,
  LEVEL_WORDS,
  type LevelEvent,
  ORDER_EVENTS,
  ORDER_FLAG,
  ORDER_STATUSES,
  ORDER_WORDS,
  type OrderEventName,
  type OrderRecord,
  POSTING_WORDS,
  type RareEvent,
} from "../../src/engine/event.ts";
import { WordBuffer, wordsFor, writeAscii } from "../../src/engine/words.ts";

/** Writes events as the engine does, from the objects that its decoders give; for tests of what reads events. */
export class EventWriter {
  readonly buffer = new WordBuffer(1024);

  command(seq: number, timeMs: number): this {
    const at = this.#open(EVENT.command, COMMAND_WORDS, 0);
    this.buffer.f64[at + 1] = seq;
    this.buffer.f64[at + 2] = timeMs;
    return this;
  }

  order(event: OrderEventName, order: OrderRecord): this {
    const words = ORDER_WORDS + wordsFor(order.clientId.length);
    const at = this.#open(EVENT.order, words, order.marketId);
    const { i32, f64, i64 } = this.buffer;
    i32[at * 2 + 2] = order.userId;
    i32[at * 2 + 3] =
      orderFlags(order) |
      (ORDER_EVENTS.indexOf(event) << ORDER_FLAG.eventShift) |
      (ORDER_STATUSES.indexOf(order.status) << ORDER_FLAG.statusShift);
    f64[at + 2] = order.orderId;
    i64[at + 3] = order.price;
    i64[at + 4] = order.amount;
    i64[at + 5] = order.left;
    i64[at + 6] = order.filledLots;
    i64[at + 7] = order.filledValue;
    i64[at + 8] = order.baseFee;
    i64[at + 9] = order.quoteFee;
    i64[at + 10] = order.discountFee;
    i32[at * 2 + 22] = order.makerFeeRateE8;
    i32[at * 2 + 23] = order.takerFeeRateE8;
    i64[at + 12] = order.lastFilledLots;
    i64[at + 13] = order.lastFilledPrice;
    f64[at + 14] = order.createdAt;
    f64[at + 15] = order.updatedAt;
    writeAscii(this.buffer, at + ORDER_WORDS, order.clientId);
    return this;
  }

  deal(deal: Omit<DealEvent, "kind">): this {
    const at = this.#open(EVENT.deal, DEAL_WORDS, deal.marketId);
    const { i32, f64, i64 } = this.buffer;
    i32[at * 2 + 2] =
      (deal.side === "sell" ? DEAL_FLAG.sell : 0) |
      (deal.taker.account === "futures" ? DEAL_FLAG.futures : 0) |
      (deal.taker.account === "margin" ? DEAL_FLAG.takerMargin : 0) |
      (deal.maker.account === "margin" ? DEAL_FLAG.makerMargin : 0);
    f64[at + 2] = deal.dealId;
    i64[at + 3] = deal.price;
    i64[at + 4] = deal.lots;
    i64[at + 5] = deal.value;
    i32[at * 2 + 12] = deal.taker.userId;
    i32[at * 2 + 13] = deal.maker.userId;
    f64[at + 7] = deal.taker.orderId;
    f64[at + 8] = deal.maker.orderId;
    i64[at + 9] = deal.taker.fee;
    i64[at + 10] = deal.maker.fee;
    i32[at * 2 + 22] = deal.taker.feeAssetId;
    i32[at * 2 + 23] = deal.maker.feeAssetId;
    return this;
  }

  level({ marketId, side, price, lots }: Omit<LevelEvent, "kind">): this {
    const at = this.#open(EVENT.level, LEVEL_WORDS, marketId);
    this.buffer.i32[at * 2 + 2] = side === "sell" ? FLAG.sell : 0;
    this.buffer.i64[at + 2] = price;
    this.buffer.i64[at + 3] = lots;
    return this;
  }

  /** A journal line of an asset, with nothing in it but its length. */
  posting(assetId: number): this {
    this.#open(EVENT.posting, POSTING_WORDS, assetId);
    return this;
  }

  rareEvent(event: RareEvent): this {
    encodeJson(this.buffer, event);
    return this;
  }

  /** Everything written so far, in memory of its own; the writer is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.buffer.copy();
    this.buffer.clear();
    return bytes;
  }

  #open(kind: number, words: number, subject: number): number {
    const at = this.buffer.open(words);
    this.buffer.bytes.fill(0, at * 8, (at + words) * 8);
    this.buffer.i32[at * 2] = kind | (words << 8);
    this.buffer.i32[at * 2 + 1] = subject;
    return at;
  }
}

const ORDER: OrderRecord = {
  orderId: 1,
  userId: 1,
  marketId: 0,
  account: "spot",
  side: "buy",
  type: "limit",
  amountIn: "base",
  hidden: false,
  stpMode: "none",
  aim: "trade",
  status: "filled",
  price: 3_000_000n,
  amount: 500n,
  left: 0n,
  filledLots: 500n,
  filledValue: 1_500_000_000n,
  baseFee: 1n,
  quoteFee: 0n,
  discountFee: 0n,
  realizedPnl: 0n,
  makerFeeRateE8: 100_000,
  takerFeeRateE8: 200_000,
  lastFilledLots: 500n,
  lastFilledPrice: 3_000_000n,
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
  clientId: "",
};

/** A filled order, but for what the test says. */
export function anOrder(given: Partial<OrderRecord>): OrderRecord {
  return { ...ORDER, ...given };
}

/** What a test may say of a deal: its parties in short. */
export type GivenDeal = Partial<Omit<DealEvent, "kind" | "taker" | "maker">> & {
  taker?: Partial<DealEvent["taker"]>;
  maker?: Partial<DealEvent["maker"]>;
};

/** A deal of 500 lots at 3,000,000 ticks between users 1 and 2, but for what the test says. */
export function aDeal({ taker, maker, ...given }: GivenDeal): Omit<DealEvent, "kind"> {
  const price = given.price ?? 3_000_000n;
  const lots = given.lots ?? 500n;
  return {
    marketId: 0,
    dealId: 1,
    side: "buy",
    price,
    lots,
    value: price * lots,
    taker: { userId: 1, account: "spot", orderId: 2, fee: 2n, feeAssetId: 0, deducted: false, ...taker },
    maker: { userId: 2, account: "spot", orderId: 1, fee: 1n, feeAssetId: 1, deducted: false, ...maker },
    ...given,
  };
}
