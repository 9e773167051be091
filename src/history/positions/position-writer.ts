import { decodePosition, type PositionEvent } from "../../engine/futures/positions/position-event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import type { PartWriter, TakeRareEvents, WrittenTables } from "../part.ts";
import type { TablesOf } from "../table.ts";
import { CHANGE_KIND_OF, POSITION_CHANGE_KINDS } from "./position-queries.ts";
import {
  changeRecords,
  dealEffectRecords,
  dealPositions,
  type POSITION_TABLES,
  positionChanges,
  positionRecords,
  positionRows,
} from "./tables.ts";

/** The columns that are written when a position ends; the columns of its worth stay as they were before. */
const AT_THE_END = ["flags", "realized", "top_amount", "top_cost", "top_margin", "ended_ms"] as const;

/** Keeps what positions are, or were worth before their end, and what changed them besides trades. */
export class PositionWriter implements PartWriter {
  readonly #store;
  readonly #end;
  readonly #storeDeal;
  readonly #insertChange;
  /** The positions that the collection of funding, or the settlement, under way has changed. */
  readonly #inRound: { readonly event: PositionEvent; readonly flags: number }[] = [];

  readonly rareEvents: TakeRareEvents = {
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
    const row = positionRecords.rowOf(event);
    (isOpen ? this.#store : this.#end)({ ...row, flags, ended_ms: isOpen ? 0 : updatedAt });
    if (dealId !== 0) {
      const effect = dealEffectRecords.rowOf(event);
      this.#storeDeal({ deal_id: dealId, order_id: orderId, position_id: positionId, flags, ...effect });
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
    const change = kind === "margin" ? event.marginChange : event.pnl;
    this.#insertChange({
      ...changeRecords.rowOf({ ...event, createdAt: timeMs, change, rateE8 }),
      kind: POSITION_CHANGE_KINDS.indexOf(kind),
      flags,
    });
  }
}
