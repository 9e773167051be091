import type { Command } from "../../../../src/engine/command.ts";
import type { EngineEvent } from "../../../../src/engine/event.ts";
import { mayTrade } from "../../../../src/engine/listing/status.ts";
import { quoteLimits } from "../../futures/compare.ts";
import { type MarketNow, PlainMinutes } from "../../futures/plain/minutes.ts";
import { markBandE8 } from "../worth.ts";
import type { Court, Law } from "./law.ts";

const MINUTE_MS = 60_000;
const ONE_E8 = 100_000_000n;
/** Minutes of an interval of funding: what a premium must be held for to count in full. */
const MINUTES = 480n;

/** Premiums that the depth on display supports, 10^-8: the whole one, and that of the mark. */
interface Supported {
  readonly premium: bigint;
  readonly mark: bigint;
}

/**
 * A3: depth that is not there does not speak, nor does what is not at risk, and a minute counts as one. Premiums are
 * held against what has rested in the book at the ticks of their minute, by rules before version 5 those of linear
 * markets against what lies there when they are sampled; marks against the premiums so far and their band.
 */
export class Premiums implements Law {
  private readonly court: Court;
  private readonly supported = new Map<number, Supported>();
  /** By market: the sum of the mark premiums so far, without signs. */
  private readonly sums = new Map<number, bigint>();
  private readonly minutes: PlainMinutes;
  private lastMinute = 0;
  private timeMs = 0;
  private isTick = false;
  private events: EngineEvent[] = [];
  private found: string[] = [];

  constructor(court: Court) {
    this.court = court;
    this.minutes = new PlainMinutes(() => marketsNow(court));
  }

  look(timeMs: number, { kind }: Command): void {
    this.found = [];
    this.events = [];
    this.timeMs = timeMs;
    this.isTick = kind === "tick";
    if (this.court.stage.state.rulesVersion >= 5) return;
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (minute === this.lastMinute) return;
    this.lastMinute = minute;
    this.supported.clear();
    const { state } = this.court.stage;
    for (const { id, futures } of state.markets) {
      if (futures?.contractType === "linear") this.supported.set(id, this.support(id));
    }
  }

  see(event: EngineEvent): void {
    this.events.push(event);
    // What the clock sells or cancels before it samples is gone from the book.
    if (event.kind === "level") this.supported.delete(event.marketId);
    if (event.kind !== "json" || event.event.type !== "premium_sampled") return;
    const { marketId, premiumE8, markPremiumE8 } = event.event;
    this.sums.set(marketId, (this.sums.get(marketId) ?? 0n) + BigInt(Math.abs(markPremiumE8)));
    const supported = this.supportedIn(marketId);
    if (supported === undefined || this.court.stage.state.rulesVersion < 2) return;
    const isMore = (is: number, may: bigint) => distance(BigInt(is), may) > 2n;
    if (!isMore(premiumE8, supported.premium) && !isMore(markPremiumE8, supported.mark)) return;
    this.found.push(
      `A3: premiums of ${premiumE8} and ${markPremiumE8} are sampled where depth supports ${supported.premium} ` +
        `and ${supported.mark}.`,
    );
  }

  judge(): string[] {
    const { state } = this.court.stage;
    if (state.rulesVersion >= 5) {
      this.found.push(...this.minutes.follow(this.isTick, this.timeMs, this.events).map((said) => `A3: ${said}`));
    }
    if (state.rulesVersion >= 2) {
      for (const { id, futures, index, name, delisted } of state.markets) {
        if (futures === undefined || delisted || index.price === 0n || this.court.isSilent(id)) continue;
        const away = distance(state.futures.live.mark(id), index.price);
        const sum = (this.sums.get(id) ?? 0n) / MINUTES + 1n;
        const band = markBandE8(futures);
        const most = sum < band ? sum : band;
        if (away > (index.price * most) / ONE_E8 + 1n) {
          this.found.push(
            `A3: the mark of ${name} lies ${away} ticks from its index, which its premiums do not explain.`,
          );
        }
      }
    }
    return this.found;
  }

  /** What the premiums of a minute may come to; undefined where that is not known. */
  private supportedIn(marketId: number): Supported | undefined {
    if (this.court.stage.state.rulesVersion < 5) return this.supported.get(marketId);
    const means = this.minutes.take(marketId);
    if (means === "unsure") return undefined;
    const [premium, mark] = means === "none" ? [0n, 0n] : means;
    return { premium, mark };
  }

  /** What lies on display up to a hundredth of the first level, the rest at the index. */
  private support(marketId: number): Supported {
    const { state } = this.court.stage;
    const { index, futures } = state.markets[marketId] as (typeof state.markets)[number];
    const quantity = (futures?.levels[0]?.amount ?? 0n) / 100n;
    if (index.price === 0n || quantity === 0n) return { premium: 0n, mark: 0n };
    const [bids, asks] = [0, 1].map((side) => {
      let left = quantity;
      let sum = 0n;
      for (const { price, lots } of state.books[marketId]?.levels(side) ?? []) {
        const taken = lots < left ? lots : left;
        sum += taken * (price - index.price);
        left -= taken;
        if (left === 0n) break;
      }
      return sum;
    }) as [bigint, bigint];
    const share = (sum: bigint, of: bigint) => (sum * ONE_E8) / (of * quantity * index.price);
    const mark = bids > 0n ? share(bids, 1n) : asks < 0n ? share(asks, 1n) : 0n;
    return { premium: share(bids + asks, 2n), mark };
  }
}

function* marketsNow({ stage: { state } }: Court): Generator<MarketNow> {
  for (const market of state.markets) {
    const { id, futures, index, delisted, status } = market;
    if (futures === undefined) continue;
    const levels = futures.levels.map(({ amount }) => ({ amount, rateE8: 0, initialE8: 0 }));
    const terms = { isInverse: futures.contractType === "inverse", levels };
    const isAtRisk = status === "online" && mayTrade(state, market);
    yield {
      id,
      terms,
      index: index.price,
      isStale: index.isStale,
      isListed: !delisted,
      isAtRisk,
      protections: quoteLimits(state, id),
    };
  }
}

function distance(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}
