import { NORMAL_ONE } from "./random.ts";

/** Prices walk in millionths of a tick, so that a cheap coin moves as smoothly as a dear one. */
export const FINE = 1_000_000n;
/** The walk takes a step for each of these spans. */
export const QUANTUM_MS = 100;

/** Square root of the 864,000 quanta of a day: what a day's volatility is divided by to give that of one quantum. */
const QUANTA_PER_DAY_ROOT = 930n;
/** Of the distance to the anchor, one part in so many is taken back per quantum: half of it in two days. */
const REVERSION_QUANTA = 2_500_000n;
/** However long it walks, the price stays within anchor / 4 and anchor * 4. */
const RANGE = 4n;
const BASIS_POINTS = 10_000n;
/** Roots are counted in so many parts of one. */
const ROOT_ONE = 10_000n;

/**
 * The worth of one market at this moment, which nobody in the venue sees: a random walk that is slowly drawn back to an
 * anchor. All in whole numbers, so that it repeats exactly.
 */
export class PriceWalk {
  readonly #anchor: bigint;
  readonly #dailyVolatilityBp: bigint;
  #price: bigint;

  /**
   * `anchor` and `start` in ticks above 0; volatility is the standard deviation of a day in hundredths of a percent.
   */
  constructor(anchor: bigint, start: bigint, dailyVolatilityBp: number) {
    this.#anchor = anchor * FINE;
    this.#dailyVolatilityBp = BigInt(dailyVolatilityBp);
    this.#price = this.#bounded(start * FINE);
  }

  /** Millionths of a tick; always above 0. */
  get price(): bigint {
    return this.#price;
  }

  /** So many quanta pass; `shock` is a draw with standard deviation NORMAL_ONE for all of them together. */
  advance(shock: number, quanta = 1): void {
    // Worked number: 60,000.00 at 265 bp a day and a shock of one deviation moves by 60000 * 0.0265 / 930 = 1.71 in one
    // quantum.
    const move =
      (this.#price * this.#dailyVolatilityBp * BigInt(shock) * rootOf(quanta)) /
      (BASIS_POINTS * QUANTA_PER_DAY_ROOT * BigInt(NORMAL_ONE) * ROOT_ONE);
    const pull = ((this.#anchor - this.#price) * BigInt(quanta)) / REVERSION_QUANTA;
    this.#price = this.#bounded(this.#price + move + pull);
  }

  #bounded(price: bigint): bigint {
    const lowest = this.#anchor / RANGE;
    const highest = this.#anchor * RANGE;
    return price < lowest ? lowest : price > highest ? highest : price;
  }
}

/** How much farther so many quanta lead than one. Square roots are the same on every machine. */
function rootOf(quanta: number): bigint {
  return BigInt(Math.round(Math.sqrt(quanta) * Number(ROOT_ONE)));
}
