/** Counts of what the venue owes its users, and the roots that were published of each. Source: domain 6.9. */
import { Slot } from "../slot.ts";

/** The root of a currency's sum tree. */
export interface LiabilityRoot {
  readonly ccy: string;
  /** SHA-256, 64 hexadecimal digits. */
  readonly root: string;
  /** Amount that the venue owes of it, in whole units of the currency. */
  readonly total: string;
  readonly leaves: number;
}

export interface LiabilityCount {
  /** Of the command that counted, and its time. */
  readonly seq: number;
  readonly atMs: number;
  /** By ascending currency id; those of which something is owed. */
  readonly roots: readonly LiabilityRoot[];
}

/** Counts that are remembered: a month of daily ones. The log has them all. */
export const COUNTS_KEPT_MAX = 31;

export class LiabilityCounts {
  /** The last count, whose roots are not all there yet. */
  pending: LiabilityCount | undefined;
  /** Those with all their roots, oldest first. */
  published: LiabilityCount[] = [];
  /** When the last count was made, ms; undefined before the first. */
  lastAtMs: number | undefined;

  begin(count: LiabilityCount): void {
    this.pending = count;
    this.lastAtMs = count.atMs;
  }

  complete(count: LiabilityCount): void {
    this.pending = undefined;
    this.published.push(count);
    if (this.published.length > COUNTS_KEPT_MAX) this.published.shift();
  }
}

export const liabilityCounts = new Slot(() => new LiabilityCounts());
