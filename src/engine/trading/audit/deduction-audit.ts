import type { DealEvent } from "../../event.ts";
import type { Asset } from "../../listing/asset.ts";
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";

/** The deduction currency, and what a whole coin of it costs in whole quote: `over` / `under`. */
export interface Coin {
  readonly assetId: number;
  readonly over: bigint;
  readonly under: bigint;
  readonly quoteId: number;
}

/**
 * The coin at the prices that events told, in markets that they did not tell were delisted (`left`); undefined while
 * it has no price in the market's quote. Source: domain 2.6.
 */
export function coinIn(
  state: State,
  prices: ReadonlyMap<number, bigint>,
  left: ReadonlySet<number>,
  marketId: number,
): Coin | undefined {
  const coin = state.assets.find(({ ccy }) => ccy === state.deduction.ccy);
  const bridge = state.assets.find(({ ccy }) => ccy === "USDT");
  const quoteId = (state.markets[marketId] as Market).quoteAssetId;
  if (coin === undefined) return undefined;
  const worth = (id: number, inId: number): readonly [bigint, bigint] | undefined => {
    if (id === inId) return [1n, 1n];
    const traded = state.markets.find(
      ({ id: marketId, baseAssetId: base, quoteAssetId: quote, settlement }) =>
        !settlement.keepsPositions &&
        ((base === id && quote === inId) || (base === inId && quote === id)) &&
        !left.has(marketId) &&
        (prices.get(marketId) ?? 0n) > 0n,
    );
    if (traded === undefined) return undefined;
    const [ticks, one] = [prices.get(traded.id) as bigint, 10n ** BigInt(traded.pricePrecision)];
    return traded.baseAssetId === id ? [ticks, one] : [one, ticks];
  };
  const direct = worth(coin.id, quoteId);
  if (direct !== undefined) return { assetId: coin.id, over: direct[0], under: direct[1], quoteId };
  const [first, second] = bridge === undefined ? [] : [worth(coin.id, bridge.id), worth(quoteId, bridge.id)];
  if (first === undefined || second === undefined) return undefined;
  return { assetId: coin.id, over: first[0] * second[1], under: first[1] * second[0], quoteId };
}

/** Returns the fee of one side of a deal in the coin, rounded up to a unit of it. */
export function deductedFee({ assets, deduction }: State, coin: Coin, deal: DealEvent, rateE8: bigint): bigint {
  const whole = (id: number) => 10n ** BigInt((assets[id] as Asset).scale);
  const over = deal.value * rateE8 * BigInt(100_000_000 - deduction.discountE8) * coin.under * whole(coin.assetId);
  const under = 10n ** 16n * coin.over * whole(coin.quoteId);
  return (over + under - 1n) / under;
}
