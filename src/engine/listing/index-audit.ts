/** Follows indexes and marks by their events: what leans on an index leans on a fresh one. Source: domain 4.11. */
import type { Audit, Hearing } from "../audit/audit.ts";
import type { Report } from "../audit/ledger-audit.ts";
import type { EngineEvent, RareEvent } from "../event.ts";
import { markBandOf } from "../futures/funding/cycle.ts";
import { withinBand } from "../futures/funding/premium.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { isIndexFresh } from "./index-freshness.ts";
import type { Market } from "./market.ts";

/** Events that cannot be while the index of their market is stale. */
const LEANS_ON_INDEX: ReadonlySet<RareEvent["type"]> = new Set([
  "mark_price",
  "premium_sampled",
  "funding_collected",
  "liquidated",
]);

export class IndexAudit implements Audit {
  private readonly state: State;
  /** Ticks by market; of an index that is stale or gone nothing. */
  private readonly fresh = new Map<number, bigint>();
  private readonly prices = new Map<number, bigint>();
  private readonly marks = new Map<number, bigint>();

  constructor(state: State) {
    this.state = state;
    for (const market of state.markets) {
      this.prices.set(market.id, market.index.price);
      if (isIndexFresh(market)) this.fresh.set(market.id, market.index.price);
      if (market.futures !== undefined) this.marks.set(market.id, state.futures.live.mark(market.id));
    }
  }

  /** Ticks of a fresh index, by market. */
  get indexes(): ReadonlyMap<number, bigint> {
    return this.fresh;
  }

  /** Ticks; 0 before the first. */
  mark(marketId: number): bigint {
    return this.marks.get(marketId) ?? 0n;
  }

  take(event: EngineEvent, { report }: Hearing): void {
    if (event.kind !== "json") return;
    this.follow(event.event);
    if (event.event.type === "mark_price") {
      this.judgeMark(this.state.markets[event.event.marketId] as Market, BigInt(event.event.price), report);
    }
    if (LEANS_ON_INDEX.has(event.event.type)) this.judgeFreshness(event.event, report);
  }

  /** Takes in what happened and judges nothing. */
  follow(rareEvent: RareEvent): void {
    switch (rareEvent.type) {
      case "index_price": {
        const isStale = !this.fresh.has(rareEvent.marketId) && (this.prices.get(rareEvent.marketId) ?? 0n) > 0n;
        this.prices.set(rareEvent.marketId, BigInt(rareEvent.price));
        if (!isStale) this.fresh.set(rareEvent.marketId, BigInt(rareEvent.price));
        return;
      }
      case "index_stale":
        if (rareEvent.isStale) this.fresh.delete(rareEvent.marketId);
        else this.fresh.set(rareEvent.marketId, this.prices.get(rareEvent.marketId) as bigint);
        return;
      case "market_changed":
        // A market whose list of sources has become empty has no index.
        for (const { id, name, index } of this.state.markets) {
          if (name !== rareEvent.market || index.price !== 0n) continue;
          this.fresh.delete(id);
          this.prices.set(id, 0n);
        }
        return;
      case "mark_price":
        this.marks.set(rareEvent.marketId, BigInt(rareEvent.price));
    }
  }

  /** 38: the mark lies within its band around the index, or at the bounds of prices. */
  private judgeMark(market: Market, mark: bigint, report: Report): void {
    if (market.futures === undefined || !holds(this.state, "boundedMark")) return;
    const index = this.prices.get(market.id) as bigint;
    const isAtBound = mark === market.futures.tickSize || mark === market.maxPrice;
    if (isAtBound || withinBand(mark, index, markBandOf(market.futures)) === mark) return;
    report(`The mark of ${market.name} is ${mark} ticks, which is too far from its index of ${index}.`);
  }

  /** 39. */
  private judgeFreshness(rareEvent: RareEvent, report: Report): void {
    const { marketId } = rareEvent as Extract<RareEvent, { marketId: number }> as { readonly marketId: number };
    if (!holds(this.state, "staleIndexWaits") || this.fresh.has(marketId)) return;
    // Where an operator lets a market leave without an index, its last mark is all that there is.
    if (rareEvent.type === "liquidated" && this.state.markets[marketId]?.delisted === true) return;
    report(`${rareEvent.type} happens in market ${marketId}, whose index is stale.`);
  }
}
