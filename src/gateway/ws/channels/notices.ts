import type { Happening } from "../../../engine/event.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { MaintenancePlan } from "../../../engine/maintenance/forms.ts";
import { windowsAt } from "../../reading/maintenance.ts";
import { type ChannelContext, NamedChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import type { SocketChannel } from "../contract.ts";
import type { Push } from "../push.ts";

/** WsNoticeChannel. */
const MAINTENANCE = 101;
const INDEX = 102;
const INTERRUPTION = 103;

/** What is told of one market. */
interface MarketNotice {
  readonly channel: number;
  readonly marketId: number;
  readonly reason: "index_stale" | "index_back" | "price_moved";
  readonly startedAt: number;
  /** 0 while nobody knows. */
  readonly endedAt: number;
}

/**
 * Maintenance: when it is planned, begins, ends or is taken back, its protection period included. One that is taken back is
 * told as over: it ends now, and one that had not begun begins now as well. Besides, what stops a market for a while and nobody
 * planned: an index without sources, and an interruption.
 */
export class NoticeChannel extends NamedChannel {
  readonly #context: ChannelContext;
  /** Windows that are planned or running, by id: of one that is taken back, only its id is told. */
  readonly #windows = new Map<number, MaintenancePlan>();
  /** What is to be told of windows of which something has happened: of its end and the beginning of its protection once. */
  readonly #news = new Map<number, MaintenancePlan>();
  readonly #ofMarkets: MarketNotice[] = [];

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    this.#context = context;
    for (const window of context.backend.state.maintenance) this.#windows.set(window.maintenanceId, window);
  }

  happened(event: Happening, timeMs: number): void {
    if (event.type === "index_stale") {
      const reason = event.isStale ? "index_stale" : "index_back";
      this.#tellOf({
        channel: INDEX,
        marketId: event.marketId,
        reason,
        startedAt: timeMs,
        endedAt: event.isStale ? 0 : timeMs,
      });
      return;
    }
    if (event.type === "market_interrupted") {
      const { marketId, untilMs: endedAt } = event;
      this.#tellOf({ channel: INTERRUPTION, marketId, reason: "price_moved", startedAt: timeMs, endedAt });
      return;
    }
    if (!("maintenanceId" in event)) return;
    if (event.type === "maintenance_planned") this.#windows.set(event.maintenanceId, event);
    const window = this.#windows.get(event.maintenanceId);
    if (window === undefined) return;
    if (event.type === "maintenance_cancelled") {
      this.#windows.delete(event.maintenanceId);
      this.#news.set(event.maintenanceId, endedAt(window, timeMs));
      return;
    }
    if (window.endedAt <= timeMs && window.protectDurationEnd <= timeMs) this.#windows.delete(event.maintenanceId);
    this.#news.set(event.maintenanceId, window);
  }

  #tellOf(notice: MarketNotice): void {
    // A hub tells of its own markets.
    if (this.#context.markets().some(({ id }) => id === notice.marketId)) this.#ofMarkets.push(notice);
  }

  applied(): void {
    for (const notice of this.#ofMarkets.splice(0)) {
      const push = this.#printOf(notice);
      this.audience.each(String(notice.channel), (client) => client.send(push));
    }
    if (this.#news.size === 0) return;
    for (const window of this.#news.values()) {
      const push = this.#print(window);
      this.audience.each(String(MAINTENANCE), (client) => client.send(push));
    }
    this.#news.clear();
  }

  protected override greet(client: Client): void {
    const { state } = this.#context.backend;
    for (const window of windowsAt(state, this.#context.backend.now())) client.send(this.#print(window));
  }

  #printOf({ channel, marketId, reason, startedAt, endedAt }: MarketNotice): Push {
    const market = this.#context.backend.state.markets[marketId] as Market;
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

  #print({ startedAt, endedAt, scope, protectDurationStart, protectDurationEnd }: MaintenancePlan): Push {
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
    return this.update(`{"channel":${MAINTENANCE},"info":${JSON.stringify(info)}}`);
  }
}

function endedAt(window: MaintenancePlan, timeMs: number): MaintenancePlan {
  const cut = (time: number) => Math.min(time, timeMs);
  return {
    ...window,
    startedAt: cut(window.startedAt),
    endedAt: cut(window.endedAt),
    protectDurationStart: cut(window.protectDurationStart),
    protectDurationEnd: cut(window.protectDurationEnd),
  };
}
