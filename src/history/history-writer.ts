import type { DatabaseSync } from "node:sqlite";
import { ACCOUNTS, accountOf, clientIdAt, decodeJson, FLAG } from "../engine/command.ts";
import { DEAL_FLAG, EVENT, type Happening, ORDER_EVENTS, ORDER_FLAG, ORDER_WORDS } from "../engine/event.ts";
import { decodePosition, type PositionEvent } from "../engine/futures/positions/position-event.ts";
import { STOP_WORDS, stopEventName } from "../engine/stops/stop-event.ts";
import type { WordBuffer } from "../engine/words.ts";
import { CandleWriter } from "./candle-writer.ts";
import type { HistoryFile } from "./history-file.ts";
import { CHANGE_KIND_OF, POSITION_CHANGE_KINDS } from "./position-queries.ts";
import { StatementWriter } from "./statement-writer.ts";
import { prepareWriterStatements, type WriterStatements } from "./writer-statements.ts";

const FINISH = ORDER_EVENTS.indexOf("finish");

/**
 * Writes events into the tables, in one transaction from the first event to `commit`. Rows are written as they come; how
 * they are found by user and by order is written at `settle`, for all rows since the last one.
 */
export class HistoryWriter {
  readonly #database: DatabaseSync;
  readonly #candles: CandleWriter;
  readonly #statement: StatementWriter;
  readonly #sql: WriterStatements;
  #appliedSeq: number;
  #committedSeq: number;
  #lastRank: number;
  #lastDealId: number;
  #settledRank: number;
  #settledDealId: number;
  #inTransaction = false;
  /** What the collection of funding, or the settlement, under way has changed. */
  readonly #inRound: { readonly event: PositionEvent; readonly flags: number }[] = [];

  constructor({ database, db, appliedSeq }: HistoryFile) {
    this.#database = database;
    this.#candles = new CandleWriter(database, db);
    this.#statement = new StatementWriter(database, db);
    this.#sql = prepareWriterStatements(database, db);
    this.#appliedSeq = appliedSeq;
    this.#committedSeq = appliedSeq;
    this.#lastRank = this.#settledRank = Number(this.#sql.newestRank.get()?.["newest"] ?? 0);
    this.#lastDealId = this.#settledDealId = Number(this.#sql.newestDeal.get()?.["newest"] ?? 0);
  }

  /** Last sequence number that is committed. */
  get committedSeq(): number {
    return this.#committedSeq;
  }

  /**
   * Takes the events of whole groups. Those of commands that are in the tables already are skipped. `lastSeq` is the last
   * command of the groups, which need not have left an event.
   */
  take(events: WordBuffer, lastSeq: number): void {
    if (lastSeq <= this.#appliedSeq && events.length === 0) return;
    this.#begin();
    const { i32, f64, i64 } = events;
    let seq = this.#appliedSeq;
    let timeMs = 0;
    let skipped = false;
    for (let at = 0; at < events.length; at += (i32[at * 2] as number) >>> 8) {
      const kind = (i32[at * 2] as number) & 255;
      if (kind === EVENT.command) {
        skipped = (f64[at + 1] as number) <= this.#appliedSeq;
        seq = Math.max(seq, f64[at + 1] as number);
        timeMs = f64[at + 2] as number;
      } else if (skipped) {
        // The tables hold it.
      } else if (kind === EVENT.posting) {
        this.#statement.posting(events, at, timeMs);
      } else if (kind === EVENT.deal) {
        this.#statement.deal(events, at);
        const sells = ((i32[at * 2 + 2] as number) & DEAL_FLAG.sell) !== 0;
        this.#deal(events, at, timeMs);
        this.#statement.endDeal();
        this.#candles.deal(
          i32[at * 2 + 1] as number,
          timeMs,
          i64[at + 3] as bigint,
          i64[at + 4] as bigint,
          i64[at + 5] as bigint,
          sells,
        );
      } else if (kind === EVENT.order) {
        this.#order(events, at);
      } else if (kind === EVENT.stop) {
        this.#stop(events, at);
      } else if (kind === EVENT.position) {
        this.#position(decodePosition(events, at), i32[at * 2 + 3] as number);
      } else if (kind === EVENT.json) {
        this.#happened(decodeJson(events, at) as Happening, timeMs);
      }
    }
    this.#appliedSeq = Math.max(seq, lastSeq);
  }

  /** Makes everything taken so far visible to queries on this connection. */
  settle(): void {
    if (!this.#inTransaction) return;
    this.#candles.write();
    if (this.#lastDealId > this.#settledDealId) {
      const after = this.#settledDealId;
      this.#sql.settleUserDeals.run(after, after);
      this.#sql.settleOrderDeals.run(after, after);
      this.#sql.settleDealSegments.run(after);
      this.#settledDealId = this.#lastDealId;
    }
    if (this.#lastRank > this.#settledRank) {
      const after = this.#settledRank;
      this.#sql.settleUserOrders.run(after, after, after, after);
      this.#sql.settleOrderSegments.run(after);
      this.#settledRank = this.#lastRank;
    }
  }

  /** Ends the transaction. */
  commit(): void {
    if (!this.#inTransaction) return;
    this.settle();
    this.#sql.storeAppliedSeq.run(this.#appliedSeq);
    this.#database.exec("commit");
    this.#inTransaction = false;
    this.#committedSeq = this.#appliedSeq;
  }

  #begin(): void {
    if (this.#inTransaction) return;
    this.#database.exec("begin");
    this.#inTransaction = true;
  }

  /** Word positions as in decodeDeal of engine/event.ts; read here without making an object of each deal. */
  #deal({ i32, f64, i64 }: WordBuffer, at: number, timeMs: number): void {
    const dealId = f64[at + 2] as number;
    const { legs } = this.#statement;
    this.#sql.insertDeal.run(
      dealId,
      i32[at * 2 + 1] as number,
      timeMs,
      i32[at * 2 + 2] as number,
      i64[at + 3] as bigint,
      i64[at + 4] as bigint,
      i64[at + 5] as bigint,
      i32[at * 2 + 12] as number,
      i32[at * 2 + 13] as number,
      f64[at + 7] as number,
      f64[at + 8] as number,
      i64[at + 9] as bigint,
      i64[at + 10] as bigint,
      i32[at * 2 + 22] as number,
      i32[at * 2 + 23] as number,
      legs.firstEntry,
      legs.buyerBase,
      legs.buyerQuote,
      legs.sellerBase,
      legs.sellerQuote,
    );
    this.#lastDealId = dealId;
  }

  /** Word positions as in decodeOrder of engine/event.ts. Source: domain 2.14; an order that ends unfilled is kept nowhere. */
  #order(events: WordBuffer, at: number): void {
    const { i32, f64, i64 } = events;
    const flags = i32[at * 2 + 3] as number;
    if (((flags >> ORDER_FLAG.eventShift) & ORDER_FLAG.eventMask) !== FINISH) return;
    const filledLots = i64[at + 6] as bigint;
    if (filledLots === 0n) return;
    this.#lastRank++;
    this.#sql.insertOrder.run(
      this.#lastRank,
      f64[at + 2] as number,
      i32[at * 2 + 2] as number,
      i32[at * 2 + 1] as number,
      flags,
      i64[at + 3] as bigint,
      i64[at + 4] as bigint,
      i64[at + 5] as bigint,
      filledLots,
      i64[at + 7] as bigint,
      i64[at + 8] as bigint,
      i64[at + 9] as bigint,
      i64[at + 10] as bigint,
      i32[at * 2 + 22] as number,
      i32[at * 2 + 23] as number,
      i64[at + 12] as bigint,
      i64[at + 13] as bigint,
      f64[at + 14] as number,
      f64[at + 15] as number,
      clientIdAt(events, at + ORDER_WORDS, flags),
    );
  }

  #happened(happening: Happening, timeMs: number): void {
    if (happening.type === "index_price") {
      this.#candles.index(happening.marketId, timeMs, BigInt(happening.price));
    } else if (happening.type === "mark_price") {
      this.#candles.mark(happening.marketId, timeMs, BigInt(happening.price));
    } else if (happening.type === "premium_sampled") {
      this.#sql.insertPremium.run(happening.marketId, happening.minuteMs, happening.premiumE8);
    } else if (happening.type === "funding_collected") {
      const { marketId, atMs, rateE8, actualRateE8 } = happening;
      this.#sql.insertFundingRate.run(marketId, atMs, rateE8, actualRateE8);
      this.#endRound(atMs, rateE8);
    } else if (happening.type === "settled") {
      this.#endRound(happening.atMs, 0);
    } else if (happening.type === "liquidated") {
      const { marketId, isShort, lots, liqPrice, bkrPrice } = happening;
      const side = isShort ? 1 : 0;
      this.#sql.insertLiquidation.run(marketId, timeMs, side, BigInt(lots), BigInt(liqPrice), BigInt(bkrPrice));
    } else if (happening.type === "deleveraged") {
      const { dealId, positionId, userId, marketId, isShort, lots, price } = happening;
      const side = isShort ? 1 : 0;
      this.#sql.insertDeleveraging.run(dealId, positionId, userId, marketId, timeMs, side, BigInt(lots), BigInt(price));
    } else if (happening.type === "transferred") {
      const { transferId, userId, from, to, ccy, amount } = happening;
      this.#sql.insertTransfer.run(transferId, userId, timeMs, from, to, ccy, amount);
    }
  }

  /** `flags` is the word of the record that holds side, mode, leverage and how it ended. */
  #position(event: PositionEvent, flags: number): void {
    const { positionId, userId, marketId, updatedAt } = event;
    this.#sql.storePosition.run(
      positionId,
      userId,
      marketId,
      flags >>> 0,
      event.amount,
      event.entryCost,
      event.settleCost,
      event.realized,
      event.topAmount,
      event.topCost,
      event.topMargin,
      event.createdAt,
      event.finishedType === "" ? 0 : updatedAt,
    );
    if (event.dealId !== 0) this.#sql.storeDealPosition.run(event.dealId, event.orderId, positionId);
    // When it was due, and what was paid at which rate, is told when the collection or the settlement is over.
    if (event.reason === "funding" || event.reason === "settle") this.#inRound.push({ event, flags });
    else this.#positionChange(event, flags, updatedAt, 0);
  }

  /** Stores what a collection of funding or a settlement that was due at `atMs` has changed. */
  #endRound(atMs: number, rateE8: number): void {
    for (const { event, flags } of this.#inRound.splice(0)) this.#positionChange(event, flags, atMs, rateE8);
  }

  #positionChange(event: PositionEvent, flags: number, timeMs: number, rateE8: number): void {
    const kind = CHANGE_KIND_OF[event.reason];
    if (kind === undefined) return;
    this.#sql.insertPositionChange.run(
      event.userId,
      event.marketId,
      POSITION_CHANGE_KINDS.indexOf(kind),
      event.positionId,
      timeMs,
      flags >>> 0,
      event.amount,
      event.settleCost,
      event.margin,
      kind === "margin" ? event.marginChange : event.pnl,
      event.liqPrice,
      event.bkrPrice,
      rateE8,
    );
  }

  /** Word positions as in decodeStop of engine/stops/stop-event.ts. Source: domain 2.11; only what fired is kept. */
  #stop(events: WordBuffer, at: number): void {
    const event = stopEventName(events, at);
    if (event !== "active_success" && event !== "active_fail") return;
    const { i32, f64, i64 } = events;
    const flags = i32[at * 2 + 3] as number;
    this.#sql.insertStop.run(
      f64[at + 2] as number,
      i32[at * 2 + 2] as number,
      ACCOUNTS.indexOf(accountOf(flags)),
      i32[at * 2 + 1] as number,
      flags & FLAG.sell,
      flags,
      i64[at + 3] as bigint,
      i64[at + 4] as bigint,
      i64[at + 5] as bigint,
      f64[at + 6] as number,
      f64[at + 7] as number,
      f64[at + 8] as number,
      f64[at + 9] as number,
      clientIdAt(events, at + STOP_WORDS, flags),
    );
  }
}
