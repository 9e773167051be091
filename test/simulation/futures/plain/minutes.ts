/**
 * The premiums of minutes from the definition of domain 4.11: each order remembers the command since which it stands as
 * it does, and each tick adds what has rested for long enough.
 */
import type { EngineEvent } from "../../../../src/engine/event.ts";
import { type Depth, sampled } from "./premiums.ts";
import { near, ratio } from "./rational.ts";
import type { PlainMarket } from "./records.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** For how long an order rests before it counts. */
const REST_MS = 1_000;

interface Resting {
  readonly marketId: number;
  readonly sells: boolean;
  readonly price: bigint;
  left: bigint;
  /** The command since which it stands as it does. */
  readonly since: number;
}

interface Minute {
  ticks: number;
  sampled: number;
  premium: bigint;
  lean: bigint;
  /** Orders changed in the command of a tick, before or after it: what it sampled is the engine's word. */
  isUnsure: boolean;
}

/** A futures market as it is now. */
export interface MarketNow {
  readonly id: number;
  readonly terms: Pick<PlainMarket, "isInverse" | "levels">;
  /** Ticks; 0 while there is none. */
  readonly index: bigint;
  readonly isStale: boolean;
  readonly isListed: boolean;
  /** Whether somebody could take what rests in it. */
  readonly isAtRisk: boolean;
}

export class PlainMinutes {
  private readonly markets: () => Iterable<MarketNow>;
  private readonly resting = new Map<number, Resting>();
  private readonly minutes = new Map<number, Minute>();
  /** By market: the tick since which orders can be met, undefined while they cannot. */
  private readonly opened = new Map<number, number | undefined>();
  /** Of each tick which command it was, and when the one before it came. */
  private ticks: { readonly command: number; readonly beforeMs: number }[] = [];
  private lastTickMs = -SECOND_MS;
  private commands = 0;
  private lastMs = 0;
  private minuteMs = 0;

  constructor(markets: () => Iterable<MarketNow>) {
    this.markets = markets;
  }

  /** The mean over the ticks of the minute that ended last, undefined when that is not known; and that it is told. */
  take(marketId: number): readonly [premium: bigint, lean: bigint] | "none" | "unsure" {
    const minute = this.minutes.get(marketId);
    this.minutes.delete(marketId);
    if (minute?.isUnsure) return "unsure";
    if (minute === undefined || minute.sampled === 0) return "none";
    const mean = (sum: bigint) => near(ratio(sum, BigInt(minute.ticks)));
    return [mean(minute.premium), mean(minute.lean)];
  }

  /** Takes in a command that is done and has been followed. Returns what should have been told and was not. */
  follow(isTick: boolean, timeMs: number, events: readonly EngineEvent[]): string[] {
    this.commands++;
    const missing = this.endMinutes(timeMs, events);
    const changed = this.change(events);
    if (isTick && Math.floor(timeMs / SECOND_MS) > Math.floor(this.lastTickMs / SECOND_MS)) {
      this.ticks.push({ command: this.commands, beforeMs: this.lastMs });
      this.lastTickMs = timeMs;
      this.ticks = this.ticks.slice(-20);
      for (const market of this.markets()) {
        if (market.isListed) this.tick(market, timeMs, changed.has(market.id));
      }
    }
    this.lastMs = timeMs;
    return missing;
  }

  private endMinutes(timeMs: number, events: readonly EngineEvent[]): string[] {
    const minuteMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    if (minuteMs === this.minuteMs) return [];
    this.minuteMs = minuteMs;
    const turned = new Set(
      events.flatMap((event) =>
        event.kind === "json" && event.event.type === "index_stale" ? [event.event.marketId] : [],
      ),
    );
    const missing: string[] = [];
    for (const { id, isStale, isListed } of this.markets()) {
      const { sampled: count = 0, isUnsure } = this.minutes.get(id) ?? {};
      if (count === 0 || isUnsure || isStale || turned.has(id) || !isListed) continue;
      missing.push(`The minute of market ${id} ends without a sample.`);
    }
    this.minutes.clear();
    return missing;
  }

  /** Remembers which orders have changed; of which markets. */
  private change(events: readonly EngineEvent[]): Set<number> {
    const changed = new Set<number>();
    for (const event of events) {
      if (event.kind !== "order" || event.order.account !== "futures") continue;
      const { orderId, marketId, side, price, left, hidden } = event.order;
      changed.add(marketId);
      const known = this.resting.get(orderId);
      if (event.event === "finish" || hidden) this.resting.delete(orderId);
      else if (known !== undefined && known.price === price && left <= known.left) known.left = left;
      else this.resting.set(orderId, { marketId, sells: side === "sell", price, left, since: this.commands });
    }
    return changed;
  }

  private tick({ id: marketId, terms, index, isStale, isAtRisk }: MarketNow, timeMs: number, isUnsure: boolean): void {
    const minute = this.minutes.get(marketId) ?? { ticks: 0, sampled: 0, premium: 0n, lean: 0n, isUnsure: false };
    this.minutes.set(marketId, minute);
    minute.ticks++;
    minute.isUnsure ||= isUnsure;
    if (index === 0n || isStale || !isAtRisk) {
      this.opened.set(marketId, undefined);
      return;
    }
    const openedAt = this.opened.has(marketId) ? (this.opened.get(marketId) ?? timeMs) : 0;
    this.opened.set(marketId, openedAt);
    minute.sampled++;
    if (openedAt > timeMs - REST_MS) return;
    const restedAt = this.ticks.findLast(({ beforeMs }) => beforeMs <= timeMs - REST_MS)?.command ?? 0;
    const [premium, lean] = sampled(
      terms,
      this.depth(marketId, false, restedAt),
      this.depth(marketId, true, restedAt),
      index,
    );
    minute.premium += premium;
    minute.lean += lean;
  }

  /** What rested already when a command came, best first. */
  private depth(marketId: number, sells: boolean, command: number): Depth {
    const side = [...this.resting.values()].filter((one) => one.marketId === marketId && one.sells === sells);
    const rested = side.filter((one) => one.since < command);
    rested.sort((one, other) => (one.price === other.price ? 0 : one.price < other.price === sells ? -1 : 1));
    return rested.map(({ price, left }) => ({ price, lots: left }));
  }
}
