/**
 * The mark price, what positions are valued at. Source: domain 4.11.
 *
 * The one place that sets it: whenever the index of a futures market changes, and with each sample.
 */

import { waitsForIndex } from "../../listing/index-freshness.ts";
import type { Market } from "../../listing/market.ts";
import { emitRareEvent } from "../../rare-event.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { noteMove } from "../orders/buying-power.ts";
import type { FuturesSpec } from "../positions/contract.ts";
import { cycleOf, fundingTermsOf, MINUTE_MS, markBandOf } from "./cycle.ts";
import { fundingRateE8 } from "./funding-rate.ts";
import { markPrice, withinBand } from "./premium.ts";

/** Ticks; 0 before the market's first index. */
export function markOf({ futures }: State, market: Market): bigint {
  return futures.live.mark(market.id);
}

/**
 * Works out the mark of a futures market anew: its index, moved by the mean of the mark premiums of one funding
 * interval, within a band around the index and within the prices that the market knows. Without an index, or while it
 * is stale, the last mark stays.
 */
export function refreshMark(state: State, market: Market): void {
  const { live } = state.futures;
  const index = market.index.price;
  if (index === 0n || waitsForIndex(state, market)) return;
  const terms = market.futures as FuturesSpec;
  const moved = movedByPremiums(state, market, index);
  const exact = holds(state, "boundedMark") ? withinBand(moved, index, markBandOf(terms)) : moved;
  const mark = exact < terms.tickSize ? terms.tickSize : exact > market.maxPrice ? market.maxPrice : exact;
  if (mark === live.mark(market.id)) return;
  noteMove(state, live.mark(market.id), mark);
  live.setMark(market.id, mark);
  state.futures.noteMark(market.id);
  state.stops.dirty.add(market.id);
  emitRareEvent(state, { type: "mark_price", marketId: market.id, price: mark.toString() });
}

/** The index, moved by the mean of the mark premiums of the last interval: minutes without a sample count as 0. */
function movedByPremiums(state: State, market: Market, index: bigint): bigint {
  const { samples, watch } = cycleOf(state, market);
  const minutes = watch.intervalH * 60;
  if (!holds(state, "meansOverMinutes")) {
    const { sumE8, count } = samples.lastMarkPremiums(minutes);
    return markPrice(index, sumE8, count);
  }
  // By rules version 5 the sample of a minute is there when it ends, before it was there when it began.
  const latest = holds(state, "timeAtRisk") ? minuteOf(state) - MINUTE_MS : minuteOf(state);
  const { sumE8 } = samples.markPremiumsSince(latest - (minutes - 1) * MINUTE_MS);
  return markPrice(index, sumE8, minutes);
}

/** The start of the present minute, ms. */
export function minuteOf({ timeMs }: State): number {
  return Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
}

/**
 * The funding rate, 10^-8, of the samples from `sinceMs` on, which is so many minutes ago: one without a sample counts
 * as 0.
 */
export function rateSince(state: State, market: Market, sinceMs: number, minutes: number): number {
  const { sumE8, count } = cycleOf(state, market).samples.premiumsSince(sinceMs);
  const over = holds(state, "meansOverMinutes") && count > 0 ? Math.max(count, minutes) : count;
  return fundingRateE8(sumE8, over, fundingTermsOf(market.futures as FuturesSpec));
}
