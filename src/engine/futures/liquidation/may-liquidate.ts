import { isIndexFresh } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { mayTrade } from "../../listing/status.ts";
import type { State } from "../../state.ts";

/** Whether positions of a market may be liquidated now: it trades, and its index is fresh. */
export function mayLiquidate(state: State, market: Market): boolean {
  return isIndexFresh(market) && market.status === "online" && mayTrade(state, market);
}
