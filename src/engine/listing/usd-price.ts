/** The worth of assets in USD, by indexes alone. Source: domain 5, *Settled (5)*. */
import { pow10 } from "../money/decimal.ts";
import { divCeil, divFloor } from "../money/rounding.ts";
import type { State } from "../state.ts";
import type { Asset } from "./asset.ts";
import { isIndexFresh } from "./index-freshness.ts";

/** Currencies that count as the dollar itself. */
const DOLLARS: readonly string[] = ["USDT", "USD"];
/** Through whose markets other currencies are valued. */
const BRIDGE = "USDT";
const ONE_TO_ONE: UsdPrice = { numerator: 1n, denominator: 1n, isFresh: true };
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
 * The price of an asset by the index of the first listed spot market that it has with USDT, either way round: one that
 * is fresh before one that is stale, which counts as long as there is no other: no bound goes away because sources fall
 * silent. Undefined where there is none.
 */
export function usdPriceOf(state: State, assetId: number): UsdPrice | undefined {
  const asset = state.assets[assetId];
  if (asset !== undefined && DOLLARS.includes(asset.ccy)) return ONE_TO_ONE;
  const bridge = state.assetByCcy.get(BRIDGE);
  if (asset === undefined || bridge === undefined) return undefined;
  let known: UsdPrice | undefined;
  for (const market of state.marketsOf(assetId, bridge.id)) {
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

/** Returns the worth of so many units of an asset, in units of 10^-8 USD, rounded down. */
export function usdValue(asset: Asset, units: bigint, { numerator, denominator }: UsdPrice): bigint {
  return divFloor(units * numerator * pow10(USD_SCALE), denominator * pow10(asset.scale));
}

/** The same, up. */
export function usdValueUp(asset: Asset, units: bigint, { numerator, denominator }: UsdPrice): bigint {
  return divCeil(units * numerator * pow10(USD_SCALE), denominator * pow10(asset.scale));
}

/**
 * Returns the sum of the worth of all these amounts, each rounded down to the unit; undefined while one of them has no
 * price.
 */
export function usdSum(
  state: State,
  amounts: readonly (readonly [assetId: number, units: bigint])[],
): bigint | undefined {
  let sum = 0n;
  for (const [assetId, units] of amounts) {
    const price = usdPriceOf(state, assetId);
    if (price === undefined) return undefined;
    sum += usdValue(state.assets[assetId] as Asset, units, price);
  }
  return sum;
}
