/** When the engine has to wake up for a market by itself. Source: domain 2.12 and 11.3. */
import { hooks } from "../hooks.ts";
import type { State } from "../state.ts";
import { losesIndexAt } from "./index-freshness.ts";
import type { Market } from "./market.ts";
import { mayTrade, mustStay } from "./status.ts";

/**
 * When the status changes next, ms; Infinity when nothing is to come, or when what is due waits for an obstacle to go.
 */
function nextStatusAt(state: State, market: Market): number {
  if (market.status === "counting_down") return market.biddingAt > 0 ? market.biddingAt : market.onlineAt;
  const opens = market.status === "bidding" && (market.onlineAt > state.timeMs || mayTrade(state, market));
  return opens ? market.onlineAt : Number.POSITIVE_INFINITY;
}

/**
 * Makes sure that the engine wakes up when the market changes its status or leaves, and when something is due of it.
 */
export function scheduleStatus(state: State, market: Market): void {
  scheduleMarket(state, market);
  for (const part of hooks()) {
    for (const { atMs } of part.due?.(state) ?? []) state.nextDueMs = Math.min(state.nextDueMs, atMs);
  }
}

/** The same without what is due of no market. */
export function scheduleMarket(state: State, market: Market): void {
  if (market.delisted) return;
  state.nextDueMs = Math.min(state.nextDueMs, nextStatusAt(state, market));
  state.nextDueMs = Math.min(state.nextDueMs, losesIndexAt(state, market));
  if (market.delistedAt > 0 && !mustStay(state, market)) state.nextDueMs = Math.min(state.nextDueMs, market.delistedAt);
  for (const part of hooks()) {
    for (const { atMs } of part.dueIn?.(state, market) ?? []) state.nextDueMs = Math.min(state.nextDueMs, atMs);
  }
}
