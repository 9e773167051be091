/**
 * Figures that a venue counts, in the text form that Prometheus reads. A figure is a plain number in memory, so
 * counting costs an addition; text is made only when somebody asks. prom-client would look labels up by a hashed text
 * for each command counted, and brings nothing that is missed here.
 */

/** Labels of one line, in the order in which they are printed. */
export type Labels = Readonly<Record<string, string>>;

/** The suffix that a line of a histogram has behind the figure's name. */
const SUFFIX = /_(bucket|sum|count)$/;

type FamilyType = "counter" | "gauge" | "histogram";

/** One line of figures: a name, its labels and its value. */
export interface FigureSample {
  readonly suffix: string;
  readonly labels: Labels;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: FamilyType;
  samples(): Iterable<FigureSample>;
}

/** A figure that only grows. */
export class Counter {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

/** Measurements sorted into ranges: how many were at most each bound, how many there were, and their sum. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;
  count = 0;

  /** `bounds` ascend; what is above the last is counted, too. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length);
  }

  observe(value: number): void {
    this.sum += value;
    this.count++;
    for (let at = 0; at < this.bounds.length; at++) {
      if (value > (this.bounds[at] as number)) continue;
      this.counts[at] = (this.counts[at] as number) + 1;
      return;
    }
  }
}

/** Histograms of one name that differ in their labels, made when first asked for. The caller bounds how many. */
export class Histograms {
  readonly #bounds: readonly number[];
  readonly #byKey = new Map<string, Map<string, Histogram>>();
  /** In the order in which they were made. */
  readonly #all: (readonly [Labels, Histogram])[] = [];

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  /**
   * Both keys stand for the labels, which are made only once. They are two, since joining texts costs more than looking
   * up twice.
   */
  of(key: string, key2: string, labels: () => Labels): Histogram {
    let some = this.#byKey.get(key);
    if (some === undefined) {
      some = new Map();
      this.#byKey.set(key, some);
    }
    let histogram = some.get(key2);
    if (histogram === undefined) {
      histogram = new Histogram(this.#bounds);
      some.set(key2, histogram);
      this.#all.push([labels(), histogram]);
    }
    return histogram;
  }

  *samples(): Generator<FigureSample> {
    for (const [labels, histogram] of this.#all) yield* samplesOf(histogram, labels);
  }
}

export class MetricsRegistry {
  readonly #families = new Map<string, Family>();

  /** A counter by itself. Its name ends in `_total`. */
  counter(name: string, help: string): Counter {
    const counter = new Counter();
    this.#add({ name, help, type: "counter", samples: () => [{ suffix: "", labels: {}, value: counter.value }] });
    return counter;
  }

  /** Figures read when they are asked for: one number, or one for each set of labels. */
  read(type: "counter" | "gauge", name: string, help: string, read: () => number | Iterable<[Labels, number]>): void {
    const samples = () => {
      const figures = read();
      return typeof figures === "number"
        ? [{ suffix: "", labels: {}, value: figures }]
        : Array.from(figures, ([labels, value]) => ({ suffix: "", labels, value }));
    };
    this.#add({ name, help, type, samples });
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const histogram = new Histogram(bounds);
    this.#add({ name, help, type: "histogram", samples: () => samplesOf(histogram) });
    return histogram;
  }

  histograms(name: string, help: string, bounds: readonly number[]): Histograms {
    const histograms = new Histograms(bounds);
    this.#add({ name, help, type: "histogram", samples: () => histograms.samples() });
    return histograms;
  }

  /** Everything, in the order in which it was registered. Source: Prometheus text exposition format, version 0.0.4. */
  text(): string {
    const lines: string[] = [];
    for (const family of this.#families.values()) {
      lines.push(`# HELP ${family.name} ${family.help}`, `# TYPE ${family.name} ${family.type}`);
      for (const { suffix, labels, value } of family.samples()) {
        lines.push(`${family.name}${suffix}${labelText(labels)} ${value}`);
      }
    }
    return `${lines.join("\n")}\n`;
  }

  /**
   * The values under a name as `text` prints it, such as `bourse_seq` or `bourse_commit_seconds_count`; none where
   * there is no such figure.
   */
  *samples(name: string): Generator<FigureSample> {
    const suffix = this.#families.has(name) ? "" : (SUFFIX.exec(name)?.[0] ?? "");
    const family = this.#families.get(name.slice(0, name.length - suffix.length));
    if (family === undefined) return;
    for (const sample of family.samples()) if (sample.suffix === suffix) yield sample;
  }

  #add(family: Family): void {
    if (this.#families.has(family.name)) throw new Error(`There is a figure named ${family.name} already.`);
    this.#families.set(family.name, family);
  }
}

/** Returns a function that reads once for all figures that are read in the same turn of the event loop. */
export function oncePerTurn<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    if (known === undefined) {
      known = { value: read() };
      queueMicrotask(() => (known = undefined));
    }
    return known.value;
  };
}

function* samplesOf(histogram: Histogram, labels: Labels = {}): Generator<FigureSample> {
  let below = 0;
  for (const [at, bound] of histogram.bounds.entries()) {
    below += histogram.counts[at] as number;
    yield { suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: below };
  }
  yield { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: histogram.count };
  yield { suffix: "_sum", labels, value: histogram.sum };
  yield { suffix: "_count", labels, value: histogram.count };
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
