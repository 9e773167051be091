/** The venue's figures, read on a beat and kept for as long as the console is open: what small charts are drawn of. */
import { createSignal } from "solid-js";
import { currentCsrf } from "../api/client.ts";
import { isPresent } from "./presence.ts";
import { operator } from "./session.ts";

/** Of a figure at one time: by its labels as they are written, `{market="BTCUSDT"}`. */
type Sample = ReadonlyMap<string, number>;
interface Reading {
  readonly atMs: number;
  readonly samples: ReadonlyMap<string, Sample>;
}

const BEAT_MS = 3_000;
/** 15 minutes of it. */
const KEPT = 300;
const LINE = /^(\w+)(\{.*\})? (\S+)$/;

const [readings, setReadings] = createSignal<readonly Reading[]>([]);
const [isHeard, setIsHeard] = createSignal(true);

export { isHeard };

export const figures = {
  /** The sum over all labels that hold `label`, as it is now; NaN before anything was read. */
  last: (name: string, label = ""): number => sumOf(readings().at(-1), name, label),
  /** The same over time. */
  line: (name: string, label = ""): readonly number[] => readings().map((reading) => sumOf(reading, name, label)),
  /** How much it grew a second, between one reading and the next. */
  rate: (name: string, label = ""): readonly number[] => perSecond((reading) => sumOf(reading, name, label)),
  /** The average of a histogram between readings. */
  mean: (name: string): readonly number[] => {
    const sums = perSecond((reading) => sumOf(reading, `${name}_sum`, ""));
    const counts = perSecond((reading) => sumOf(reading, `${name}_count`, ""));
    return sums.map((sum, at) => ((counts[at] ?? 0) > 0 ? sum / (counts[at] as number) : 0));
  },
  /** What a figure has by its labels. */
  labelled: (name: string): readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[] =>
    Array.from(readings().at(-1)?.samples.get(name) ?? [], ([labels, value]) => [labelsOf(labels), value] as const),
};

function sumOf(reading: Reading | undefined, name: string, label: string): number {
  const sample = reading?.samples.get(name);
  if (sample === undefined) return reading === undefined ? Number.NaN : 0;
  let sum = 0;
  for (const [labels, value] of sample) if (labels.includes(label)) sum += value;
  return sum;
}

function perSecond(of: (reading: Reading) => number): number[] {
  const all = readings();
  return all.slice(1).map((reading, at) => {
    const before = all[at] as Reading;
    // A venue that was started again counts from 0.
    return Math.max(0, of(reading) - of(before)) / ((reading.atMs - before.atMs) / 1_000);
  });
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(text.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]));
}

async function read(): Promise<void> {
  if (!isPresent() || operator() === undefined) return;
  const answer = await fetch("/admin/metrics", {
    headers: { "x-bourse-csrf": currentCsrf() ?? "" },
    signal: AbortSignal.timeout(BEAT_MS * 2),
  });
  if (!answer.ok) throw new Error(`The figures came with status ${answer.status}.`);
  const samples = new Map<string, Map<string, number>>();
  for (const line of (await answer.text()).split("\n")) {
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const sample = samples.get(name) ?? new Map<string, number>();
    samples.set(name, sample.set(labels, Number(value)));
  }
  setReadings((before) => [...before, { atMs: performance.now(), samples }].slice(-KEPT));
}

function readQuietly(): void {
  read().then(
    () => setIsHeard(true),
    () => setIsHeard(false),
  );
}

setInterval(readQuietly, BEAT_MS);

/** To be called when somebody has signed in: charts begin at once. */
export { readQuietly as readFigures };
