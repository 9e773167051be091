import type { State } from "../state.ts";

/** Currencies that count as the dollar itself. */
const DOLLARS = ["USDT", "USD"];
/** Through whose markets other currencies are valued. */
const BRIDGE = "USDT";

/** Dollars per unit of an asset, exactly: `over` / `under`, both above 0. */
export interface UsdPrice {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * What a unit of an asset is worth in dollars by the index of its market with USDT; undefined without one. An old index counts as long as
 * there is no other: no bound goes away because sources fall silent. Source: domain 5, *Settled (5)*.
 */
export function usdPrice(state: State, assetId: number): UsdPrice | undefined {
  const asset = state.assets[assetId];
  if (asset === undefined) return undefined;
  if (DOLLARS.includes(asset.ccy)) return { over: 1n, under: 10n ** BigInt(asset.scale) };
  const bridge = state.assetByCcy.get(BRIDGE);
  if (bridge === undefined) return undefined;
  const market = state
    .marketsOf(assetId, bridge.id)
    .find(({ baseAssetId, index, delisted }) => baseAssetId === assetId && index.price > 0n && !delisted);
  if (market === undefined) return undefined;
  return { over: market.index.price, under: 10n ** BigInt(market.pricePrecision + asset.scale) };
}

/** What amounts of the two are worth in dollars, in 10^-8, rounded down; undefined while one of them has no price. */
export function usdValueE8(
  state: State,
  amounts: readonly (readonly [assetId: number, units: bigint])[],
): bigint | undefined {
  let sum = 0n;
  for (const [assetId, units] of amounts) {
    const price = usdPrice(state, assetId);
    if (price === undefined) return undefined;
    sum += (units * price.over * 100_000_000n) / price.under;
  }
  return sum;
}
