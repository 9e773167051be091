import { type Fraction, whole } from "../positions/fraction.ts";

/** A displayed price level: ticks and lots (contracts). */
export interface Level {
  readonly price: bigint;
  readonly lots: bigint;
}

/**
 * The average price at which `quantity` lots would trade against the displayed levels, best first, in ticks. A side thinner
 * than that counts as far as it goes; an empty one stands at the index. Linear contracts weigh prices by amount, inverse
 * ones by the coin that a contract is worth: quantity / Σ(lots / price). Source: domain 4.11.
 */
export function impactPrice(levels: Iterable<Level>, quantity: bigint, inverse: boolean, index: bigint): Fraction {
  let left = quantity;
  // Linear: Σ price · lots over 1; inverse: Σ lots / price, kept as one fraction.
  let num = 0n;
  let den = 1n;
  for (const { price, lots } of levels) {
    if (left <= 0n) break;
    const taken = lots < left ? lots : left;
    left -= taken;
    if (inverse) {
      num = num * price + taken * den;
      den *= price;
    } else num += price * taken;
  }
  const met = quantity - left;
  if (met === 0n) return whole(index);
  return inverse ? { num: met * den, den: num } : { num, den: met };
}
