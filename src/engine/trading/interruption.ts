/**
 * The volatility interruption of a spot market: a deal whose price would leave its reference too far is not made; the market takes
 * bids instead and reopens by a call auction. The reference is the earliest price within a window: that of the reopening, where
 * the market was interrupted in it, else that of a deal, else the index. Source: domain 2.9.
 *
 * Matching asks it of each deal: two comparisons with what stands ready in `MarketTerms`, worked out once for each order.
 */
import { emitHappening } from "../happening.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Interruption, Market, RecentPrice } from "../listing/market.ts";
import { INT64_MAX } from "../money/int64.ts";
import { divCeil, divFloor } from "../money/rounding.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";

const ONE_E8 = 100_000_000n;
/** A window remembers the first price of each of so many parts, whatever is traded in it. */
const WINDOW_PARTS = 60;
const NEVER = -1;

/** Ticks between which deals may be made, both included. */
export interface Reach {
  readonly low: bigint;
  readonly high: bigint;
}

const ANYWHERE: Reach = { low: 0n, high: INT64_MAX };

/** Notes between which prices the order that is about to trade may do so. */
export function noteReach(state: State, market: Market): void {
  const { terms, timeMs } = state;
  if (timeMs <= terms.reachUntil(market.id)) return;
  const reach = reachOf(state, market, 0n);
  const earliest = earliestPrice(state, market);
  const until = earliest === undefined ? NEVER : earliest.atMs + (market.interruption as Interruption).windowMs;
  terms.noteReach(market.id, reach.low, reach.high, until);
}

/** Between which prices deals may be made now; where nothing is known, around `otherwise`, and without that anywhere. */
export function reachOf(state: State, market: Market, otherwise: bigint): Reach {
  const { interruption } = market;
  if (interruption === undefined || !holds(state, "interruptions")) return ANYWHERE;
  const reference = earliestPrice(state, market)?.price ?? (isIndexFresh(market) ? market.index.price : otherwise);
  if (reference === 0n) return ANYWHERE;
  const move = BigInt(interruption.moveE8);
  return {
    low: divCeil(reference * (ONE_E8 - move), ONE_E8),
    high: divFloor(reference * (ONE_E8 + move), ONE_E8),
  };
}

/** Remembers the price of a deal, of each part of the window the first. */
export function notePrice(state: State, market: Market, price: bigint): void {
  const { windowMs } = market.interruption as Interruption;
  const { recentPrices } = market;
  while (recentPrices[0] !== undefined && !isRecent(state, market, recentPrices[0])) recentPrices.shift();
  const { terms, timeMs } = state;
  const last = recentPrices.at(-1);
  const partMs = Math.ceil(windowMs / WINDOW_PARTS);
  if (last !== undefined && Math.floor(last.atMs / partMs) === Math.floor(timeMs / partMs)) return;
  const isFirst = last === undefined;
  recentPrices.push({ atMs: timeMs, price });
  // An order that no reference holds is held to its own first price; one that the index holds stays with that.
  if (isFirst && terms.reachHigh(market.id) === INT64_MAX) noteReach(state, market);
}

/** Stops the market's trading, because a deal at `price` would have left the reference: it takes bids until it reopens. */
export function interrupt(state: State, market: Market, price: bigint): void {
  const { auctionMs } = market.interruption as Interruption;
  const { low, high } = reachOf(state, market, 0n);
  market.status = "bidding";
  market.biddingAt = state.timeMs;
  market.noCancelAt = 0;
  market.onlineAt = state.timeMs + auctionMs;
  forgetPrices(state, market);
  state.nextDueMs = Math.min(state.nextDueMs, market.onlineAt);
  emitHappening(state, { type: "market_changed", market: market.name });
  emitHappening(state, {
    type: "market_interrupted",
    marketId: market.id,
    price: price.toString(),
    low: low.toString(),
    high: high.toString(),
    untilMs: market.onlineAt,
  });
}

/** Forgets all prices: what comes next is the reference. */
export function forgetPrices(state: State, market: Market): void {
  market.recentPrices.length = 0;
  state.terms.noteReach(market.id, 0n, INT64_MAX, NEVER);
}

/** The first price of the window. Reads only: what is older goes with the next deal. */
function earliestPrice(state: State, market: Market): RecentPrice | undefined {
  return market.recentPrices.find((price) => isRecent(state, market, price));
}

function isRecent({ timeMs }: State, { interruption }: Market, { atMs }: RecentPrice): boolean {
  return timeMs - atMs <= (interruption as Interruption).windowMs;
}
