/** A small generator of pseudo-random numbers: the same seed draws the same. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A whole number below 2^32 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let word = this.state;
    word = Math.imul(word ^ (word >>> 15), word | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return (word ^ (word >>> 14)) >>> 0;
  }

  /** From `from` to `to`, both included. */
  whole(from: number, to: number): number {
    return from + (this.next() % (to - from + 1));
  }

  chance(percent: number): boolean {
    return this.next() % 100 < percent;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.next() % values.length] as T;
  }

  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.next() % entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      if (left < weight) return name;
      left -= weight;
    }
    throw new Error("No name has a weight.");
  }
}
