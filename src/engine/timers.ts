import { STEP_WORDS } from "./event.ts";
import { emitHappening } from "./happening.ts";
import type { Market } from "./listing/market.ts";
import { INDEX_EVERY_MS, recomputeIndex } from "./listing/price-index.ts";
import { mayTrade, scheduleStatus } from "./listing/status.ts";
import { runMaintenance } from "./maintenance.ts";
import type { State } from "./state.ts";
import { uncross } from "./trading/auction.ts";
import type { Book } from "./trading/book.ts";
import { NONE } from "./trading/order.ts";
import { endResting } from "./trading/resting.ts";
import { endStopsOf } from "./trading/stop-commands.ts";

/** Something that is due of a market. */
interface Due {
  readonly atMs: number;
  /** Of what is due at one time the lower comes first. */
  readonly rank: 0 | 1;
  readonly market: Market;
  readonly run: (state: State, market: Market) => void;
}

/**
 * Does what is due by `state.timeMs`: maintenance first, which says whether anything may trade, then what is due of markets,
 * in the order of its times, delistings before openings, then in order of listing. Source: domain 11.3.
 */
export function runDue(state: State): void {
  state.nextDueMs = Number.POSITIVE_INFINITY;
  runMaintenance(state);
  const due = state.markets.flatMap((market) => dueOf(state, market));
  due.sort((first, second) => first.atMs - second.atMs || first.rank - second.rank);
  for (const { market, run } of due) if (!market.delisted) run(state, market);
  for (const market of state.markets) scheduleStatus(state, market);
}

/** Whether an auction whose time has come may end now: what it waited for is gone. */
export function isOpeningDue(state: State): boolean {
  const { markets, timeMs } = state;
  return markets.some((market) => market.status === "bidding" && market.onlineAt <= timeMs && mayTrade(state, market));
}

function dueOf(state: State, market: Market): Due[] {
  if (market.delisted) return [];
  const { status, biddingAt, onlineAt, delistedAt } = market;
  const due: Due[] = [{ atMs: delistedAt, rank: 0, market, run: delist }];
  if (status === "counting_down") due.push({ atMs: biddingAt, rank: 1, market, run: beginBidding });
  if (status !== "online") due.push({ atMs: onlineAt, rank: 1, market, run: open });
  return due.filter(({ atMs }) => atMs > 0 && atMs <= state.timeMs);
}

function beginBidding(state: State, market: Market): void {
  market.status = "bidding";
  emitHappening(state, { type: "market_changed", market: market.name });
}

/** Lets a market trade. One that has taken bids opens by its auction, which waits while there is no trading. */
function open(state: State, market: Market): void {
  const hasBids = market.status === "bidding";
  if (hasBids && !mayTrade(state, market)) return;
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

/** Cancels every order of the market, buys first, in priority, and every stop order; then the market is in no list any more. */
function delist(state: State, market: Market): void {
  const book = state.books[market.id] as Book;
  for (const side of [0, 1]) {
    for (let slot = book.first(side); slot !== NONE; slot = book.first(side)) {
      state.events.reserve(STEP_WORDS);
      endResting(state, market, slot);
    }
  }
  endStopsOf(state, market);
  market.delisted = true;
  state.forgetName(market);
  emitHappening(state, { type: "market_changed", market: market.name });
}
