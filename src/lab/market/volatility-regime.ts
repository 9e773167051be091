/**
 * How lively a market is: it comes and goes for hours and days, in all markets together and in each by itself, and
 * follows the hour of the day. So quiet times and wild ones come in clusters, and large moves are more frequent than a
 * bell curve has them.
 */
import { Deviation } from "./deviation.ts";

import type { Random } from "./random.ts";

/**
 * Half of what is left of a mood is gone after about an hour, and after a day: quanta of 36,000 and 864,000 are the
 * means.
 */
const HOURS = { memory: 999_972n, fresh: 7_483n };
const DAYS = { memory: 999_999n, fresh: 1_414n };
/** How far moods stray, in hundredths of a percent of the logarithm of liveliness. */
const COMMON_BP = 3_000;
const OWN_BP = 3_000;
const SLOW_BP = 2_500;
const ONE_E8 = 100_000_000;
const HOUR_MS = 3_600_000;
/** By the hour of the day, UTC: least at 4, most at 15, in hundredths. */
const BY_HOUR = [
  80, 76, 73, 71, 70, 71, 74, 80, 88, 96, 102, 108, 116, 126, 134, 136, 132, 124, 116, 108, 102, 96, 91, 85,
];
const PERCENT_MIN = 20;
const PERCENT_MAX = 600;

/** A mood, of all markets together or of one. */
export class Mood {
  readonly #parts: readonly Deviation[];

  constructor(kind: "common" | "own", random: Random) {
    const hours = new Deviation(kind === "common" ? COMMON_BP : OWN_BP, HOURS, random.fork("hours"));
    this.#parts = kind === "common" ? [hours, new Deviation(SLOW_BP, DAYS, random.fork("days"))] : [hours];
  }

  /** So many quanta pass. */
  advance(quanta: number): void {
    for (const part of this.#parts) part.advance(quanta);
  }

  /** Logarithm of the liveliness. */
  get level(): number {
    return this.#parts.reduce((sum, part) => sum + Number(part.valueE8), 0) / ONE_E8;
  }
}

/** How lively a market is at a time, in percent of the ordinary: how far prices go, and how many come. */
export function livelinessPercent(common: Mood, own: Mood, nowMs: number): number {
  const hour = BY_HOUR[Math.floor(nowMs / HOUR_MS) % 24] as number;
  // The engine of the language brings its own exponential, so that it is the same on every machine.
  const percent = Math.round(hour * Math.exp(common.level + own.level));
  return Math.min(PERCENT_MAX, Math.max(PERCENT_MIN, percent));
}
