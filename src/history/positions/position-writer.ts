import { decodePosition, type PositionEvent } from "../../engine/futures/positions/position-event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import type { OpenTables, PartWriter, TakeHappenings } from "../part.ts";
import { inserter, type TablesOf } from "../table.ts";
import { CHANGE_KIND_OF, POSITION_CHANGE_KINDS } from "./position-queries.ts";
import { dealPositions, type POSITION_TABLES, positionChanges, positionRows } from "./tables.ts";

/** The new value of a column of `positions`, or the one before when the position has ended. */
function unlessEnded<Column extends "amount" | "entry_cost" | "settle_cost">(
  column: Column,
): readonly [Column, string] {
  return [column, `iif(excluded.ended_ms = 0, excluded.${column}, positions.${column})`];
}

/** Keeps what positions are, or were worth before their end, and what changed them besides trades. */
export class PositionWriter implements PartWriter {
  readonly #store;
  readonly #storeDeal;
  readonly #insertChange;
  /** What the collection of funding, or the settlement, under way has changed. */
  readonly #inRound: { readonly event: PositionEvent; readonly flags: number }[] = [];

  readonly happenings: TakeHappenings = {
    funding_collected: ({ atMs, rateE8 }) => this.#endRound(atMs, rateE8),
    settled: ({ atMs }) => this.#endRound(atMs, 0),
  };

  constructor({ database }: OpenTables<TablesOf<(typeof POSITION_TABLES)[number]>>) {
    this.#store = inserter(database, positionRows, [
      "flags",
      unlessEnded("amount"),
      unlessEnded("entry_cost"),
      unlessEnded("settle_cost"),
      ...(["realized", "top_amount", "top_cost", "top_margin", "ended_ms"] as const),
    ]);
    this.#storeDeal = inserter(database, dealPositions, [
      ...(["position_id", "flags", "amount", "entry_cost", "margin"] as const),
      ...(["pnl", "margin_change", "covered"] as const).map((each) => [each, `${each} + excluded.${each}`] as const),
    ]);
    this.#insertChange = inserter(database, positionChanges);
  }

  position(events: WordBuffer, at: number): void {
    const event = decodePosition(events, at);
    const { positionId, dealId, orderId, updatedAt } = event;
    // The word of the record that holds side, mode, leverage and how it ended.
    const flags = (events.i32[at * 2 + 3] as number) >>> 0;
    this.#store({
      position_id: positionId,
      user_id: event.userId,
      market_id: event.marketId,
      flags,
      amount: event.amount,
      entry_cost: event.entryCost,
      settle_cost: event.settleCost,
      realized: event.realized,
      top_amount: event.topAmount,
      top_cost: event.topCost,
      top_margin: event.topMargin,
      created_ms: event.createdAt,
      ended_ms: event.finishedType === "" ? 0 : updatedAt,
    });
    if (dealId !== 0) {
      this.#storeDeal({
        deal_id: dealId,
        order_id: orderId,
        position_id: positionId,
        flags,
        amount: event.amount,
        entry_cost: event.entryCost,
        margin: event.margin,
        pnl: event.pnl,
        margin_change: event.marginChange,
        covered: event.covered,
      });
    }
    // When it was due, and what was paid at which rate, is told when the collection or the settlement is over.
    if (event.reason === "funding" || event.reason === "settle") this.#inRound.push({ event, flags });
    else this.#change(event, flags, updatedAt, 0);
  }

  /** Stores what a collection of funding or a settlement that was due at `atMs` has changed. */
  #endRound(atMs: number, rateE8: number): void {
    for (const { event, flags } of this.#inRound.splice(0)) this.#change(event, flags, atMs, rateE8);
  }

  #change(event: PositionEvent, flags: number, timeMs: number, rateE8: number): void {
    const kind = CHANGE_KIND_OF[event.reason];
    if (kind === undefined) return;
    this.#insertChange({
      user_id: event.userId,
      market_id: event.marketId,
      kind: POSITION_CHANGE_KINDS.indexOf(kind),
      position_id: event.positionId,
      time_ms: timeMs,
      flags,
      amount: event.amount,
      settle_cost: event.settleCost,
      margin: event.margin,
      change: kind === "margin" ? event.marginChange : event.pnl,
      liq_price: event.liqPrice,
      bkr_price: event.bkrPrice,
      rate_e8: rateE8,
    });
  }
}
