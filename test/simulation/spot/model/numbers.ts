/** The few sums that the model needs, on bigints without bound. */

export const INT64_TOP = 9_223_372_036_854_775_807n;
export const SAFE_TOP = 9_007_199_254_740_991n;
export const ONE_E8 = 100_000_000n;

export function tenTo(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/**
 * `text` in units of 10^-decimals; undefined when it is no plain decimal or has digits beyond them. Source: domain 1.1.
 */
export function unitsOf(text: string, decimals: number): bigint | undefined {
  if (!/^\d{1,19}(\.\d{1,18})?$/.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  const fine = BigInt(whole) * tenTo(18) + BigInt(fraction.padEnd(18, "0"));
  const grid = tenTo(18 - decimals);
  return fine % grid === 0n ? fine / grid : undefined;
}

/** Of numbers that are not negative. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

/** To the nearest, halves up; of numbers that are not negative. */
export function divideNear(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

export function least(first: bigint, second: bigint): bigint {
  return first < second ? first : second;
}

export function most(first: bigint, second: bigint): bigint {
  return first > second ? first : second;
}

export function distance(first: bigint, second: bigint): bigint {
  return first > second ? first - second : second - first;
}
