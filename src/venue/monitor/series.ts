/**
 * Figures over time, as averages of what was sampled: an hour in steps of ten seconds, a day in steps of five minutes,
 * a week in hours. What they take in memory is fixed by their number.
 */

export type Span = "hour" | "day" | "week";

interface SpanForm {
  readonly stepMs: number;
  readonly steps: number;
}

export const SPANS: Readonly<Record<Span, SpanForm>> = {
  hour: { stepMs: 10_000, steps: 360 },
  day: { stepMs: 300_000, steps: 288 },
  week: { stepMs: 3_600_000, steps: 168 },
};

export const SPAN_NAMES = Object.keys(SPANS) as readonly Span[];

/** Digits that a kept value has; nobody sees more in a chart. */
const DIGITS = 6;

/**
 * A figure over one span, as it is kept in a file: the number of its last step, and the averages up to it, oldest
 * first.
 */
export interface KeptRing {
  readonly last: number;
  readonly values: readonly (number | null)[];
}

/** The averages of the latest steps of a span. Steps are numbered from the beginning of Unix time. */
class Ring {
  readonly #form: SpanForm;
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;
  #last = -1;

  constructor(form: SpanForm) {
    this.#form = form;
    this.#sums = new Float64Array(form.steps);
    this.#counts = new Uint32Array(form.steps);
  }

  add(atMs: number, value: number): void {
    const step = Math.floor(atMs / this.#form.stepMs);
    this.#reach(step);
    // A clock that was set back writes into steps that are known already, and not before the oldest.
    if (step <= this.#last - this.#form.steps) return;
    const at = step % this.#form.steps;
    this.#sums[at] = (this.#sums[at] as number) + value;
    this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  /** The averages of all steps up to the one of `nowMs`, oldest first; null where nothing was sampled. */
  values(nowMs: number): (number | null)[] {
    const { stepMs, steps } = this.#form;
    const now = Math.floor(nowMs / stepMs);
    return Array.from({ length: steps }, (_, at) => this.#average(now - steps + 1 + at));
  }

  keep(): KeptRing {
    const { steps } = this.#form;
    const values = Array.from({ length: steps }, (_, at) => this.#average(this.#last - steps + 1 + at));
    return {
      last: this.#last,
      values: values.map((value) => (value === null ? null : Number(value.toPrecision(DIGITS)))),
    };
  }

  load({ last, values }: KeptRing): void {
    const { stepMs, steps } = this.#form;
    for (const [at, value] of values.slice(-steps).entries()) {
      const step = last - Math.min(values.length, steps) + 1 + at;
      if (value !== null && step >= 0) this.add(step * stepMs, value);
    }
  }

  #average(step: number): number | null {
    const { steps } = this.#form;
    if (step < 0 || step > this.#last || step <= this.#last - steps) return null;
    const count = this.#counts[step % steps] as number;
    return count === 0 ? null : (this.#sums[step % steps] as number) / count;
  }

  /** Empties the steps between the last one and this. */
  #reach(step: number): void {
    if (step <= this.#last) return;
    const { steps } = this.#form;
    for (let at = Math.max(this.#last + 1, step - steps + 1); at <= step; at++) {
      this.#sums[at % steps] = 0;
      this.#counts[at % steps] = 0;
    }
    this.#last = step;
  }
}

export type KeptSeries = Readonly<Record<Span, KeptRing>>;

/** One figure over all spans. */
export class Series {
  readonly #rings: Readonly<Record<Span, Ring>> = {
    hour: new Ring(SPANS.hour),
    day: new Ring(SPANS.day),
    week: new Ring(SPANS.week),
  };

  add(atMs: number, value: number): void {
    if (!Number.isFinite(value)) return;
    for (const span of SPAN_NAMES) this.#rings[span].add(atMs, value);
  }

  /** Averages by step, oldest first; null where nothing was sampled. */
  values(span: Span, nowMs: number): readonly (number | null)[] {
    return this.#rings[span].values(nowMs);
  }

  keep(): KeptSeries {
    return { hour: this.#rings.hour.keep(), day: this.#rings.day.keep(), week: this.#rings.week.keep() };
  }

  load(kept: KeptSeries): void {
    for (const span of SPAN_NAMES) this.#rings[span].load(kept[span]);
  }
}
