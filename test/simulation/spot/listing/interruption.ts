/** The volatility interruption: how far from what a market trades. Domain 2.9. */
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { divideUp, ONE_E8, unitsOf } from "../model/numbers.ts";
import type { ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";

/** Ticks between which deals may be made. */
export interface ModelReach {
  readonly low: bigint;
  readonly high: bigint;
}

interface Given {
  readonly move: string;
  readonly windowMs: number;
  readonly auctionMs: number;
}

/** Takes the settings in; null ends them. Whatever is set, the past is forgotten. */
export function setInterruption(market: ModelMarket, given: Given | null | undefined): Refusal | undefined {
  if (given === undefined) return undefined;
  market.recent = [];
  market.interruption = undefined;
  if (given === null) return undefined;
  const move = unitsOf(given.move, 8);
  if (move === undefined || move < 1n || move >= ONE_E8) return "invalid_listing";
  for (const ms of [given.windowMs, given.auctionMs]) if (ms < 1_000 || ms > 86_400_000) return "invalid_listing";
  market.interruption = { move, windowMs: given.windowMs, auctionMs: given.auctionMs };
  return undefined;
}

/**
 * Between which prices the market trades now: around the first price within its window, else around its index if that is fresh,
 * else around `otherwise`, if there is such a price. Undefined: wherever it likes.
 */
export function reachOf(venue: ModelVenue, market: ModelMarket, otherwise?: bigint): ModelReach | undefined {
  const { interruption, recent } = market;
  if (interruption === undefined) return undefined;
  const first = recent.find(({ at }) => venue.timeMs - at <= interruption.windowMs)?.price;
  const from = first ?? (market.index > 0n && !market.isStale ? market.index : otherwise);
  if (from === undefined) return undefined;
  const { move } = interruption;
  return { low: divideUp(from * (ONE_E8 - move), ONE_E8), high: (from * (ONE_E8 + move)) / ONE_E8 };
}

/** Of each sixtieth of a window the first price is remembered. */
export function notePrice(venue: ModelVenue, market: ModelMarket, price: bigint): void {
  if (market.interruption === undefined) return;
  const { windowMs } = market.interruption;
  const part = Math.ceil(windowMs / 60);
  market.recent = market.recent.filter(({ at }) => venue.timeMs - at <= windowMs);
  const isKnown = market.recent.some(({ at }) => Math.floor(at / part) === Math.floor(venue.timeMs / part));
  if (!isKnown) market.recent.push({ at: venue.timeMs, price });
}

/** The market takes bids until it opens by an auction. */
export function interrupt(venue: ModelVenue, market: ModelMarket): void {
  market.status = "bidding";
  market.biddingAt = venue.timeMs;
  market.noCancelAt = 0;
  market.onlineAt = venue.timeMs + (market.interruption?.auctionMs ?? 0);
  market.recent = [];
  venue.outcome.interruptions++;
}
