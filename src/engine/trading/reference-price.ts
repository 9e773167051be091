import { REFERENCE } from "../command.ts";
import { waitsForIndex } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { mayTrade } from "../listing/status.ts";
import { divCeil } from "../money/rounding.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";

/** How far from the mark a latest price fires triggers, and what they fire may trade, in hundredths. */
export const TRIGGER_BAND_PERCENT = 5n;

/**
 * Returns the price that triggers are compared with, in ticks; 0 while there is no such price. Before the first deal
 * the index stands in for the latest price; where there is a mark, the latest price counts as far as it lies near the
 * mark. Source: domain 2.11 and 4.10.
 */
export function referencePrice(state: State, market: Market, reference: number): bigint {
  if (reference === REFERENCE.mark_price) return market.settlement.markOf(state, market);
  if (reference === REFERENCE.index_price) return market.index.price;
  const latest = state.lastPrice[market.id] as bigint;
  if (latest === 0n) return market.index.price;
  return latestWatched(state, market, latest);
}

/** A price of a deal as triggers are compared with it. */
export function latestWatched(state: State, market: Market, price: bigint): bigint {
  return holds(state, "heldTriggers") ? nearMark(price, market.settlement.markOf(state, market)) : price;
}

/**
 * A reference price as trails follow it: in a spot market with an index the latest price counts as far as it lies near
 * that, or a deal of one lot at the edge of the spread would move the triggers of all. Source: domain 2.20.
 */
export function followedPrice(state: State, market: Market, reference: number, price: bigint): bigint {
  return reference === REFERENCE.latest_price ? nearMark(price, state.terms.bandIndex(market.id)) : price;
}

/** The price, or the one nearest to it that may fire triggers: without a mark, any. */
function nearMark(price: bigint, mark: bigint): bigint {
  if (mark === 0n) return price;
  const low = divCeil(mark * (100n - TRIGGER_BAND_PERCENT), 100n);
  const high = (mark * (100n + TRIGGER_BAND_PERCENT)) / 100n;
  return price < low ? low : price > high ? high : price;
}

/**
 * Whether triggers of the market that are compared with a price are looked at. While it takes no orders, whatever waits
 * goes on waiting; so does what is compared with the mark or the index of a market with positions, while that is stale.
 */
export function firesTriggers(state: State, market: Market, reference: number): boolean {
  if (market.status !== "online" || !mayTrade(state, market)) return false;
  const isLatest = reference === REFERENCE.latest_price && state.lastPrice[market.id] !== 0n;
  return isLatest || !market.settlement.keepsPositions || !waitsForIndex(state, market);
}
