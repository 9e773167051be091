/** The volatility interruption: how far from what a market trades. Domain 2.9. */
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { divideUp, ONE_E8, unitsOf } from "../model/numbers.ts";
import type { ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";

const HOUR_MS = 3_600_000;

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
 * Between which prices the market trades now: around where it reopened within its window, else around its index, heard
 * of lately or not; without an index around the first price within its window, else around `otherwise`, if there is
 * such a price. Undefined: wherever it likes.
 */
export function reachOf(venue: ModelVenue, market: ModelMarket, otherwise?: bigint): ModelReach | undefined {
  const { interruption, index, halt } = market;
  if (interruption === undefined) return undefined;
  if (index > 0n) {
    const isReopened = halt !== undefined && venue.timeMs - halt.reopenedAt <= interruption.windowMs;
    return moves(1n, isReopened ? halt.price : index, interruption.move);
  }
  const from = firstOf(venue, market) ?? otherwise;
  return from === undefined ? undefined : moves(1n, from, interruption.move);
}

function firstOf(venue: ModelVenue, { interruption, recent }: ModelMarket): bigint | undefined {
  return recent.find(({ at }) => venue.timeMs - at <= (interruption?.windowMs ?? 0))?.price;
}

function moves(count: bigint, from: bigint, move: bigint): ModelReach {
  const far = count * move;
  const low = far < ONE_E8 ? divideUp(from * (ONE_E8 - far), ONE_E8) : 1n;
  return { low, high: (from * (ONE_E8 + far)) / ONE_E8 };
}

/**
 * Where an auction may open: so many moves from the index, or without one from what the market was held to when it was
 * interrupted.
 */
export function heldTo({ status, interruption, index, halt }: ModelMarket, count: bigint): ModelReach | undefined {
  const reference = index > 0n ? index : halt?.reference;
  if (status !== "bidding" || interruption === undefined || reference === undefined) return undefined;
  return moves(count, reference, interruption.move);
}

/** Whether an auction that would open at `wished` goes on once more instead. */
export function prolong(venue: ModelVenue, market: ModelMarket, wished: bigint | undefined): boolean {
  const { halt, interruption } = market;
  const near = heldTo(market, 1n);
  if (near === undefined || halt?.prolonged !== false || wished === undefined) return false;
  if (wished >= near.low && wished <= near.high) return false;
  market.halt = { ...halt, prolonged: true };
  market.onlineAt = venue.timeMs + (interruption?.auctionMs ?? 0);
  return true;
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

/** The market takes bids until it opens by an auction; false if that has happened three times within an hour. */
export function interrupt(venue: ModelVenue, market: ModelMarket, price: bigint): boolean {
  const called = (market.halt?.called ?? []).filter((at) => venue.timeMs - at < HOUR_MS);
  if (called.length === 3) return false;
  const reference = firstOf(venue, market) ?? price;
  market.halt = {
    reference,
    called: [...called, venue.timeMs],
    prolonged: false,
    reopenedAt: Number.NEGATIVE_INFINITY,
    price: 0n,
  };
  market.status = "bidding";
  market.biddingAt = venue.timeMs;
  market.noCancelAt = 0;
  market.onlineAt = venue.timeMs + (market.interruption?.auctionMs ?? 0);
  market.recent = [];
  venue.outcome.interruptions++;
  return true;
}
