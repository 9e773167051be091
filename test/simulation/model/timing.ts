import { uncross } from "./auction.ts";
import { endResting } from "./book.ts";
import { mayTrade } from "./checks.ts";
import type { ModelMarket } from "./records.ts";
import { endStop } from "./stopping.ts";
import type { ModelVenue } from "./venue.ts";
import { forgetWindows } from "./windows.ts";

/** Domain 11.3: what has become due of markets by now, by time, delistings first, then by listing. */
export function runDue(venue: ModelVenue): void {
  forgetWindows(venue);
  const due: { at: number; rank: number; market: ModelMarket; run: () => void }[] = [];
  for (const market of venue.markets) {
    due.push({ at: market.delistedAt, rank: 0, market, run: () => delist(venue, market) });
    if (market.status === "counting_down") {
      due.push({ at: market.biddingAt, rank: 1, market, run: () => (market.status = "bidding") });
    }
    if (market.status !== "online") due.push({ at: market.onlineAt, rank: 1, market, run: () => open(venue, market) });
  }
  const ordered = due
    .filter(({ at }) => at > 0 && at <= venue.timeMs)
    .sort((one, other) => one.at - other.at || one.rank - other.rank || one.market.id - other.market.id);
  for (const { market, run } of ordered) if (!market.delisted) run();
}

/** Domain 2.12: after an operator's command an auction that waited may open. */
export function runWaiting(venue: ModelVenue): void {
  const waits = (market: ModelMarket) => market.status === "bidding" && market.onlineAt <= venue.timeMs;
  if (venue.markets.some((market) => waits(market) && mayTrade(venue, market))) runDue(venue);
}

/** Domain 2.12. */
function open(venue: ModelVenue, market: ModelMarket): void {
  const bids = market.status === "bidding";
  if (bids && !mayTrade(venue, market)) return;
  market.status = "online";
  if (bids) uncross(venue, market);
}

/** Domain 2.12. */
function delist(venue: ModelVenue, market: ModelMarket): void {
  for (const order of [...market.buys, ...market.sells]) endResting(venue, market, order);
  for (const stop of venue.stops.filter(({ marketId }) => marketId === market.id)) endStop(venue, stop);
  market.delisted = true;
}
