/** The work that the clock makes due in futures markets, and its order. Source: domain 11.3. */
import { DUE_RANK, type Due } from "../due.ts";
import { noteSilence, waitsForIndex } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { cycleOf, MINUTE_MS, newCycle } from "./funding/cycle.ts";
import { checkInterval, runFunding } from "./funding/funding.ts";
import { closeMinute, samplePremium } from "./funding/sampling.ts";
import { nextSettlement, runSettlement, settleLate } from "./funding/settle.ts";
import { unwindInventory } from "./liquidation/inventory.ts";
import { takeOverCapped } from "./liquidation/liquidation.ts";

/** Of a futures market that is listed: what comes next of each kind. */
export function futuresDue(state: State, market: Market): Due[] {
  if (market.futures === undefined) return [];
  const own = { id: market.id, staysInMarket: true } as const;
  const cycle = cycleOf(state, market);
  const due: Due[] = [{ ...sampleDue(state, market), ...own }];
  if (!waitsForIndex(state, market)) {
    due.push({ atMs: cycle.collectsAt, rank: DUE_RANK.funding, ...own, run: () => collect(state, market) });
    if (cycle.settlesAt > 0) {
      due.push({
        atMs: cycle.settlesAt,
        rank: DUE_RANK.settlement,
        id: market.id,
        run: () => settleLate(state, market),
      });
    }
  }
  if (cycle.hourEndsAt > 0) {
    due.push({ atMs: cycle.hourEndsAt, rank: DUE_RANK.interval, ...own, run: () => checkInterval(state, market) });
  }
  if (cycle.ladderAt > 0) {
    due.push({ atMs: cycle.ladderAt, rank: DUE_RANK.ladder, id: market.id, run: () => unwindInventory(state, market) });
  }
  return due;
}

/**
 * A minute ends before the funding of the same time is collected, of which it is a part, and so comes first of the two.
 */
function sampleDue(state: State, market: Market): Pick<Due, "atMs" | "rank" | "run"> {
  const { samplesAt } = cycleOf(state, market);
  if (holds(state, "timeAtRisk")) {
    return { atMs: samplesAt, rank: DUE_RANK.funding, run: () => closeMinute(state, market) };
  }
  // Minutes that have passed without a sample are lost: what is due is that of the present one.
  const atMs = Math.max(samplesAt, Math.floor(state.timeMs / MINUTE_MS) * MINUTE_MS);
  return { atMs, rank: DUE_RANK.sample, run: () => samplePremium(state, market) };
}

/** Collects funding; who could not pay is taken over in the same instant. */
function collect(state: State, market: Market): void {
  takeOverCapped(state, market, runFunding(state, market));
}

/** Starts the times of a futures market. */
export function enterFutures({ futures, timeMs }: State, market: Market): void {
  futures.live.enter(market.id);
  futures.cycles[market.id] = newCycle(timeMs);
  noteSilence({ futures }, market);
  if (futures.settlesAt === 0) futures.settlesAt = nextSettlement(timeMs);
}

/** The next settlement, of all markets together. */
export function settlementDue(state: State): Due[] {
  const { settlesAt } = state.futures;
  if (settlesAt === 0) return [];
  return [{ atMs: settlesAt, rank: DUE_RANK.settlement, id: -1, run: () => runSettlement(state) }];
}

/**
 * Whether a funding or a settlement has waited for the index of its market, which is back; undefined where that was not
 * away.
 */
export function hasWaitedForIndex(state: State, market: Market): boolean | undefined {
  if (market.futures === undefined || market.delisted) return undefined;
  if (waitsForIndex(state, market)) return false;
  const { collectsAt, settlesAt } = cycleOf(state, market);
  return settlesAt > 0 || collectsAt <= state.timeMs ? true : undefined;
}
