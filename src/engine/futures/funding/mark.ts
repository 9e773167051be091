/**
 * The mark price, what positions are valued at, and the premium samples that it is made of. Source: domain 4.11.
 *
 * The one place that sets it: whenever the index of a futures market changes, and with each sample.
 */
import { emitHappening } from "../../happening.ts";
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import type { Book } from "../../trading/book.ts";
import { noteMove } from "../orders/buying-power.ts";
import type { FuturesTerms, PositionLevel } from "../positions/contract.ts";
import { cycleOf, fundingTermsOf, MINUTE_MS } from "./cycle.ts";
import { fundingRateE8, HOUR_MS } from "./funding-rate.ts";
import { impactPrice } from "./impact-price.ts";
import { markPrice, premiumSample } from "./premium.ts";

/** The share of the first level's amount whose trade gives the impact prices: 1 %. */
const IMPACT_SHARE = 100n;

/** Ticks; 0 before the market's first index. */
export function markOf({ futures }: State, market: Market): bigint {
  return futures.live.mark(market.id);
}

/**
 * Works out the mark of a futures market anew: its index, moved by the mean of the mark premiums of one funding interval,
 * within the prices that the market knows. Without an index the last mark stays.
 */
export function refreshMark(state: State, market: Market): void {
  const { live } = state.futures;
  const index = market.index.price;
  if (index === 0n) return;
  const { samples, watch } = cycleOf(state, market);
  const { sumE8, count } = samples.lastMarkPremiums(watch.intervalH * 60);
  const { tickSize } = market.futures as FuturesTerms;
  const exact = markPrice(index, sumE8, count);
  const mark = exact < tickSize ? tickSize : exact > market.maxPrice ? market.maxPrice : exact;
  if (mark === live.mark(market.id)) return;
  noteMove(state, live.mark(market.id), mark);
  live.setMark(market.id, mark);
  state.futures.noteMark(market.id);
  emitHappening(state, { type: "mark_price", marketId: market.id, price: mark.toString() });
}

/** Notes whether the index of a market has a source at present. Without one nobody is liquidated. */
export function noteSource(state: State, market: Market, isStale: boolean): void {
  const cycle = cycleOf(state, market);
  if (cycle.isStale === isStale) return;
  cycle.isStale = isStale;
  emitHappening(state, { type: "index_stale", marketId: market.id, isStale });
}

/** Takes the premium sample of the present minute; minutes that have passed are gone. A market without an index has none. */
export function samplePremium(state: State, market: Market): void {
  const minuteMs = Math.floor(state.timeMs / MINUTE_MS) * MINUTE_MS;
  cycleOf(state, market).samplesAt = minuteMs + MINUTE_MS;
  const index = market.index.price;
  if (index === 0n) return;
  const book = state.books[market.id] as Book;
  const terms = market.futures as FuturesTerms;
  const isInverse = terms.contractType === "inverse";
  const share = (terms.levels[0] as PositionLevel).amount / IMPACT_SHARE;
  const [bid, ask] = [0, 1].map((side) => impactPrice(book.levels(side), share > 0n ? share : 1n, isInverse, index));
  const sample = premiumSample(bid as NonNullable<typeof bid>, ask as NonNullable<typeof ask>, index);
  const cycle = cycleOf(state, market);
  cycle.samples.add(minuteMs, sample);
  if (cycle.hourEndsAt === 0) cycle.hourEndsAt = (Math.floor(minuteMs / HOUR_MS) + 1) * HOUR_MS;
  cycle.latestRateE8 = rateSince(state, market, cycle.collectedAt);
  cycle.nextRateE8 = rateSince(state, market, minuteMs + MINUTE_MS - cycle.watch.intervalH * HOUR_MS);
  const { latestRateE8, nextRateE8 } = cycle;
  emitHappening(state, { type: "premium_sampled", marketId: market.id, minuteMs, ...sample, latestRateE8, nextRateE8 });
  refreshMark(state, market);
}

/** The funding rate of the samples from `sinceMs` on, 10^-8. */
export function rateSince(state: State, market: Market, sinceMs: number): number {
  const { sumE8, count } = cycleOf(state, market).samples.premiumsSince(sinceMs);
  return fundingRateE8(sumE8, count, fundingTermsOf(market.futures as FuturesTerms));
}
