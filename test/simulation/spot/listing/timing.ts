import { openingPrice, uncross } from "../auctions/auction.ts";
import type { ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting } from "../orders/book.ts";
import { couldTrade } from "../orders/checks.ts";
import { closePool, endDay } from "../pools/providing.ts";
import { endStop } from "../stops/stopping.ts";
import { prolong } from "./interruption.ts";

/** Something that happens to a market at a time. */
interface Due {
  readonly market: ModelMarket;
  readonly at: number;
  readonly what: "day" | "delist" | "bid" | "open";
}

/** Domain 11.3: what has become due by now, in the order of its times. */
export function runDue(venue: ModelVenue): void {
  for (;;) {
    const due = venue.markets.flatMap((market) => dueOf(venue, market)).sort(comesFirst)[0];
    if (due === undefined) return;
    if (due.what === "day") endDay(venue, due.market);
    else if (due.what === "delist") delist(venue, due.market);
    else if (due.what === "bid") due.market.status = "bidding";
    else open(venue, due.market);
  }
}

/** Opens the markets whose auctions are over and that a command has let trade again, in the order of their times. */
export function openWaiting(venue: ModelVenue): void {
  const waiting = venue.markets.filter(({ status }) => status === "bidding").flatMap((market) => dueOf(venue, market));
  for (const { market } of waiting.filter(({ what }) => what === "open").sort(comesFirst)) open(venue, market);
}

function dueOf(venue: ModelVenue, market: ModelMarket): Due[] {
  const { status, biddingAt, onlineAt, delistedAt } = market;
  if (market.delisted) return [];
  const due: Due[] = [];
  if (market.pool !== undefined) due.push({ market, at: market.pool.midnight, what: "day" });
  if (delistedAt > 0) due.push({ market, at: delistedAt, what: "delist" });
  if (status === "counting_down" && biddingAt > 0) due.push({ market, at: biddingAt, what: "bid" });
  else if (status === "counting_down") due.push({ market, at: onlineAt, what: "open" });
  else if (status === "bidding" && couldTrade(venue, market)) due.push({ market, at: onlineAt, what: "open" });
  return due.filter(({ at }) => at <= venue.timeMs);
}

/** By time, days of pools first, then delistings, then in the order of listing. */
function comesFirst(one: Due, other: Due): number {
  if (one.at !== other.at) return one.at - other.at;
  for (const what of ["day", "delist"] as const) {
    if (one.what !== other.what && (one.what === what || other.what === what)) return one.what === what ? -1 : 1;
  }
  return one.market.id - other.market.id;
}

function open(venue: ModelVenue, market: ModelMarket): void {
  const isAuction = market.status === "bidding";
  if (isAuction && prolong(venue, market, openingPrice(market))) return;
  if (isAuction) uncross(venue, market);
  market.status = "online";
}

/** Domain 2.12. */
function delist(venue: ModelVenue, market: ModelMarket): void {
  for (const order of [...market.buys, ...market.sells]) endResting(venue, market, order);
  for (const stop of venue.stops.filter(({ marketId }) => marketId === market.id)) endStop(venue, stop);
  closePool(venue, market);
  market.delisted = true;
}
