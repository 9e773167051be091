import type { PremiumSample } from "./premium.ts";

/** The longest funding interval in minutes: nothing looks further back. */
export const SAMPLES_MAX = 480;

/**
 * The premium samples of one market, one per minute, the newest `SAMPLES_MAX` of them; sums are over the last n.
 * Figures in 10^-8 are whole numbers, and 480 of them stay exact.
 */
export class PremiumSamples {
  private readonly times: number[] = [];
  private readonly premiums: number[] = [];
  private readonly markPremiums: number[] = [];

  get count(): number {
    return this.times.length;
  }

  /** Start of the minute of the newest sample, ms; 0 before the first. */
  get lastMinuteMs(): number {
    return this.times.at(-1) ?? 0;
  }

  add(minuteMs: number, { premiumE8, markPremiumE8 }: PremiumSample): void {
    this.times.push(minuteMs);
    this.premiums.push(premiumE8);
    this.markPremiums.push(markPremiumE8);
    if (this.times.length <= SAMPLES_MAX) return;
    this.times.shift();
    this.premiums.shift();
    this.markPremiums.shift();
  }

  /** Sum and number of the premiums of the minutes from `sinceMs` on. */
  premiumsSince(sinceMs: number): { sumE8: number; count: number } {
    return this.sumSince(this.premiums, sinceMs);
  }

  /** Sum and number of the last `count` mark premiums, fewer if there are fewer. */
  lastMarkPremiums(count: number): { sumE8: number; count: number } {
    const from = Math.max(0, this.markPremiums.length - count);
    return { sumE8: sumFrom(this.markPremiums, from), count: this.markPremiums.length - from };
  }

  /** Sum of the mark premiums of the minutes from `sinceMs` on. */
  markPremiumsSince(sinceMs: number): { sumE8: number; count: number } {
    return this.sumSince(this.markPremiums, sinceMs);
  }

  /** Rows for a snapshot, oldest first: [minute, premium, mark premium]. */
  rows(): [number, number, number][] {
    return this.times.map((minuteMs, at) => [minuteMs, this.premiums[at] as number, this.markPremiums[at] as number]);
  }

  private sumSince(figures: readonly number[], sinceMs: number): { sumE8: number; count: number } {
    let from = this.times.length;
    while (from > 0 && (this.times[from - 1] as number) >= sinceMs) from--;
    return { sumE8: sumFrom(figures, from), count: figures.length - from };
  }
}

function sumFrom(figures: readonly number[], from: number): number {
  let sum = 0;
  for (let at = from; at < figures.length; at++) sum += figures[at] as number;
  return sum;
}
