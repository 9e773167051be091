/** The worth of one asset in another where no deal decides it. Source: domain 2.6 and 7. */
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { isIndexFresh } from "./index-freshness.ts";

/** Through whose markets a price is found where there is no direct one. */
const BRIDGE_CCY = "USDT";

/** Quote per whole coin of another asset, exactly: `numerator` / `denominator`, both above 0. */
export interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Returns the price of one whole coin of `assetId` in `quoteAssetId`: direct, else through the bridge; undefined where
 * neither has a price.
 */
export function priceBetween(state: State, assetId: number, quoteAssetId: number): Price | undefined {
  const direct = knownPrice(state, assetId, quoteAssetId);
  if (direct !== undefined) return direct;
  const bridge = state.assetByCcy.get(BRIDGE_CCY);
  if (bridge === undefined) return undefined;
  const coin = knownPrice(state, assetId, bridge.id);
  const quote = knownPrice(state, quoteAssetId, bridge.id);
  if (coin === undefined || quote === undefined) return undefined;
  return { numerator: coin.numerator * quote.denominator, denominator: coin.denominator * quote.numerator };
}

/**
 * Returns the price of one of `assetId` in the other asset, by the index of the first listed market of the two, either
 * way round, that has a fresh one: a user who deals with himself sets no price. In rules version 1 by the latest deal,
 * the one under way not counted. Undefined where there is none.
 */
function knownPrice(state: State, assetId: number, inAssetId: number): Price | undefined {
  if (assetId === inAssetId) return { numerator: 1n, denominator: 1n };
  const isByIndex = holds(state, "deductionByIndex");
  for (const market of state.marketsOf(assetId, inAssetId)) {
    const latest = state.lastPrice[market.id] as bigint;
    const ticks = !isByIndex ? latest : isIndexFresh(market) ? market.index.price : 0n;
    if (market.delisted || ticks === 0n) continue;
    const one = 10n ** BigInt(market.pricePrecision);
    return market.baseAssetId === assetId
      ? { numerator: ticks, denominator: one }
      : { numerator: one, denominator: ticks };
  }
  return undefined;
}
