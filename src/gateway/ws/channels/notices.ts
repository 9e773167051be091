import type { RareEvent } from "../../../engine/event.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { MaintenancePlan } from "../../../engine/maintenance/command-schemas.ts";
import type { Client } from "../client.ts";
import type { Push } from "../push.ts";
import { MAINTENANCE, MaintenanceChannel } from "./maintenance.ts";

/** WsNoticeChannel, beside MAINTENANCE. */
const INDEX = 102;
const INTERRUPTION = 103;

/** A notice about one market. */
interface MarketNotice {
  readonly channel: number;
  readonly marketId: number;
  readonly reason: "index_stale" | "index_back" | "price_moved";
  readonly startedAt: number;
  /** 0 while nobody knows. */
  readonly endedAt: number;
}

/**
 * Maintenance, and what stops a market for a while and nobody planned: an index without sources, and an interruption.
 */
export class NoticeChannel extends MaintenanceChannel {
  readonly #ofMarkets: MarketNotice[] = [];

  override happened(event: RareEvent, timeMs: number): void {
    if (event.type === "index_stale") {
      const { marketId, isStale } = event;
      const reason = isStale ? "index_stale" : "index_back";
      this.#tellOf({ channel: INDEX, marketId, reason, startedAt: timeMs, endedAt: isStale ? 0 : timeMs });
    } else if (event.type === "market_interrupted") {
      const { marketId, untilMs: endedAt } = event;
      this.#tellOf({ channel: INTERRUPTION, marketId, reason: "price_moved", startedAt: timeMs, endedAt });
    } else {
      super.happened(event, timeMs);
    }
  }

  protected override sendInitial(client: Client, names: readonly string[]): void {
    super.sendInitial(client, names);
    if (names.length > 0 && !names.includes(String(INTERRUPTION))) return;
    for (const { id: marketId, status, halt, biddingAt: startedAt, onlineAt: endedAt } of this.context.markets()) {
      // Of other auctions everybody was told when they were planned.
      if (status !== "bidding" || halt === undefined) continue;
      client.send(this.#printOf({ channel: INTERRUPTION, marketId, reason: "price_moved", startedAt, endedAt }));
    }
  }

  #tellOf(notice: MarketNotice): void {
    // A hub tells of its own markets.
    if (this.context.markets().some(({ id }) => id === notice.marketId)) this.#ofMarkets.push(notice);
  }

  override applied(): void {
    for (const notice of this.#ofMarkets.splice(0)) {
      const push = this.#printOf(notice);
      this.subscribers.each(String(notice.channel), (client) => client.send(push));
    }
    super.applied();
  }

  #printOf({ channel, marketId, reason, startedAt, endedAt }: MarketNotice): Push {
    const market = this.context.backend.state.markets[marketId] as Market;
    const info = {
      start_time: startedAt,
      end_time: endedAt,
      scope: [market.futures === undefined ? "SPOT" : "FUTURES"],
      protect_duration_start: 0,
      protect_duration_end: 0,
      started_at: startedAt,
      ended_at: endedAt,
      market: market.name,
      reason,
    };
    return this.update(`{"channel":${channel},"info":${JSON.stringify(info)}}`);
  }

  protected print({ startedAt, endedAt, scope, protectDurationStart, protectDurationEnd }: MaintenancePlan): string {
    const info = {
      start_time: startedAt,
      end_time: endedAt,
      scope,
      protect_duration_start: protectDurationStart,
      protect_duration_end: protectDurationEnd,
      started_at: startedAt,
      ended_at: endedAt,
      market: "",
      reason: "maintenance",
    };
    return `{"channel":${MAINTENANCE},"info":${JSON.stringify(info)}}`;
  }
}
