/** The worth of an account in USD, for display only: nothing is decided by it. */
import type { Asset } from "../../engine/listing/asset.ts";
import { USD_SCALE, usdPriceOf, usdValue } from "../../engine/listing/usd-price.ts";
import { formatDecimal, pow10 } from "../../engine/money/decimal.ts";
import type { State } from "../../engine/state.ts";
import { holdingsOf } from "../../engine/wallet/worth.ts";

const DECIMALS = 2;

/**
 * The value of all that a user owns in its accounts, less what it owes there, with 2 decimals, rounded down and never
 * below 0. A currency counts by the index of its market in USDT, the last one there was, and for nothing where there is
 * none.
 */
export function usdValueOf(state: State, userId: number): string {
  let value = 0n;
  for (const [assetId, units] of holdingsOf(state, userId)) {
    const price = units === 0n ? undefined : usdPriceOf(state, assetId);
    if (price !== undefined) value += usdValue(state.assets[assetId] as Asset, units, price);
  }
  return formatDecimal(value > 0n ? value / pow10(USD_SCALE - DECIMALS) : 0n, DECIMALS);
}
