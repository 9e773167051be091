import { parseDecimal } from "./decimal.ts";
import * as money from "./int64.ts";

/** Rates are units of 10^-8. */
export const RATE_SCALE = 8;
export const RATE_ONE_E8 = 100_000_000;

const ONE = 100_000_000n;

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;

/**
 * Fee on `amount` at `rateE8`: ceil(amount * rate / 10^8), so the payer carries the remainder. For rates below 1 it
 * never exceeds the amount. Example: 0.33333300 at 0.2 % is 0.00066667.
 *
 * The product may pass 2^63, so the amount is split into whole hundred-millions and a rest; both parts fit int64 and
 * the sum is exact: (q * 10^8 + r) * rate / 10^8 = q * rate + r * rate / 10^8.
 */
export function feeOn(amount: bigint, rateE8: bigint): bigint {
  const whole = int64(amount / ONE);
  const rest = int64(amount - int64(whole * ONE));
  return int64(int64(whole * rateE8) + int64(int64(int64(rest * rateE8) + 99_999_999n) / ONE));
}

/** A rate in [0, 1) with at most 8 decimals (listing check L5); undefined when it is not one. */
export function parseRateE8(text: string): number | undefined {
  const rate = parseDecimal(text, RATE_SCALE);
  return rate === undefined || rate >= ONE ? undefined : Number(rate);
}

/** Whether a number is a rate in units of 10^-8: from 0 to below 1. */
export function isRate(rateE8: number): boolean {
  return Number.isInteger(rateE8) && rateE8 >= 0 && rateE8 < RATE_ONE_E8;
}
