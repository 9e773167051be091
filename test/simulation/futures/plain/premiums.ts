/** Premium samples, mark prices and funding rates from the definitions of domain 4.11 and 4.12. */

import type { Course } from "./accounts.ts";
import { down, e8, least, most, near, per, plus, type Ratio, ratio, times, up } from "./rational.ts";
import type { PlainMarket } from "./records.ts";

export interface Sample {
  readonly minuteMs: number;
  readonly premiumE8: number;
  readonly markPremiumE8: number;
}

/** Displayed lots by price, best first. */
export type Depth = readonly { readonly price: bigint; readonly lots: bigint }[];

const HOUR_MS = 3_600_000;

/** What the rules sample of a book: premium and mark premium in 10^-8. */
export function sampled(
  market: Pick<PlainMarket, "isInverse" | "levels">,
  bids: Depth,
  asks: Depth,
  index: bigint,
): [bigint, bigint] {
  const quantity = most(1n, (market.levels[0]?.amount ?? 0n) / 100n);
  const bid = impact(market, bids, quantity, index);
  const ask = impact(market, asks, quantity, index);
  const against = (price: Ratio) => per(plus(price, ratio(-index)), ratio(index));
  const middle = times(plus(bid, ask), ratio(1n, 2n));
  const above = against(bid);
  const below = against(ask);
  const lean = plus(above.over > 0n ? above : ratio(0n), below.over < 0n ? below : ratio(0n));
  const inE8 = (share: Ratio) => near(times(share, ratio(100_000_000n)));
  return [inE8(against(middle)), inE8(lean)];
}

/**
 * The average price of so many lots, weighed by amount, or by the coin that a contract is worth; what is missing is at
 * the index.
 */
function impact({ isInverse }: Pick<PlainMarket, "isInverse">, depth: Depth, quantity: bigint, index: bigint): Ratio {
  let left = quantity;
  let sum = ratio(0n);
  for (const { price, lots } of [...depth, { price: index, lots: quantity }]) {
    const taken = least(left, lots);
    if (taken > 0n) sum = plus(sum, isInverse ? ratio(taken, price) : ratio(taken * price));
    left -= taken;
  }
  return isInverse ? per(ratio(quantity), sum) : per(sum, ratio(quantity));
}

/**
 * The mark price of an index at a time: by the samples of the minutes of an interval, within the band around the index.
 */
export function markBy(
  market: PlainMarket,
  course: Pick<Course, "index" | "samples" | "intervalH">,
  now: number,
): bigint {
  const { index, samples, intervalH } = course;
  const minutes = intervalH * 60;
  const age = ({ minuteMs }: Sample) => Math.floor(now / 60_000) - minuteMs / 60_000;
  const last = samples.filter((sample) => age(sample) <= minutes);
  const sum = last.reduce((total, { markPremiumE8 }) => total + BigInt(markPremiumE8), 0n);
  const lean = per(e8(sum), ratio(BigInt(minutes)));
  const price = near(times(ratio(index), plus(ratio(1n), lean)));
  const bound = (share: bigint) => times(ratio(index), e8(100_000_000n + share));
  const band = BigInt(market.bandE8);
  const within = least(most(price, up(bound(-band))), down(bound(band)));
  return least(most(within, market.tickSize), market.maxPrice);
}

/**
 * The funding rate of the samples from so many minutes ago on: the mean drawn to 0 by at most 0.03 %, within the cap.
 */
export function rateBy({ levels }: PlainMarket, samples: readonly Sample[], sinceMs: number, minutes: number): number {
  const counted = samples.filter(({ minuteMs }) => minuteMs >= sinceMs);
  if (counted.length === 0) return 0;
  const sum = counted.reduce((total, { premiumE8 }) => total + BigInt(premiumE8), 0n);
  const mean = near(ratio(sum, BigInt(Math.max(counted.length, minutes))));
  const drawn = mean + clamp(-mean, 30_000n);
  return Number(clamp(drawn, down(ratio(BigInt(levels[0]?.initialE8 ?? 0) * 3n, 4n))));
}

function clamp(value: bigint, bound: bigint): bigint {
  return most(-bound, least(bound, value));
}

export { HOUR_MS };
