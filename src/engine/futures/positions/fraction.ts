import { divHalfAwayFromZero } from "../../money/rounding.ts";

/** An exact quotient; `den` is positive. Prices between ticks travel so until they are rounded once, at the end. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

export function whole(value: bigint): Fraction {
  return { num: value, den: 1n };
}

const ONE_E8 = 100_000_000n;

/** The fraction in 10^-8, rounded half away from zero. */
export function roundedE8({ num, den }: Fraction): bigint {
  return divHalfAwayFromZero(num * ONE_E8, den);
}
