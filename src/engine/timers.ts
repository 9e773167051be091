import { DUE_RANK, type Due, isBefore } from "./due.ts";
import { STEP_WORDS } from "./event.ts";
import { closePositions } from "./futures/delisting.ts";
import { futuresDue, settlementDue } from "./futures/due.ts";
import { emitHappening } from "./happening.ts";
import type { Market } from "./listing/market.ts";
import { INDEX_EVERY_MS, recomputeIndex } from "./listing/price-index.ts";
import { scheduleStatus } from "./listing/schedule.ts";
import { mayTrade } from "./listing/status.ts";
import { runMaintenance } from "./maintenance/maintenance.ts";
import type { State } from "./state.ts";
import { endStopsOf } from "./stops/stop-commands.ts";
import { uncross } from "./trading/auction.ts";
import type { Book } from "./trading/book.ts";
import { NONE } from "./trading/order.ts";
import { endResting } from "./trading/resting.ts";

/**
 * Does what is due by `state.timeMs`: maintenance first, which says whether anything may trade, then the rest in the order of
 * its times, at one time by rank, then in order of listing. What comes again and again, such as funding, comes as often as
 * it was missed. Source: domain 11.3.
 */
export function runDue(state: State): void {
  state.nextDueMs = Number.POSITIVE_INFINITY;
  runMaintenance(state);
  for (let due = earliest(state); due !== undefined && due.atMs <= state.timeMs; due = earliest(state)) {
    state.events.reserve(STEP_WORDS);
    due.run();
  }
  for (const market of state.markets) scheduleStatus(state, market);
}

/** What is due next of all, if anything is to come. */
function earliest(state: State): Due | undefined {
  let first: Due | undefined;
  for (const due of settlementDue(state)) first = due;
  for (const market of state.markets) {
    for (const due of dueOf(state, market)) if (first === undefined || isBefore(due, first)) first = due;
  }
  return first;
}

/** Whether an auction whose time has come may end now: what it waited for is gone. */
export function isOpeningDue(state: State): boolean {
  const { markets, timeMs } = state;
  return markets.some((market) => market.status === "bidding" && market.onlineAt <= timeMs && mayTrade(state, market));
}

/** What is to come of a market. What waits for an obstacle to go is not due. */
function dueOf(state: State, market: Market): Due[] {
  if (market.delisted) return [];
  const { id, status, biddingAt, onlineAt, delistedAt } = market;
  const due = market.futures === undefined ? [] : futuresDue(state, market);
  if (delistedAt > 0) due.push({ atMs: delistedAt, rank: DUE_RANK.delisting, id, run: () => delist(state, market) });
  if (status === "counting_down" && biddingAt > 0) {
    due.push({ atMs: biddingAt, rank: DUE_RANK.opening, id, run: () => beginBidding(state, market) });
  } else if (status === "counting_down" || (status === "bidding" && mayTrade(state, market))) {
    due.push({ atMs: onlineAt, rank: DUE_RANK.opening, id, run: () => open(state, market) });
  }
  return due;
}

function beginBidding(state: State, market: Market): void {
  market.status = "bidding";
  emitHappening(state, { type: "market_changed", market: market.name });
}

/** Lets a market trade. One that has taken bids opens by its auction. */
function open(state: State, market: Market): void {
  const hasBids = market.status === "bidding";
  emitHappening(state, { type: "market_changed", market: market.name });
  if (hasBids) uncross(state, market);
  market.status = "online";
}

/** On a tick: sources grow stale without any command, so each index is looked at again every few seconds. */
export function refreshIndexes(state: State): void {
  for (const market of state.markets) {
    if (market.delisted || market.index.sources.length === 0) continue;
    if (state.timeMs - market.index.updatedAt >= INDEX_EVERY_MS) recomputeIndex(state, market);
  }
}

/**
 * Cancels every order of the market, buys first, in priority, and every stop order, and closes the positions of a futures
 * market; then the market is in no list any more.
 */
function delist(state: State, market: Market): void {
  const book = state.books[market.id] as Book;
  for (const side of [0, 1]) {
    for (let slot = book.first(side); slot !== NONE; slot = book.first(side)) {
      state.events.reserve(STEP_WORDS);
      endResting(state, market, slot);
    }
  }
  endStopsOf(state, market);
  if (market.futures !== undefined) closePositions(state, market);
  market.delisted = true;
  state.forgetName(market);
  emitHappening(state, { type: "market_changed", market: market.name });
}
