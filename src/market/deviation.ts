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

  advance(): void {
    const draw = (BigInt(this.#random.normal()) * this.#spreadBp * BASIS_POINT_E8) / BigInt(NORMAL_ONE);
    this.#valueE8 = (this.#valueE8 * this.#pace.memory + draw * this.#pace.fresh) / MILLION;
  }
}

const ONE_E8 = 100_000_000n;

/** A price that is `deviationE8` off. */
export function strayed(price: bigint, deviationE8: bigint): bigint {
  return (price * (ONE_E8 + deviationE8)) / ONE_E8;
}
