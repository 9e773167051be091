import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";

/**
 * Returns the fee rates of a user in a market, in 10^-8: the user's own rates where there are any, else those of the
 * market.
 */
export function feeRatesOf({ users }: State, userId: number, market: Market): { maker: number; taker: number } {
  const isFutures = market.futures !== undefined;
  // A market with a pool has one rate for everybody.
  const hasOwn = market.pool === undefined;
  const maker = isFutures ? users.futuresMakerFeeRateE8(userId) : hasOwn ? users.makerFeeRateE8(userId) : -1;
  const taker = isFutures ? users.futuresTakerFeeRateE8(userId) : hasOwn ? users.takerFeeRateE8(userId) : -1;
  return { maker: maker < 0 ? market.makerFeeRateE8 : maker, taker: taker < 0 ? market.takerFeeRateE8 : taker };
}
