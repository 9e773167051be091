import { REFERENCE } from "../command.ts";
import { markOf } from "../futures/funding/mark.ts";
import { waitsForIndex } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { mayTrade } from "../listing/status.ts";
import type { State } from "../state.ts";

/**
 * What triggers are compared with, in ticks; 0 while there is no such price. Before the first deal the index stands in for
 * the latest price. Source: domain 2.11 and 4.10.
 */
export function referencePrice(state: State, market: Market, reference: number): bigint {
  if (reference === REFERENCE.mark_price) return markOf(state, market);
  if (reference === REFERENCE.index_price) return market.index.price;
  const latest = state.lastPrice[market.id] as bigint;
  return latest === 0n ? market.index.price : latest;
}

/**
 * Whether triggers of the market that are compared with a price are looked at. While it takes no orders, whatever waits goes on
 * waiting; so does what is compared with the mark or the index of a futures market, while that is stale.
 */
export function firesTriggers(state: State, market: Market, reference: number): boolean {
  if (market.status !== "online" || !mayTrade(state, market)) return false;
  const isLatest = reference === REFERENCE.latest_price && state.lastPrice[market.id] !== 0n;
  return isLatest || market.futures === undefined || !waitsForIndex(state, market);
}
