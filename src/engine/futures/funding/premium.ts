import { divCeil, divFloor, divHalfAwayFromZero } from "../../money/rounding.ts";
import { type Fraction, roundedE8 } from "../positions/fraction.ts";

/** Where the book stands against the index, in 10^-8 of the index. Source: domain 4.11. */
export interface PremiumSample {
  /** ((bid + ask) / 2 - index) / index: what funding is made of. */
  readonly premiumE8: number;
  /** (max(0, bid - index) - max(0, index - ask)) / index: what the mark price leans by. */
  readonly markPremiumE8: number;
}

/** A sample from the two impact prices; `index` in ticks, above 0. Both figures round half away from zero. */
export function premiumSample(bid: Fraction, ask: Fraction, index: bigint): PremiumSample {
  const middle = { num: bid.num * ask.den + ask.num * bid.den, den: 2n * bid.den * ask.den };
  return { premiumE8: premiumOf(middle, index), markPremiumE8: markPremiumOf(bid, ask, index) };
}

function premiumOf({ num, den }: Fraction, index: bigint): number {
  return Number(roundedE8({ num: num - index * den, den: den * index }));
}

/** An uncrossed book lies above the index, below it or around it, so at most one of the two terms is above 0. */
function markPremiumOf(bid: Fraction, ask: Fraction, index: bigint): number {
  if (bid.num > index * bid.den) return premiumOf(bid, index);
  if (ask.num < index * ask.den) return premiumOf(ask, index);
  return 0;
}

const ONE_E8 = 100_000_000n;

/**
 * The mark price in ticks: the index moved by the mean of mark premiums over `count` minutes, whose sum is `sumE8`. Of
 * no minute it is the index. Source: domain 4.11.
 */
export function markPrice(index: bigint, sumE8: number, count: number): bigint {
  if (count === 0) return index;
  const unit = BigInt(count) * ONE_E8;
  const price = divHalfAwayFromZero(index * (unit + BigInt(sumE8)), unit);
  return price < 1n ? 1n : price;
}

/**
 * A mark within `betaE8` (10^-8) of the index, whose bounds are rounded towards it. Worked: with 0.25 % around 60000.00
 * a mark is from 59850.00 to 60150.00. Source: domain 4.11.
 */
export function withinBand(mark: bigint, index: bigint, betaE8: number): bigint {
  const beta = BigInt(betaE8);
  const lowest = divCeil(index * (ONE_E8 - beta), ONE_E8);
  const highest = divFloor(index * (ONE_E8 + beta), ONE_E8);
  return mark < lowest ? lowest : mark > highest ? highest : mark;
}
