/** What assets are worth in USD, by indexes alone. USDT counts as a dollar. */
import { pow10 } from "../money/decimal.ts";
import { divCeil, divFloor } from "../money/rounding.ts";
import type { State } from "../state.ts";
import type { Asset } from "./asset.ts";
import { isIndexFresh } from "./index-freshness.ts";

const USD_CCY = "USDT";
/** Values in USD are units of 10^-8. */
export const USD_SCALE = 8;

/** The price of one whole coin, exactly. */
export interface UsdPrice {
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** Whether the index that it comes from is fresh. */
  readonly isFresh: boolean;
}

/**
 * The price of an asset by the index of the first listed spot market that it has with USDT, either way round: one that is fresh before
 * one that is stale. Undefined where there is none.
 */
export function usdPriceOf(state: State, assetId: number): UsdPrice | undefined {
  const usd = state.assetByCcy.get(USD_CCY);
  if (usd === undefined) return undefined;
  if (usd.id === assetId) return { numerator: 1n, denominator: 1n, isFresh: true };
  let known: UsdPrice | undefined;
  for (const market of state.marketsOf(assetId, usd.id)) {
    if (market.delisted || market.index.price === 0n) continue;
    const one = pow10(market.pricePrecision);
    const isFresh = isIndexFresh(market);
    const price = market.index.price;
    const isBase = market.baseAssetId === assetId;
    const found = { numerator: isBase ? price : one, denominator: isBase ? one : price, isFresh };
    if (isFresh) return found;
    known ??= found;
  }
  return known;
}

/** What so many units of an asset are worth, down to the unit. */
export function usdValue(asset: Asset, units: bigint, { numerator, denominator }: UsdPrice): bigint {
  return divFloor(units * numerator * pow10(USD_SCALE), denominator * pow10(asset.scale));
}

/** The same, up. */
export function usdValueUp(asset: Asset, units: bigint, { numerator, denominator }: UsdPrice): bigint {
  return divCeil(units * numerator * pow10(USD_SCALE), denominator * pow10(asset.scale));
}
