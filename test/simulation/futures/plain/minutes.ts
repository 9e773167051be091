/**
 * The premiums of minutes from the definition of domain 4.11: each order remembers the command since which it stands as
 * it does, and each tick adds what has rested for long enough.
 */
import type { EngineEvent, OrderRecord } from "../../../../src/engine/event.ts";
import { type Depth, sampled } from "./premiums.ts";
import { least, near, ratio } from "./rational.ts";
import type { PlainMarket } from "./records.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** For how long an order rests before it counts. */
const REST_MS = 1_000;

interface Resting {
  readonly userId: number;
  readonly marketId: number;
  readonly sells: boolean;
  readonly price: bigint;
  readonly hidden: boolean;
  /** It may open something. Domain 2.18. */
  readonly isQuote: boolean;
  readonly left: bigint;
  readonly filled: bigint;
  /** Of an iceberg as much as it displays at a time; 0: all. */
  readonly display: bigint;
  readonly shown: bigint;
  /** The command since which it stands as it does, and its place among all that came. */
  readonly since: number;
  readonly place: number;
}

/** The limits within which quotes of a user are filled before all of them are pulled; lots. */
export interface QuoteLimits {
  readonly userId: number;
  readonly fills: number;
  readonly amount: bigint | undefined;
  readonly delta: bigint | undefined;
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
  readonly protections: readonly QuoteLimits[];
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
  private places = 0;
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
      if (event.kind === "json" && event.event.type === "iceberg_placed") {
        const { orderId, displayLots } = event.event;
        const known = this.resting.get(orderId);
        if (known === undefined) continue;
        const display = BigInt(displayLots);
        this.resting.set(orderId, { ...known, display, shown: least(display, known.left) });
      }
      if (event.kind !== "order" || event.order.account !== "futures") continue;
      changed.add(event.order.marketId);
      if (event.event === "finish") this.resting.delete(event.order.orderId);
      else this.resting.set(event.order.orderId, this.standing(event.order));
    }
    return changed;
  }

  /** An order as it rests after an event. */
  private standing(order: OrderRecord): Resting {
    const { orderId, userId, marketId, price, left, hidden, aim, filledLots: filled } = order;
    const known = this.resting.get(orderId);
    const isQuote = aim === "trade";
    const fields = { userId, marketId, sells: order.side === "sell", price, hidden, isQuote, left, filled };
    const display = known?.display ?? 0n;
    const anew = {
      ...{ ...fields, display, shown: display === 0n ? left : least(display, left) },
      ...{ since: this.commands, place: ++this.places },
    };
    if (known === undefined || known.price !== price || left > known.left) return anew;
    // A slice that is filled makes room for the next, which comes now.
    const shown = display === 0n ? left : known.shown - (filled - known.filled);
    return shown > 0n ? { ...known, left, filled, shown: least(shown, left) } : anew;
  }

  private tick(market: MarketNow, timeMs: number, isUnsure: boolean): void {
    const { id: marketId, terms, index, isStale, isAtRisk, protections } = market;
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
    const depth = (sells: boolean) => this.depth(marketId, sells, restedAt, protections);
    const [premium, lean] = sampled(terms, depth(false), depth(true), index);
    minute.premium += premium;
    minute.lean += lean;
  }

  /** What rested already when a command came, best first, and would be there for who took all before it. */
  private depth(marketId: number, sells: boolean, command: number, protections: readonly QuoteLimits[]): Depth {
    const side = [...this.resting.values()].filter((one) => one.marketId === marketId && one.sells === sells);
    const parts = side.flatMap(partsOf).sort((one, other) => {
      if (one.price !== other.price) return one.price < other.price === sells ? -1 : 1;
      return one.turn - other.turn || one.place - other.place;
    });
    const gone = new Set(protections.flatMap((limits) => pulledOf(parts, limits)));
    return parts
      .filter((part) => part.turn === 0 && part.since < command && !gone.has(part))
      .map(({ price, lots }) => ({ price, lots }));
  }
}

/** Displayed lots, those behind the displayed ones of their price, or hidden ones: turns 0, 1 and 2. */
interface Part extends Resting {
  readonly turn: number;
  readonly lots: bigint;
  /** Fills that who takes it makes. */
  readonly fills: number;
}

function partsOf(one: Resting): Part[] {
  const { left, display, shown, hidden } = one;
  if (display === 0n) return [{ ...one, turn: hidden ? 2 : 0, lots: left, fills: 1 }];
  const behind = left - shown;
  const slices = Number((behind + display - 1n) / display);
  return [
    { ...one, turn: 0, lots: shown, fills: 1 },
    { ...one, turn: 1, lots: behind, fills: slices },
  ];
}

/** The quotes of a user that are pulled when those before them are filled. Domain 2.18. */
function pulledOf(parts: readonly Part[], { userId, fills, amount, delta }: QuoteLimits): Part[] {
  let [count, lots] = [0, 0n];
  return parts.filter((part) => {
    if (part.userId !== userId || !part.isQuote || part.fills === 0) return false;
    const isReached = [amount, delta].some((limit) => limit !== undefined && lots >= limit);
    if (count >= fills || isReached) return true;
    count += part.fills;
    lots += part.lots;
    return false;
  });
}
