/** What an account is worth in USD, for display only: nothing is decided by it. */

import type { Asset } from "../../engine/listing/asset.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import type { State } from "../../engine/state.ts";
import { futuresFunds } from "./futures-funds.ts";

const USD_DECIMALS = 2;
/** Currencies of which one counts as one USD. */
const DOLLARS: readonly string[] = ["USDT", "USD"];

interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * The value of what a user has in its spot and futures accounts, profit on paper included, with 2 decimals, rounded down. A
 * currency counts by the index of its market in USDT, the last one there was, and for nothing where there is none.
 */
export function usdValueOf(state: State, userId: number): string {
  const one = 10n ** BigInt(USD_DECIMALS);
  let cents = 0n;
  for (const asset of state.assets) {
    const units = unitsOf(state, userId, asset);
    const price = units === 0n ? undefined : priceOf(state, asset);
    if (price === undefined) continue;
    cents += (units * price.numerator * one) / (price.denominator * 10n ** BigInt(asset.scale));
  }
  return formatDecimal(cents > 0n ? cents : 0n, USD_DECIMALS);
}

function unitsOf(state: State, userId: number, asset: Asset): bigint {
  const { ledger } = state;
  const cell = ledger.findSpotCell(userId, asset.id);
  const spot = cell < 0 ? 0n : ledger.available(cell) + ledger.frozen(cell);
  const futures = futuresFunds(state, userId, asset);
  return futures === undefined ? spot : spot + futures.sums.cash + futures.margin + futures.unrealized;
}

function priceOf(state: State, { id, ccy }: Asset): Price | undefined {
  if (DOLLARS.includes(ccy)) return { numerator: 1n, denominator: 1n };
  const dollar = state.assetByCcy.get("USDT");
  if (dollar === undefined) return undefined;
  for (const { baseAssetId, index, pricePrecision, delisted } of state.marketsOf(id, dollar.id)) {
    if (delisted || index.price === 0n) continue;
    const grid = 10n ** BigInt(pricePrecision);
    return baseAssetId === id
      ? { numerator: index.price, denominator: grid }
      : { numerator: grid, denominator: index.price };
  }
  return undefined;
}
