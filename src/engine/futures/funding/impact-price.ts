import { type Fraction, whole } from "../positions/fraction.ts";

/** A displayed price level: ticks and lots (contracts). */
export interface Level {
  readonly price: bigint;
  readonly lots: bigint;
}

/**
 * The average price at which `quantity` lots would trade against the displayed levels, best first, in ticks. What a
 * side lacks to that stands at the index; with `asFarAsItGoes`, of rules version 1, only an empty one does, and a
 * thinner one counts as far as it goes. Linear contracts weigh prices by amount, inverse ones by the coin that a
 * contract is worth: quantity / Σ(lots / price). Worked: of 10 lots 1 at 110 with the index at 100 gives 101. Source:
 * domain 4.11.
 */
export function impactPrice(
  levels: Iterable<Level>,
  quantity: bigint,
  inverse: boolean,
  index: bigint,
  asFarAsItGoes = false,
): Fraction {
  let left = quantity;
  // Linear: Σ price · lots over 1; inverse: Σ lots / price, kept as one fraction.
  let num = 0n;
  let den = 1n;
  const take = (price: bigint, lots: bigint): void => {
    left -= lots;
    if (inverse) {
      num = num * price + lots * den;
      den *= price;
    } else num += price * lots;
  };
  for (const { price, lots } of levels) {
    if (left <= 0n) break;
    take(price, lots < left ? lots : left);
  }
  if (left === quantity) return whole(index);
  if (left > 0n && !asFarAsItGoes) take(index, left);
  const met = quantity - left;
  return inverse ? { num: met * den, den: num } : { num, den: met };
}
