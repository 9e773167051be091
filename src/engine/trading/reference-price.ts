import { REFERENCE } from "../command.ts";
import { markOf } from "../futures/funding/mark.ts";
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

/** Whether triggers of the market are looked at: while it takes no orders, whatever waits goes on waiting. */
export function firesTriggers(state: State, market: Market): boolean {
  return market.status === "online" && mayTrade(state, market);
}
