/** What things are worth in USD once more, in plain words. Domain 5 and 6.6. */
import { divideUp, tenTo } from "./numbers.ts";
import type { ModelAsset } from "./records.ts";
import type { ModelVenue } from "./venue.ts";

/** What a coin costs in USDT: by a fresh index if there is one, else by the first that there ever was. */
export function usdPriceOf(
  venue: ModelVenue,
  asset: ModelAsset,
): { readonly above: bigint; readonly below: bigint; readonly isFresh: boolean } | undefined {
  if (asset.ccy === "USDT") return { above: 1n, below: 1n, isFresh: true };
  const prices = venue.markets.flatMap(({ base, quote, index, isStale, pricePrecision, delisted }) => {
    if (index === 0n || delisted) return [];
    const one = tenTo(pricePrecision);
    if (base === asset && quote.ccy === "USDT") return [{ above: index, below: one, isFresh: !isStale }];
    return quote === asset && base.ccy === "USDT" ? [{ above: one, below: index, isFresh: !isStale }] : [];
  });
  return prices.find(({ isFresh }) => isFresh) ?? prices[0];
}

/** So many units in 10^-8 USD, fresh or not; undefined while nobody says what they cost. */
export function usdOf(venue: ModelVenue, asset: ModelAsset, units: bigint): bigint | undefined {
  const price = usdPriceOf(venue, asset);
  return price && (units * price.above * tenTo(8)) / (price.below * tenTo(asset.scale));
}

/** Units that an action brings, or below 0 takes. */
export type Brought = readonly [asset: ModelAsset, units: bigint];

export function sumOf(changes: readonly Brought[], asset: ModelAsset): bigint {
  return changes.reduce((sum, [other, units]) => (other === asset ? sum + units : sum), 0n);
}

/**
 * So many units in 10^-8 USD, down: held without a fresh index they are worth nothing, owed all that they were worth
 * last.
 */
export function usdFor(venue: ModelVenue, asset: ModelAsset, units: bigint): bigint {
  const price = usdPriceOf(venue, asset);
  if (price === undefined || (!price.isFresh && units > 0n)) return 0n;
  const [above, below] = [units * price.above * tenTo(8), price.below * tenTo(asset.scale)];
  return units < 0n ? -divideUp(-above, below) : above / below;
}
