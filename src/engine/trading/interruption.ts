/**
 * The volatility interruption of a spot market: a deal whose price would leave its reference too far is not made; the
 * market takes bids instead and reopens by a call auction, near what it was held to. The reference is the index, told
 * or silent, and for a window the price of a reopening; where a market has no index, the earliest price within a
 * window. Source: domain 2.9.
 *
 * Matching asks it of each deal: two comparisons with what stands ready in `ListingSpec`, worked out once for each
 * order.
 */

import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Interruption, Market, RecentPrice } from "../listing/market.ts";
import { INT64_MAX } from "../money/int64.ts";
import { divCeil, divFloor } from "../money/rounding.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";

const ONE_E8 = 100_000_000n;
/** A window remembers the first price of each of so many parts, whatever is traded in it. */
const WINDOW_PARTS = 60;
const NEVER = -1;
/**
 * A market is interrupted no more often within an hour: beyond that deals are held, and nobody stops it again and
 * again.
 */
const CALLS_MAX = 3;
const CALLS_WINDOW_MS = 3_600_000;
/** So many moves from what it is held to an auction may open, once it was extended. */
const EXTENDED_MOVES = 2n;

/** Ticks between which deals may be made, both included. */
export interface Reach {
  readonly low: bigint;
  readonly high: bigint;
}

const ANYWHERE: Reach = { low: 0n, high: INT64_MAX };

/** Notes between which prices the order that is about to trade may do so. */
export function noteReach(state: State, market: Market): void {
  const { terms, timeMs } = state;
  // An index may be another at each order.
  const isByIndex = isAnchored(state, market);
  if (!isByIndex && timeMs <= terms.reachUntil(market.id)) return;
  const reach = reachOf(state, market, 0n);
  const earliest = isByIndex ? undefined : earliestPrice(state, market);
  const until = earliest === undefined ? NEVER : earliest.atMs + (market.interruption as Interruption).windowMs;
  terms.noteReach(market.id, reach.low, reach.high, until);
}

/**
 * Between which prices deals may be made now; where nothing is known, around `otherwise`, and without that anywhere.
 */
export function reachOf(state: State, market: Market, otherwise: bigint): Reach {
  const { interruption, index } = market;
  if (interruption === undefined || !holds(state, "interruptions")) return ANYWHERE;
  if (isAnchored(state, market)) {
    return around(reopeningPrice(state, market) ?? index.price, interruption, 1n);
  }
  const reference = earliestPrice(state, market)?.price ?? (isIndexFresh(market) ? index.price : otherwise);
  return reference === 0n ? ANYWHERE : around(reference, interruption, 1n);
}

/** Whether the index is the reference. */
function isAnchored(state: State, { index }: Pick<Market, "index">): boolean {
  return index.price > 0n && holds(state, "anchoredInterruptions");
}

function around(reference: bigint, { moveE8 }: Interruption, moves: bigint): Reach {
  const move = BigInt(moveE8) * moves;
  return {
    low: move >= ONE_E8 ? 1n : divCeil(reference * (ONE_E8 - move), ONE_E8),
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

/**
 * Stops the market's trading, because a deal at `price` would have left the reference: it takes bids until it reopens.
 * False where it was stopped often enough within the hour: then the deal is not made, and trading goes on.
 */
export function interrupt(state: State, market: Market, price: bigint): boolean {
  const { timeMs } = state;
  const { auctionMs } = market.interruption as Interruption;
  const { low, high } = reachOf(state, market, 0n);
  if (holds(state, "anchoredInterruptions")) {
    const calledAt = (market.halt?.calledAt ?? []).filter((atMs) => timeMs - atMs < CALLS_WINDOW_MS);
    if (calledAt.length >= CALLS_MAX) return false;
    const reference = earliestPrice(state, market)?.price ?? price;
    market.halt = { reference, calledAt: [...calledAt, timeMs], isExtended: false, reopening: undefined };
  }
  market.status = "bidding";
  state.waiting.add(market.id);
  market.biddingAt = timeMs;
  market.noCancelAt = 0;
  market.onlineAt = timeMs + auctionMs;
  forgetPrices(state, market);
  tellInterrupted(state, market, price, { low, high });
  return true;
}

/** Between which prices an auction may open; undefined of one that nothing holds, which opens where its orders say. */
export function openingReach(state: State, market: Market): Reach | undefined {
  return heldTo(state, market, EXTENDED_MOVES);
}

/**
 * Extends the auction of an interruption once instead of opening at `price`, more than a move from what it is
 * held to; so everybody hears of it, and anyone who knows better bids. False when it may open; undefined as a price:
 * nothing would trade.
 */
export function extend(state: State, market: Market, price: bigint | undefined): boolean {
  const { halt, interruption } = market;
  const reach = heldTo(state, market, 1n);
  if (reach === undefined || halt === undefined || halt.isExtended || price === undefined) return false;
  if (price >= reach.low && price <= reach.high) return false;
  market.halt = { ...halt, isExtended: true };
  market.onlineAt = state.timeMs + (interruption as Interruption).auctionMs;
  tellInterrupted(state, market, price, reach);
  return true;
}

/** An operator who says when an interrupted market opens is not asked to wait once more. */
export function openAsTold(market: Market): void {
  if (market.halt !== undefined) market.halt = { ...market.halt, isExtended: true };
}

/**
 * Whether a market is interrupted and has been for as long as anything that must not wait may be held up: for the time
 * of one auction, and once within an hour. Anyone who calls an interruption by one lot holds nobody's liquidation up
 * for longer. Source: domain 2.9 and 3.5.
 */
export function isHeldTooLong(state: State, { status, halt, interruption }: Market): boolean {
  if (status !== "bidding" || halt === undefined || interruption === undefined) return false;
  if (!holds(state, "interruptionsHoldOnce")) return false;
  const [first = 0, ...more] = halt.calledAt.filter((atMs) => state.timeMs - atMs < CALLS_WINDOW_MS);
  return more.length > 0 || state.timeMs - first >= interruption.auctionMs;
}

/** Remembers where an interrupted market reopened by what had rested, if that would have traded. */
export function noteReopening(state: State, market: Market, price: bigint | undefined): void {
  const { halt } = market;
  if (halt === undefined || price === undefined) return;
  market.halt = { ...halt, reopening: { atMs: state.timeMs, price } };
}

/**
 * Holds an interrupted market without an index, which has opened at another price, to that of what had rested, or
 * without one to what the auction was held to.
 */
export function holdToRested(state: State, market: Market, price: bigint | undefined): void {
  const { halt } = market;
  if (halt === undefined || market.interruption === undefined) return;
  forgetPrices(state, market);
  market.recentPrices.push({ atMs: state.timeMs, price: price ?? halt.reference });
}

/** Forgets all prices: what comes next is the reference. */
export function forgetPrices(state: State, market: Market): void {
  market.recentPrices.length = 0;
  state.terms.noteReach(market.id, 0n, INT64_MAX, NEVER);
}

/**
 * So many moves around what a market that takes bids is held to: its index, or without one what it was held to when it
 * was interrupted. Undefined where there is neither, and before rules version 5 of one that is not interrupted.
 */
function heldTo(state: State, market: Market, moves: bigint): Reach | undefined {
  const { halt, interruption, index, status } = market;
  if (interruption === undefined || status !== "bidding") return undefined;
  if (!isAnchored(state, market)) return halt && around(halt.reference, interruption, moves);
  if (halt === undefined && !holds(state, "openingsByIndex")) return undefined;
  return around(index.price, interruption, moves);
}

/** The price of a reopening within the window. */
function reopeningPrice(state: State, market: Market): bigint | undefined {
  const reopening = market.halt?.reopening;
  return reopening !== undefined && isRecent(state, market, reopening) ? reopening.price : undefined;
}

function tellInterrupted(state: State, market: Market, price: bigint, { low, high }: Reach): void {
  state.nextDueMs = Math.min(state.nextDueMs, market.onlineAt);
  emitRareEvent(state, { type: "market_changed", market: market.name });
  emitRareEvent(state, {
    type: "market_interrupted",
    marketId: market.id,
    price: price.toString(),
    low: low.toString(),
    high: high.toString(),
    untilMs: market.onlineAt,
  });
}

/** The first price of the window. Reads only: what is older goes with the next deal. */
function earliestPrice(state: State, market: Market): RecentPrice | undefined {
  return market.recentPrices.find((price) => isRecent(state, market, price));
}

function isRecent({ timeMs }: State, { interruption }: Market, { atMs }: RecentPrice): boolean {
  return timeMs - atMs <= (interruption as Interruption).windowMs;
}
