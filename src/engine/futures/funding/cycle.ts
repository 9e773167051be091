/** What a futures market goes through by the clock: premium samples, funding cycles, the ladder of what was taken over. */
import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import type { FuturesTerms, PositionLevel } from "../positions/contract.ts";
import { FUNDING_INTERVALS_H, type FundingTerms, type IntervalWatch, nextFundingTime } from "./funding-rate.ts";
import { PremiumSamples } from "./premium-samples.ts";

/** Times are ms, rates 10^-8. */
export interface Cycle {
  readonly samples: PremiumSamples;
  readonly watch: IntervalWatch;
  /** The last collection of funding, or the listing, and the next one. */
  collectedAt: number;
  collectsAt: number;
  /** The rate of the running cycle so far, and that of the trailing interval. */
  latestRateE8: number;
  nextRateE8: number;
  /** When the next premium sample is due. */
  samplesAt: number;
  /** When the premiums of the hour under way are looked at; 0 while it has none. */
  hourEndsAt: number;
  /** No source says what the index is, so nobody is liquidated. */
  isStale: boolean;
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
    watch: { intervalH, changedAt: 0, hoursOutside: 0, hoursInside: 0 },
    collectedAt: nowMs,
    collectsAt: nextFundingTime(nowMs, intervalH),
    latestRateE8: 0,
    nextRateE8: 0,
    samplesAt: (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS,
    hourEndsAt: 0,
    isStale: false,
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
export function fundingTermsOf({ levels }: FuturesTerms): FundingTerms {
  const { minInitialRateE8 } = levels[0] as PositionLevel;
  return { dampingE8: DAMPING_E8, capE8: Math.floor((minInitialRateE8 * 3) / 4) };
}

/** A cycle as JSON can carry it: samples as rows of minute, premium and mark premium. */
export type CycleText = Omit<Cycle, "samples"> & { readonly samples: readonly (readonly [number, number, number])[] };

export function cycleText({ samples, ...rest }: Cycle): CycleText {
  return { ...rest, samples: samples.rows() };
}

export function cycleOfText({ samples: rows, ...rest }: CycleText): Cycle {
  const samples = new PremiumSamples();
  for (const [minuteMs, premiumE8, markPremiumE8] of rows) samples.add(minuteMs, { premiumE8, markPremiumE8 });
  return { ...rest, watch: { ...rest.watch }, samples };
}
