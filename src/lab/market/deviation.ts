import { NORMAL_ONE, type Random } from "./random.ts";

const MILLION = 1_000_000n;
const BASIS_POINT_E8 = 10_000n;

/** How a deviation moves: of the last one `memory` is kept and `fresh` of a new draw added, in millionths. */
export interface Pace {
  readonly memory: bigint;
  /** sqrt(1 - memory^2), so that the spread stays what it is said to be. */
  readonly fresh: bigint;
}

/** Something that strays from where it should be and is drawn back; in 10^-8 of the whole. */
export class Deviation {
  readonly #pace: Pace;
  readonly #spreadBp: bigint;
  readonly #random: Random;
  #valueE8 = 0n;

  /** `spreadBp` is its standard deviation, hundredths of a percent. */
  constructor(spreadBp: number, pace: Pace, random: Random) {
    this.#pace = pace;
    this.#spreadBp = BigInt(spreadBp);
    this.#random = random;
  }

  get valueE8(): bigint {
    return this.#valueE8;
  }

  /** Moves on by so many times. */
  advance(times = 1): void {
    const { memory, fresh } = times === 1 ? this.#pace : paceOf(this.#pace, times);
    const draw = (BigInt(this.#random.normal()) * this.#spreadBp * BASIS_POINT_E8) / BigInt(NORMAL_ONE);
    this.#valueE8 = (this.#valueE8 * memory + draw * fresh) / MILLION;
  }
}

/**
 * The pace of one move that comes to as much as so many. Only what IEEE 754 rounds exactly, so that it is the same
 * everywhere.
 */
function paceOf({ memory }: Pace, times: number): Pace {
  let kept = 1;
  for (let base = Number(memory) / 1e6, left = times; left > 0; left = Math.floor(left / 2), base *= base) {
    if (left % 2 === 1) kept *= base;
  }
  return { memory: BigInt(Math.round(kept * 1e6)), fresh: BigInt(Math.round(Math.sqrt(1 - kept * kept) * 1e6)) };
}

const ONE_E8 = 100_000_000n;

/** A price that is `deviationE8` off. */
export function strayed(price: bigint, deviationE8: bigint): bigint {
  return (price * (ONE_E8 + deviationE8)) / ONE_E8;
}
