import { divHalfAwayFromZero } from "../../money/rounding.ts";

/** Hours between collections, longest first. They lie on multiples from 00:00 UTC. */
export const FUNDING_INTERVALS_H = [8, 4, 2] as const;
export type FundingIntervalH = (typeof FUNDING_INTERVALS_H)[number];

export const HOUR_MS = 3_600_000;

/** The settings of a market's funding that an operator makes, in 10^-8. */
export interface FundingSpec {
  /** How far the rate may lie from the mean premium on its way to the interest rate, which is 0. */
  readonly dampingE8: number;
  /** The rate lies in [-cap, +cap]. */
  readonly capE8: number;
}

/**
 * The funding rate of a mean premium, in 10^-8: the premium drawn towards the interest rate (0) by at most `damping`,
 * within the cap. `count` premiums sum to `sumE8`; without any the rate is 0. Source: domain 4.12.
 */
export function fundingRateE8(sumE8: number, count: number, { dampingE8, capE8 }: FundingSpec): number {
  if (count === 0) return 0;
  const mean = meanE8(sumE8, count);
  return clamp(mean + clamp(-mean, dampingE8), capE8);
}

/** Mean of premiums in 10^-8, rounded half away from zero. */
export function meanE8(sumE8: number, count: number): number {
  return Number(divHalfAwayFromZero(BigInt(sumE8), BigInt(count)));
}

function clamp(value: number, bound: number): number {
  const clamped = Math.max(-bound, Math.min(bound, value));
  return clamped === 0 ? 0 : clamped;
}

/** How the interval of a market came to be what it is. */
export interface IntervalWatch {
  intervalH: FundingIntervalH;
  /** ms of the last change of the interval; 0 before the first. */
  changedAt: number;
  /** Hours in a row whose mean premium lay outside the cap, and inside it. */
  hoursOutside: number;
  hoursInside: number;
}

const HOURS_TO_SHORTEN = 4;
const HOURS_TO_LENGTHEN = 24;
const REST_AFTER_CHANGE_MS = 8 * HOUR_MS;

/**
 * Takes in a full hour that ended at `nowMs` with these premiums: after four hours in a row outside the cap the
 * interval gets a step shorter, but not within 8 h of its last change; after 24 h in a row inside it gets a step
 * longer. An hour without samples says nothing. Returns whether the interval changed. Source: domain 4.12.
 */
export function noteHour(watch: IntervalWatch, sumE8: number, count: number, capE8: number, nowMs: number): boolean {
  if (count === 0) return false;
  const isOutside = Math.abs(meanE8(sumE8, count)) > capE8;
  watch.hoursOutside = isOutside ? watch.hoursOutside + 1 : 0;
  watch.hoursInside = isOutside ? 0 : watch.hoursInside + 1;
  const hasRested = watch.changedAt === 0 || nowMs - watch.changedAt >= REST_AFTER_CHANGE_MS;
  if (watch.hoursOutside >= HOURS_TO_SHORTEN && hasRested) return step(watch, 1, nowMs);
  return watch.hoursInside >= HOURS_TO_LENGTHEN && step(watch, -1, nowMs);
}

function step(watch: IntervalWatch, by: 1 | -1, nowMs: number): boolean {
  const next = FUNDING_INTERVALS_H[FUNDING_INTERVALS_H.indexOf(watch.intervalH) + by];
  if (next === undefined) return false;
  watch.intervalH = next;
  watch.changedAt = nowMs;
  watch.hoursOutside = 0;
  watch.hoursInside = 0;
  return true;
}

/** The first collection after `afterMs`, ms. */
export function nextFundingTime(afterMs: number, intervalH: FundingIntervalH): number {
  const interval = intervalH * HOUR_MS;
  return (Math.floor(afterMs / interval) + 1) * interval;
}
