import { xorshift } from "../support/xorshift.ts";

/** Everything random of a fuzz run: the same seed makes the same decisions. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = xorshift(seed);
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** True with this probability. */
  is(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}
