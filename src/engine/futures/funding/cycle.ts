/**
 * The state of a futures market that the clock drives: premium samples, funding cycles, the ladder that closes
 * positions that the venue took over.
 */
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import type { FuturesSpec, PositionLevel } from "../positions/contract.ts";
import { FUNDING_INTERVALS_H, type FundingSpec, type IntervalWatch, nextFundingTime } from "./funding-rate.ts";
import { type MinuteRow, PremiumMinute } from "./premium-minute.ts";
import { PremiumSamples } from "./premium-samples.ts";

/** Times are ms, rates 10^-8. */
export interface Cycle {
  readonly samples: PremiumSamples;
  /** Samples that ticks have taken of the minute under way. */
  readonly minute: PremiumMinute;
  readonly watch: IntervalWatch;
  /** The last collection of funding, or the listing, and the next one. */
  collectedAt: number;
  collectsAt: number;
  /** The settlement that waits until the index is fresh again; 0 = there is none. */
  settlesAt: number;
  /** The rate of the running cycle so far, and that of the trailing interval. */
  latestRateE8: number;
  nextRateE8: number;
  /** When the next premium sample is due: by rules version 5 that of the minute before. */
  samplesAt: number;
  /** When the premiums of the hour under way are looked at; 0 while it has none. */
  hourEndsAt: number;
  /** The next step of the ladder by which the venue sells what it took over, and when it is due; 0 = there is none. */
  ladderStep: number;
  ladderAt: number;
}

export const MINUTE_MS = 60_000;

/** The cycle of a market that is listed now. */
export function newCycle(nowMs: number): Cycle {
  const [intervalH] = FUNDING_INTERVALS_H;
  return {
    samples: new PremiumSamples(),
    minute: new PremiumMinute(),
    watch: { intervalH, changedAt: 0, hoursOutside: 0, hoursInside: 0 },
    collectedAt: nowMs,
    collectsAt: nextFundingTime(nowMs, intervalH),
    settlesAt: 0,
    latestRateE8: 0,
    nextRateE8: 0,
    samplesAt: (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS,
    hourEndsAt: 0,
    ladderStep: 0,
    ladderAt: 0,
  };
}

export function cycleOf({ futures }: State, market: Market): Cycle {
  return futures.cycles[market.id] as Cycle;
}

/** How far a funding rate may lie from the mean premium on its way to 0: 0.03 %. */
const DAMPING_E8 = 30_000;

/** The bounds of a market's funding rate: three quarters of the least initial margin rate. Source: domain 4.12. */
export function fundingTermsOf({ levels }: FuturesSpec): FundingSpec {
  const { minInitialRateE8 } = levels[0] as PositionLevel;
  return { dampingE8: DAMPING_E8, capE8: Math.floor((minInitialRateE8 * 3) / 4) };
}

/** The widest that the mark may lie from the index unless the operator says otherwise: 0.5 %. */
const MARK_BAND_E8 = 500_000;

/**
 * How far the mark may lie from the index, 10^-8: by default half of the least maintenance rate where that is less.
 * Source: domain 4.11.
 */
export function markBandOf({ markBandE8, levels }: FuturesSpec): number {
  const { maintenanceRateE8 } = levels[0] as PositionLevel;
  return markBandE8 ?? Math.min(MARK_BAND_E8, Math.floor(maintenanceRateE8 / 2));
}

/**
 * A cycle as JSON can carry it: samples as rows of minute, premium and mark premium. In version 1 of the section it had
 * no settlement that waits; version 2 had losses of the insurance fund, which the part of insurance funds keeps since.
 */
export type CycleText = Omit<Cycle, "samples" | "minute"> & {
  /** Left out where there is none, so that a market is written as before under the rules of before. */
  readonly minute?: MinuteRow | undefined;
  readonly samples: readonly (readonly [number, number, number])[];
  readonly losses?: readonly (readonly [number, string])[];
};

export function cycleText({ samples, minute, ...rest }: Cycle): CycleText {
  return { ...rest, samples: samples.rows(), minute: minute.row };
}

export function cycleOfText({ samples: rows, minute: row, losses: _losses, ...rest }: CycleText): Cycle {
  const samples = new PremiumSamples();
  const minute = new PremiumMinute();
  if (row !== undefined) minute.load(row);
  for (const [minuteMs, premiumE8, markPremiumE8] of rows) samples.add(minuteMs, { premiumE8, markPremiumE8 });
  const { isStale: _, ...known } = { isStale: undefined, ...rest };
  // Its fields stand in the order of a new one, whatever version wrote them.
  return { ...newCycle(0), ...known, watch: { ...rest.watch }, samples, minute };
}
