/**
 * The status that its times give a market: it counts down, takes bids for an auction, trades; and the other conditions
 * that may keep it from trading. Source: domain 2.12.
 */
import { PHASE, phaseFor } from "../maintenance/maintenance.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import type { Market, MarketStatus } from "./market.ts";

/** Whether orders of the market can be placed and met now. */
export function isTrading(state: State, market: Market): boolean {
  return market.status === "online" && mayTrade(state, market);
}

/**
 * Whether the market would trade if it were online: it is listed, open to users, and nothing stops the venue's trading.
 */
export function mayTrade(state: State, market: Market): boolean {
  const isOpen = !market.delisted && !market.suspended && market.apiTradingAvailable;
  return isOpen && !state.cancelOnly && phaseFor(state, market.settlement.marketType) === PHASE.open;
}

/**
 * Whether a market that has to leave stays until its index is back and no window keeps liquidations: its positions
 * would be closed, its loans settled at a price that everybody but the venue knows to be old, those of the bankrupt
 * among them. An operator ends the wait by prices, that of a futures market also by emptying its list of sources: by
 * rules version 4 no loan is settled without an index.
 */
export function mustStay(state: State, market: Market): boolean {
  if (!holds(state, "delistingWaits") || !hasExposure(state, market)) return false;
  const hasNoIndex = market.futures === undefined && market.index.price === 0n && holds(state, "marginKeepsIndex");
  return market.index.isStale || hasNoIndex || phaseFor(state, market.settlement.marketType) !== PHASE.open;
}

/** Whether anybody's position or loan hangs on the price of the market. */
function hasExposure({ futures, margin }: State, market: Market): boolean {
  if (market.futures !== undefined) return futures.live.openInterest(market.id) > 0n;
  return (margin.running.get(market.id) ?? 0) > 0;
}

/** Whether the auction of a market is in its second phase, in which what has been placed stands. */
export function isLocked({ timeMs }: Pick<State, "timeMs">, market: Market): boolean {
  const isLocking = market.noCancelAt > 0 && market.noCancelAt <= timeMs;
  return market.status === "bidding" && isLocking && !market.delisted;
}

/**
 * The status that new times give a market. An auction that has begun ends by its opening alone, which timers.ts sees
 * to.
 */
export function statusAt(before: MarketStatus, { biddingAt, onlineAt }: Market, timeMs: number): MarketStatus {
  if (before === "bidding") return "bidding";
  if (onlineAt <= timeMs) return "online";
  return biddingAt > 0 && biddingAt <= timeMs ? "bidding" : "counting_down";
}

/** The sentence that says why a market cannot have the times of `next`; `before` is undefined at its listing. */
export function timesFault(before: Market | undefined, next: Market, timeMs: number): string | undefined {
  const { biddingAt, noCancelAt, onlineAt, delistedAt } = next;
  if (biddingAt !== 0 && next.settlement.auction === undefined) return "A futures market opens without an auction.";
  if (Math.min(biddingAt, noCancelAt, onlineAt, delistedAt) < 0) return "Times are milliseconds since 1970.";
  if (before?.status === "online" && onlineAt > timeMs) {
    return "A market that trades cannot go back to counting down; suspend it instead.";
  }
  if (before !== undefined && before.status !== "counting_down" && biddingAt !== before.biddingAt) {
    return "bidding_at cannot be changed once it has come.";
  }
  if (before !== undefined && noCancelAt !== before.noCancelAt) {
    if (before.status === "online" || isLocked({ timeMs }, before)) {
      return "no_cancel_at cannot be changed once it has come.";
    }
  }
  if (biddingAt === 0) return noCancelAt === 0 ? undefined : "no_cancel_at needs a bidding_at.";
  if (biddingAt >= onlineAt) return "bidding_at must lie before online_at.";
  if (noCancelAt !== 0 && (noCancelAt < biddingAt || noCancelAt > onlineAt)) {
    return "no_cancel_at must lie from bidding_at to online_at, or be 0.";
  }
  const isBegun = before !== undefined && before.status !== "counting_down";
  return onlineAt <= timeMs && !isBegun ? "An auction needs an online_at in the future." : undefined;
}
