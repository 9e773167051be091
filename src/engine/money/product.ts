import * as money from "./int64.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;

/**
 * Fixed memory, in which whole numbers become doubles and doubles whole numbers; see trading/draft.ts for its length.
 */
const words = new BigInt64Array(16);
const halves = new Int32Array(words.buffer);
/** The place of the estimate, after the three figures that it is made of. */
const ESTIMATE = 3;

/** Three conversions, a product and a quotient are each off by a 2^53rd at most: eight of them are more than enough. */
const ERROR = 2 ** -50;
const MOST = 2 ** 62;

/**
 * floor(amount * factor / divisor), exact however large the product is. Neither figure is below 0, and the divisor
 * above it.
 */
export function floorOfProduct(amount: bigint, factor: bigint, divisor: bigint): bigint {
  return quotientOf(amount, factor, divisor, 0n);
}

/** As `floorOfProduct`, rounded up. */
export function ceilOfProduct(amount: bigint, factor: bigint, divisor: bigint): bigint {
  return quotientOf(amount, factor, divisor, divisor - 1n);
}

/**
 * floor((amount * factor + more) / divisor), for `more` below the divisor.
 *
 * A product beyond 64 bits would be allocated, and so would all that follows. Doubles say nearly what the quotient is,
 * from below; what is left to divide then is small, so that it is exact though the product and its estimate are both
 * cut to 64 bits.
 */
function quotientOf(amount: bigint, factor: bigint, divisor: bigint, more: bigint): bigint {
  words[0] = amount;
  words[1] = factor;
  words[2] = divisor;
  const by = double(2);
  const estimate = (double(0) * double(1)) / by;
  const error = estimate * ERROR + 1;
  const isExact = words[0] === amount && words[1] === factor && words[2] === divisor;
  // The rest is below (2 * error + 2) * divisor.
  if (!isExact || !(estimate < MOST && (2 * error + 2) * by < MOST)) return (amount * factor + more) / divisor;
  noteWhole(ESTIMATE, Math.floor(Math.max(0, estimate - error)));
  const low = words[ESTIMATE] as bigint;
  const rest = int64(int64(int64(amount * factor) - int64(low * divisor)) + more);
  return int64(low + int64(rest / divisor));
}

/** The word at a place, as a double. */
function double(place: number): number {
  return (halves[place * 2 + 1] as number) * 2 ** 32 + ((halves[place * 2] as number) >>> 0);
}

/** Puts a double, a whole number from 0 to below 2^62, into the word at a place. */
function noteWhole(place: number, value: number): void {
  halves[place * 2] = value | 0;
  halves[place * 2 + 1] = (value * 2 ** -32) | 0;
}
