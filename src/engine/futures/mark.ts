/**
 * The mark price: what positions are valued at. Source: domain 4.11.
 *
 * The one place that sets it. Called whenever the index of a futures market changes; the mean of the premium samples will
 * be worked in here.
 */
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";

/** Ticks; 0 before the market's first index. */
export function markOf({ futures }: State, market: Market): bigint {
  return futures.live.mark(market.id);
}

/** Works out the mark of a futures market anew: without premium samples it is the index. */
export function refreshMark({ futures }: State, market: Market): void {
  futures.live.setMark(market.id, market.index.price);
}
