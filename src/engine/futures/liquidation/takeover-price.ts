import type { Market } from "../../listing/market.ts";
import { ceilToTick, type FuturesSpec, floorToTick, priceOfValue, signOf, valueAtMark } from "../positions/contract.ts";

/**
 * The worst price, in ticks, at which so many lots of a position can be closed by an equity that stands behind them;
 * the widest that the market has where the equity bears any. Source: domain 4.13.
 */
export function takeoverPrice(market: Market, isShort: boolean, lots: bigint, mark: bigint, equity: bigint): bigint {
  const terms = market.futures as FuturesSpec;
  const sign = signOf(terms, isShort);
  const value = valueAtMark(terms, mark, lots, sign) - sign * equity;
  if (value <= 0n) return isShort ? market.maxPrice : terms.tickSize;
  const price = priceOfValue(terms, lots, { num: value, den: 1n });
  return isShort ? floorToTick(price, terms.tickSize) : ceilToTick(price, terms.tickSize);
}
