import { divHalfAwayFromZero } from "../../money/rounding.ts";
import type { PremiumSample } from "./premium.ts";

/** Nothing has been at risk in the market since its last tick. */
const CLOSED = -1;

/** The inputs of a sample: as long as none of them changes, the next sample is the same. */
export interface SampledFrom {
  /** The book's count of changes, the index, and the terms of the market. */
  readonly changes: number;
  readonly index: bigint;
  readonly terms: object;
  /** Orders with numbers below this one counted. */
  readonly before: number;
  /** The count of changes of who is protected from fills, and how. */
  readonly protectedBy: number;
}

/**
 * The minute under way of one futures market: what its ticks have sampled so far, of which the sample of the minute is
 * the mean. A tick at which nothing could be sampled counts as one at the index. Sums of 10^-8 of at most sixty ticks
 * stay exact. Source: domain 4.11.
 */
export class PremiumMinute {
  private ticks = 0;
  /** Ticks at which something was sampled. */
  private sampled = 0;
  private premiumsE8 = 0;
  private markPremiumsE8 = 0;
  /**
   * The first tick at which orders could be met after they could not; 0: since the market was listed, CLOSED: they
   * cannot be.
   */
  private openSince = 0;
  /** The last sample and what it came of; not kept in a snapshot, since the next one comes to the same. */
  private last: (SampledFrom & { readonly sample: PremiumSample }) | undefined;
  /** The number that the next order would have had when the book was last seen to have changed. */
  private changedBelow = 0;

  /** Takes a tick down at which nothing can be sampled: nobody can be met, or there is nothing to compare with. */
  noteClosed(): void {
    this.ticks++;
    this.openSince = CLOSED;
    this.last = undefined;
  }

  /** Since when orders could be met without a break, ms; called at each tick at which they can be. */
  openedAt(tickMs: number): number {
    if (this.openSince === CLOSED) this.openSince = tickMs;
    return this.openSince;
  }

  /**
   * The last sample, if one of this would be the same: nothing has changed, and everything in the book counted already.
   */
  sameAsLast({ changes, index, terms, protectedBy }: SampledFrom): PremiumSample | undefined {
    const { last } = this;
    if (last === undefined || last.changes !== changes || last.index !== index || last.terms !== terms)
      return undefined;
    if (last.protectedBy !== protectedBy) return undefined;
    return last.before >= this.changedBelow ? last.sample : undefined;
  }

  /** Keeps a sample for ticks that would come to the same; `nextPrio` is the number that the next order gets. */
  keep(from: SampledFrom, nextPrio: number, sample: PremiumSample): void {
    if (this.last?.changes !== from.changes) this.changedBelow = nextPrio;
    this.last = { ...from, sample };
  }

  add({ premiumE8, markPremiumE8 }: PremiumSample): void {
    this.ticks++;
    this.sampled++;
    this.premiumsE8 += premiumE8;
    this.markPremiumsE8 += markPremiumE8;
  }

  /**
   * The sample of the minute, which ends; undefined when none of its ticks had one. Means round half away from zero.
   */
  close(): PremiumSample | undefined {
    const { ticks, sampled, premiumsE8, markPremiumsE8 } = this;
    this.ticks = 0;
    this.sampled = 0;
    this.premiumsE8 = 0;
    this.markPremiumsE8 = 0;
    if (sampled === 0) return undefined;
    const mean = (sumE8: number) => Number(divHalfAwayFromZero(BigInt(sumE8), BigInt(ticks)));
    return { premiumE8: mean(premiumsE8), markPremiumE8: mean(markPremiumsE8) };
  }

  /** As JSON can carry it; undefined of one that has seen no tick, such as under rules before version 5. */
  get row(): MinuteRow | undefined {
    const row = [this.ticks, this.sampled, this.premiumsE8, this.markPremiumsE8, this.openSince] as const;
    return row.some((figure) => figure !== 0) ? row : undefined;
  }

  load([ticks, sampled, premiumsE8, markPremiumsE8, openSince]: MinuteRow): void {
    Object.assign(this, { ticks, sampled, premiumsE8, markPremiumsE8, openSince });
  }
}

export type MinuteRow = readonly [
  ticks: number,
  sampled: number,
  premiumsE8: number,
  markPremiumsE8: number,
  openSince: number,
];
