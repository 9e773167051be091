/** The venue's figures at one moment, and what they did since the moment before. */
import type { FigureSample } from "../metrics.ts";

export interface Figures {
  /** The values under a name as Prometheus reads it. */
  samples(name: string): Iterable<FigureSample>;
}

/** Sums of counters and the counts of histograms' buckets, as they were the last time they were looked at. */
interface Before {
  readonly atMs: number;
  readonly totals: ReadonlyMap<string, number>;
}

/** The labels that a sample must have to count. */
type Wanted = Readonly<Record<string, string>>;

export class Sample {
  readonly atMs: number;
  readonly #figures: Figures;
  readonly #before: Before | undefined;
  readonly #totals = new Map<string, number>();
  readonly #buckets = new Map<string, readonly (readonly [bound: number, grown: number])[]>();

  /** `before` is the sample taken before this one, unless there was none. */
  constructor(figures: Figures, atMs: number, before: Sample | undefined) {
    this.#figures = figures;
    this.atMs = atMs;
    // Its totals alone: a sample that held the one before it would hold all of them.
    this.#before = before && { atMs: before.atMs, totals: before.#totals };
  }

  /** Every value of a gauge with its labels. */
  all(name: string): readonly FigureSample[] {
    return [...this.#figures.samples(name)];
  }

  /** The sum of a gauge over all labels that are as wanted. */
  sum(name: string, wanted: Wanted = {}): number {
    let sum = 0;
    for (const { labels, value } of this.#figures.samples(name)) if (fits(labels, wanted)) sum += value;
    return sum;
  }

  /** How much a counter grew a second since the sample before; NaN in the first one. */
  rate(name: string, wanted: Wanted = {}): number {
    return this.perSecond(`${name} ${JSON.stringify(wanted)}`, this.sum(name, wanted));
  }

  /**
   * The same of a total that is read elsewhere. `key` names it. A total that begins again, or is taken from, counts as
   * unchanged.
   */
  perSecond(key: string, total: number): number {
    const grown = this.#grown(key, total);
    if (grown === undefined || this.#before === undefined) return Number.NaN;
    const seconds = (this.atMs - this.#before.atMs) / 1_000;
    return seconds > 0 ? grown / seconds : Number.NaN;
  }

  /** Counters by one of their labels, a second. */
  ratesBy(name: string, label: string, wanted: Wanted = {}): ReadonlyMap<string, number> {
    const totals = new Map<string, number>();
    for (const { labels, value } of this.#figures.samples(name)) {
      const by = labels[label];
      if (by !== undefined && fits(labels, wanted)) totals.set(by, (totals.get(by) ?? 0) + value);
    }
    return new Map(Array.from(totals, ([by, total]) => [by, this.perSecond(`${name} by ${label} ${by}`, total)]));
  }

  /**
   * The bound below which `share` of what a histogram measured since the sample before lies; NaN when it measured
   * nothing. What is above the highest bound counts as that bound.
   */
  quantile(name: string, share: number): number {
    const grown = this.#grownBuckets(name);
    const all = grown.at(-1)?.[1] ?? 0;
    if (all === 0) return Number.NaN;
    const [bound] = grown.find(([, below]) => below >= all * share) ?? [Number.POSITIVE_INFINITY];
    return Number.isFinite(bound) ? bound : (grown.at(-2)?.[0] ?? Number.NaN);
  }

  /**
   * The buckets of a histogram over all labels, by how much each grew; several shares and alerts ask for the same one.
   */
  #grownBuckets(name: string): readonly (readonly [bound: number, grown: number])[] {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const totals = new Map<number, number>();
    for (const { labels, value } of this.#figures.samples(`${name}_bucket`)) {
      const bound = labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]);
      totals.set(bound, (totals.get(bound) ?? 0) + value);
    }
    const grown = [...totals]
      .sort(([one], [other]) => one - other)
      .map(([bound, total]) => [bound, this.#grown(`${name} ${bound}`, total) ?? 0] as const);
    this.#buckets.set(name, grown);
    return grown;
  }

  /** Undefined when it was not looked at before. */
  #grown(key: string, total: number): number | undefined {
    this.#totals.set(key, total);
    const before = this.#before?.totals.get(key);
    // A label that appears counts from 0: it was not there because nothing had happened.
    if (before === undefined) return this.#before === undefined ? undefined : total;
    return Math.max(0, total - before);
  }
}

function fits(labels: Wanted, wanted: Wanted): boolean {
  for (const name in wanted) if (labels[name] !== wanted[name]) return false;
  return true;
}
