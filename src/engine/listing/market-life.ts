/** How a market opens and leaves by itself. Source: domain 2.12 and 11.3. */
import { DUE_RANK, type Due } from "../due.ts";
import { hooks } from "../hooks.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { uncross, wishedPrice } from "../trading/auction.ts";
import { extend } from "../trading/interruption.ts";
import type { Market } from "./market.ts";
import { mayTrade, mustStay } from "./status.ts";

/** Returns the next changes of the status of a market. A change that waits for an obstacle to go is not due. */
export function statusDue(state: State, market: Market): Due[] {
  const { id, status, biddingAt, onlineAt, delistedAt } = market;
  const due: Due[] = [];
  if (delistedAt > 0 && !mustStay(state, market))
    due.push({ atMs: delistedAt, rank: DUE_RANK.delisting, id, run: () => delist(state, market) });
  if (status === "counting_down" && biddingAt > 0) {
    due.push({ atMs: biddingAt, rank: DUE_RANK.opening, id, run: () => beginBidding(state, market) });
  } else if (status === "counting_down" || (status === "bidding" && mayTrade(state, market))) {
    due.push({ atMs: onlineAt, rank: DUE_RANK.opening, id, run: () => open(state, market) });
  }
  return due;
}

/**
 * Whether an auction or a delisting whose time has come may take place now: what it waited for is gone. Undefined where
 * neither is to come.
 */
export function isStatusDue(state: State, market: Market): boolean | undefined {
  const { timeMs } = state;
  const { status, onlineAt, delisted, delistedAt } = market;
  if (delisted || (status !== "bidding" && delistedAt === 0)) return undefined;
  if (status === "bidding" && onlineAt <= timeMs && mayTrade(state, market)) return true;
  if (!mayWait(state, market)) return false;
  return delistedAt > 0 && delistedAt <= timeMs && !mustStay(state, market);
}

function beginBidding(state: State, market: Market): void {
  market.status = "bidding";
  state.waiting.add(market.id);
  emitRareEvent(state, { type: "market_changed", market: market.name });
}

/**
 * Opens trading in a market. One that has taken bids opens by its auction, after an interruption perhaps by a longer
 * one.
 */
function open(state: State, market: Market): void {
  const hasBids = market.status === "bidding";
  if (hasBids && extend(state, market, wishedPrice(state, market))) return;
  emitRareEvent(state, { type: "market_changed", market: market.name });
  if (hasBids) uncross(state, market);
  market.status = "online";
}

/** Whether a market is of those whose leaving waits for an obstacle to go. */
function mayWait(state: State, { id, futures }: Market): boolean {
  return holds(state, "delistingWaits") && (futures !== undefined || state.margin.terms.has(id));
}

/** Ends what every part has in the market - orders, stop orders, positions; then it is in no list any more. */
function delist(state: State, market: Market): void {
  // Who is bankrupt at the last mark is taken over before it closes the rest: what is missing is the budget's, not the
  // whole fund's.
  if (mayWait(state, market)) {
    for (const part of hooks()) part.lookAfterAccounts?.(state, true);
  }
  for (const part of hooks()) part.onDelisting?.(state, market);
  market.delisted = true;
  state.forgetName(market);
  emitRareEvent(state, { type: "market_changed", market: market.name });
}
