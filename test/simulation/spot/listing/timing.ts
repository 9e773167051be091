import { SPOT_PARTS } from "../../parts.ts";
import { openingPrice, uncross } from "../auctions/auction.ts";
import { phase } from "../maintenance/windows.ts";
import { lending } from "../margin/account.ts";
import { leaveMargin, lookAfterMargin } from "../margin/liquidation.ts";
import type { ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { endResting } from "../orders/book.ts";
import { couldTrade } from "../orders/checks.ts";
import type { ModelDue } from "../part.ts";
import { closePool, endDay } from "../pools/providing.ts";
import { endStop } from "../stops/stopping.ts";
import { prolong } from "./interruption.ts";

/**
 * Domain 11.3: what has become due by now, in the order of its times; of `waiting` only what a command has made
 * possible.
 */
export function runDue(venue: ModelVenue, waiting = false): void {
  for (;;) {
    const all = SPOT_PARTS.flatMap(({ due }) => due?.(venue) ?? []).filter(({ at }) => at <= venue.timeMs);
    const [due] = all.filter(({ isWaiting }) => !waiting || isWaiting).sort(comesFirst);
    if (due === undefined) return;
    due.run();
  }
}

/** Opens markets whose auctions are over and that a command has let trade again, and what else has waited. */
export function openWaiting(venue: ModelVenue): void {
  runDue(venue, true);
}

/** What markets have due: days of pools, delistings, auctions and openings. */
export function marketsDue(venue: ModelVenue): ModelDue[] {
  return venue.markets.flatMap((market) => dueOf(venue, market));
}

function dueOf(venue: ModelVenue, market: ModelMarket): ModelDue[] {
  const { id, status, biddingAt, onlineAt, delistedAt } = market;
  if (market.delisted) return [];
  const due: ModelDue[] = [];
  const opening = { at: onlineAt, rank: 8, id, run: () => open(venue, market) };
  if (market.pool !== undefined) due.push({ at: market.pool.midnight, rank: 3, id, run: () => endDay(venue, market) });
  if (delistedAt > 0 && !mustStay(venue, market)) {
    const isWaiting = lending(venue).terms.has(id);
    due.push({ at: delistedAt, rank: 7, id, isWaiting, run: () => delist(venue, market) });
  }
  if (status === "counting_down" && biddingAt > 0) {
    const run = () => {
      market.status = "bidding";
    };
    due.push({ at: biddingAt, rank: 8, id, run });
  } else if (status === "counting_down") due.push(opening);
  else if (status === "bidding" && couldTrade(venue, market)) due.push({ ...opening, isWaiting: true });
  return due;
}

function comesFirst(one: ModelDue, other: ModelDue): number {
  return one.at - other.at || one.rank - other.rank || one.id - other.id;
}

/** Domain 3.5: while a loan runs, a market leaves by a fresh index only, and outside windows. */
function mustStay(venue: ModelVenue, market: ModelMarket): boolean {
  const runs = lending(venue).loans.some(({ account, state }) => account.market === market && state !== "debt");
  return runs && (market.isStale || market.index === 0n || phase(venue) !== "open");
}

function open(venue: ModelVenue, market: ModelMarket): void {
  const isAuction = market.status === "bidding";
  if (isAuction && prolong(venue, market, openingPrice(market))) return;
  if (isAuction) uncross(venue, market);
  market.status = "online";
}

/** Domain 2.12. */
function delist(venue: ModelVenue, market: ModelMarket): void {
  if (lending(venue).terms.has(market.id)) lookAfterMargin(venue);
  for (const order of [...market.buys, ...market.sells]) endResting(venue, market, order);
  for (const stop of venue.stops.filter(({ marketId }) => marketId === market.id)) endStop(venue, stop);
  closePool(venue, market);
  leaveMargin(venue, market);
  market.delisted = true;
}
