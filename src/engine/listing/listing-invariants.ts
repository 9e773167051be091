/** The invariants of listed markets between two commands. Source: domain 10, number 5. */

import { hooks } from "../hooks.ts";
import type { Census } from "../part.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import type { Market } from "./market.ts";
import { isFresh } from "./price-index.ts";
import { mustStay } from "./status.ts";

/** Says what does not hold. Reads only. */
export function checkListing(state: State, census: Census): void {
  for (const market of state.markets) {
    checkStatus(state, census, market);
    checkWaiting(state, census, market);
    checkTimes(state, census, market);
  }
}

/** Who waits for an obstacle to go is among those that are looked at when one may have gone. */
function checkWaiting(state: State, { expect }: Census, market: Market): void {
  if (state.waiting.has(market.id)) return;
  const waits = hooks().some((part) => part.isOverdueIn?.(state, market) !== undefined);
  expect(!waits, () => `${market.name} waits for an obstacle to go, and nobody would see it go.`);
}

/**
 * An index is worked out again a while after the last time; that of a market of which nobody has spoken of late would
 * be no other.
 */
function checkTimes(state: State, { expect }: Census, { id, name, index, delisted }: Market): void {
  const atMs = state.indexTimes.at(id);
  const isKnown = index.sources.length > 0;
  const isAsleep = holds(state, "staleIndexWaits") && !index.sources.some((source) => isFresh(state, source));
  const isRight = atMs === undefined ? delisted || isAsleep || !isKnown : isKnown && atMs === index.updatedAt;
  expect(isRight, () => `The index of ${name}, of ${index.updatedAt}, is taken to be of ${atMs}.`);
}

/**
 * 5: that its status is the one of its times, by a reading of its own; only an auction may open late, when it had to
 * wait.
 */
function checkStatus(state: State, census: Census, market: Market): void {
  if (market.delisted) return;
  const { timeMs, nextDueMs, spotPhase, cancelOnly } = state;
  const { status, biddingAt, noCancelAt, onlineAt, delistedAt } = market;
  const report = (what: string) => () => `${market.name}, which is ${status}, ${what}.`;
  const waits = spotPhase > 0 || cancelOnly || market.suspended || !market.apiTradingAvailable;
  const next = status === "counting_down" && biddingAt > 0 ? biddingAt : onlineAt;
  census.expect(
    status === "online" ? onlineAt <= timeMs : timeMs < next || (status === "bidding" && waits),
    report("should not be so any more"),
  );
  census.expect(status !== "bidding" || (biddingAt > 0 && biddingAt <= timeMs), report("has begun too early"));
  census.expect(biddingAt > 0 ? biddingAt < onlineAt : noCancelAt === 0, report("has an auction without its times"));
  census.expect(
    noCancelAt === 0 || (biddingAt <= noCancelAt && noCancelAt <= onlineAt),
    report("locks its auction outside of it"),
  );
  census.expect(status === "online" || next <= timeMs || nextDueMs <= next, report("will not change in time"));
  // Under older rules it stays on until the next command that could free it.
  const stays = mustStay(state, market) || (!holds(state, "leavesWithLast") && holds(state, "delistingWaits"));
  census.expect(delistedAt === 0 || nextDueMs <= delistedAt || stays, report("stays too long"));
}
