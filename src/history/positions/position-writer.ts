import { decodePosition, type PositionEvent } from "../../engine/futures/positions/position-event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import type { PartWriter, TakeHappenings, WrittenTables } from "../part.ts";
import type { TablesOf } from "../table.ts";
import { CHANGE_KIND_OF, POSITION_CHANGE_KINDS } from "./position-queries.ts";
import { dealPositions, type POSITION_TABLES, positionChanges, positionRows } from "./tables.ts";

/** What a position that has ended is told with; what it was worth stays what it was before. */
const AT_THE_END = ["flags", "realized", "top_amount", "top_cost", "top_margin", "ended_ms"] as const;

/** Keeps what positions are, or were worth before their end, and what changed them besides trades. */
export class PositionWriter implements PartWriter {
  readonly #store;
  readonly #end;
  readonly #storeDeal;
  readonly #insertChange;
  /** What the collection of funding, or the settlement, under way has changed. */
  readonly #inRound: { readonly event: PositionEvent; readonly flags: number }[] = [];

  readonly happenings: TakeHappenings = {
    funding_collected: ({ atMs, rateE8 }) => this.#endRound(atMs, rateE8),
    settled: ({ atMs }) => this.#endRound(atMs, 0),
  };

  constructor({ inserter }: WrittenTables<TablesOf<(typeof POSITION_TABLES)[number]>>) {
    this.#store = inserter(positionRows, [...AT_THE_END, "amount", "entry_cost", "settle_cost"]);
    this.#end = inserter(positionRows, AT_THE_END);
    this.#storeDeal = inserter(dealPositions, [
      ...(["position_id", "flags", "amount", "entry_cost", "margin"] as const),
      ...(["pnl", "margin_change", "covered"] as const).map((add) => ({ add })),
    ]);
    this.#insertChange = inserter(positionChanges);
  }

  position(events: WordBuffer, at: number): void {
    const event = decodePosition(events, at);
    const { positionId, dealId, orderId, updatedAt } = event;
    // The word of the record that holds side, mode, leverage and how it ended.
    const flags = (events.i32[at * 2 + 3] as number) >>> 0;
    const isOpen = event.finishedType === "";
    (isOpen ? this.#store : this.#end)({
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
      ended_ms: isOpen ? 0 : updatedAt,
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
