/**
 * Premium samples: how far the book of a futures market stands from its index, taken at each tick of what has rested at
 * risk, one for each minute. Source: domain 4.11.
 */

import { waitsForIndex } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { isTrading } from "../../listing/status.ts";
import { emitRareEvent } from "../../rare-event.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { levelsAtRisk } from "../../trading/at-risk.ts";
import type { Book } from "../../trading/book.ts";
import { protections } from "../../trading/protections.ts";
import { REST_MS } from "../../trading/tick-marks.ts";
import type { FuturesSpec, PositionLevel } from "../positions/contract.ts";
import { cycleOf, MINUTE_MS } from "./cycle.ts";
import { HOUR_MS } from "./funding-rate.ts";
import { impactPrice } from "./impact-price.ts";
import { minuteOf, rateSince, refreshMark } from "./mark.ts";
import { type PremiumSample, premiumSample } from "./premium.ts";

/** The share of the first level's amount whose trade gives the impact prices: 1 %. */
const IMPACT_SHARE = 100n;
const AT_INDEX: PremiumSample = { premiumE8: 0, markPremiumE8: 0 };

/**
 * For how long an order must have rested to count in an impact price, ms: a second unless the operator says otherwise.
 */
export function restOf({ impactRestMs = REST_MS }: Pick<FuturesSpec, "impactRestMs">): number {
  return impactRestMs;
}

/** Samples every futures market at a tick, the first in its second. */
export function sampleAtTick(state: State): void {
  if (!holds(state, "timeAtRisk") || !state.ticks.note(state.timeMs, state.nextPrio)) return;
  for (const market of state.markets) if (market.futures !== undefined && !market.delisted) sampleMarket(state, market);
}

function sampleMarket(state: State, market: Market): void {
  const { minute } = cycleOf(state, market);
  // What rests while nobody can take it is not at risk.
  if (market.index.price === 0n || waitsForIndex(state, market) || !isTrading(state, market)) minute.noteClosed();
  else minute.add(premiumOf(state, market));
}

/** The premiums of what has rested at risk for long enough; those of the tick before where nothing has changed. */
function premiumOf(state: State, market: Market): PremiumSample {
  const { minute } = cycleOf(state, market);
  const terms = market.futures as FuturesSpec;
  const sinceMs = state.timeMs - restOf(terms);
  if (minute.openedAt(state.timeMs) > sinceMs) return AT_INDEX;
  const { changes } = state.books[market.id] as Book;
  const before = state.ticks.restedBefore(sinceMs, state.nextPrio);
  const protectedBy = protections.of(state).changes;
  const from = { changes, index: market.index.price, terms, before, protectedBy };
  const same = minute.sameAsLast(from);
  if (same !== undefined) return same;
  const sample = sampleOf(state, market, from.before);
  minute.keep(from, state.nextPrio, sample);
  return sample;
}

/** The premiums of what is displayed, of orders with a priority number below `before`. */
function sampleOf(state: State, market: Market, before?: number): PremiumSample {
  state.futures.samplings++;
  const terms = market.futures as FuturesSpec;
  const index = market.index.price;
  const isInverse = terms.contractType === "inverse";
  const share = (terms.levels[0] as PositionLevel).amount / IMPACT_SHARE;
  const quantity = share > 0n ? share : 1n;
  const isPartial = !holds(state, "depthAtIndex");
  const impact = (side: number) =>
    impactPrice(levelsAtRisk(state, market, side, before), quantity, isInverse, index, isPartial);
  return premiumSample(impact(0), impact(1), index);
}

/**
 * Ends the minute that was under way, whose sample is the mean over its ticks. One that ends while the index is stale
 * has none.
 */
export function closeMinute(state: State, market: Market): void {
  const cycle = cycleOf(state, market);
  const minuteMs = cycle.samplesAt - MINUTE_MS;
  cycle.samplesAt = minuteOf(state) + MINUTE_MS;
  const sample = cycle.minute.close();
  // Rules before version 5 took the sample of a minute when it began.
  const isSampled = cycle.samples.count > 0 && cycle.samples.lastMinuteMs >= minuteMs;
  if (sample === undefined || isSampled || waitsForIndex(state, market)) return;
  takeSample(state, market, minuteMs, sample);
}

/**
 * By rules before version 5: takes the premium sample of the present minute of all that is displayed at this moment.
 * Minutes that have passed are gone. A market without an index has none, nor one whose index is stale.
 */
export function samplePremium(state: State, market: Market): void {
  const minuteMs = minuteOf(state);
  cycleOf(state, market).samplesAt = minuteMs + MINUTE_MS;
  if (market.index.price === 0n || waitsForIndex(state, market)) return;
  takeSample(state, market, minuteMs, sampleOf(state, market));
}

function takeSample(state: State, market: Market, minuteMs: number, sample: PremiumSample): void {
  const cycle = cycleOf(state, market);
  cycle.samples.add(minuteMs, sample);
  if (cycle.hourEndsAt === 0) cycle.hourEndsAt = (Math.floor(minuteMs / HOUR_MS) + 1) * HOUR_MS;
  const minutesGone = Math.floor((minuteMs + MINUTE_MS - cycle.collectedAt) / MINUTE_MS);
  const intervalMs = cycle.watch.intervalH * HOUR_MS;
  cycle.latestRateE8 = rateSince(state, market, cycle.collectedAt, minutesGone);
  cycle.nextRateE8 = rateSince(state, market, minuteMs + MINUTE_MS - intervalMs, intervalMs / MINUTE_MS);
  const { latestRateE8, nextRateE8 } = cycle;
  emitRareEvent(state, { type: "premium_sampled", marketId: market.id, minuteMs, ...sample, latestRateE8, nextRateE8 });
  refreshMark(state, market);
}
