import { FNV_START, fnv1a } from "../../engine/store/fnv.ts";

/** One standard deviation of `Random.normal`: sqrt(8 * (2^32 - 1) / 12). */
export const NORMAL_ONE = 53_510;

/**
 * A repeatable source of whole numbers: the same seed gives the same numbers on every machine. Not for secrets.
 * Source: xoshiro128** of Blackman and Vigna, seeded by SplitMix32, both published formulas.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  readonly #seed: number;

  /** Of `seed` the low 32 bits count. */
  constructor(seed: number) {
    this.#seed = seed >>> 0;
    let mixed = this.#seed;
    const next = () => {
      mixed = (mixed + 0x9e3779b9) | 0;
      let word = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      return word ^ (word >>> 15);
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next();
  }

  /** A generator of its own for the part called `name`, so that one part's draws do not shift another's. */
  fork(name: string): Random {
    return new Random(fnv1a(name, this.#seed ^ FNV_START));
  }

  /** 0 .. 2^32 - 1. */
  next(): number {
    const scrambled = Math.imul(this.#b, 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** 0 .. bound - 1, for bounds up to 2^21: there the scaling stays exact and its bias below one in two thousand. */
  below(bound: number): number {
    return Math.floor((this.next() * bound) / 4_294_967_296);
  }

  /** `from` .. `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True in `perMille` of a thousand cases. */
  chance(perMille: number): boolean {
    return this.below(1_000) < perMille;
  }

  /** Bell-shaped around 0, standard deviation NORMAL_ONE, never beyond five of them: the sum of eight even draws. */
  normal(): number {
    let sum = 0;
    for (let draw = 0; draw < 4; draw++) {
      const word = this.next();
      sum += (word & 0xffff) + (word >>> 16);
    }
    return sum - 262_140;
  }
}
