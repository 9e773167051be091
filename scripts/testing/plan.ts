/**
 * Which files of tests there are, which of them belong to the fast ring (`npm test`), and in which processes and in
 * which order they run.
 *
 * The fast ring is a breadth-first cut: every unit test, and of every other folder some files, chosen by what they find
 * for what they cost. test/rings.json lists them, test/times.json tells the processor time of each file;
 * test/house/rings.test.ts holds both to the tree.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where tests lie. `examples` are run by a test of theirs. */
export const TEST_FILES: readonly string[] = ["src/**/*.test.ts", "test/**/*.test.ts"];

/** Files that nobody has measured yet count as this many seconds of processor time. */
const UNKNOWN_S = 2;

/**
 * Files share a process up to this many seconds of it: long enough to save, short enough for two processors to end
 * together.
 */
const LANE_S = 25;
const LANE_FILES = 80;

/** A file that is as long as this saves next to nothing by sharing. */
const ALONE_S = 5;

interface Rings {
  /** Patterns of the files of the fast ring, and of those that are too long for it although a pattern takes them. */
  readonly fast: readonly string[];
  readonly notFast: readonly string[];
}

export function readRings(): Rings {
  return JSON.parse(readFileSync(`${root}test/rings.json`, "utf8")) as Rings;
}

/** Seconds of processor time of each file, as recorded by `npm run test:all -- --record`. */
export function readTimes(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(`${root}test/times.json`, "utf8")) as Record<string, number>;
}

function found(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

export function allFiles(): string[] {
  return found(TEST_FILES);
}

export function fastFiles(): string[] {
  const { fast, notFast } = readRings();
  const without = new Set(found(notFast));
  return found(fast).filter((file) => !without.has(file));
}

/**
 * What a run of all tests adds to the fast ring: the other files, and those of its files that try more where there is
 * time.
 */
export function restFiles(): string[] {
  const fast = new Set(fastFiles());
  return allFiles().filter((file) => !fast.has(file) || hasBudget(file));
}

/** Whether a file tries fewer cases in the fast ring (test/support/ring.ts, test/support/runs.ts). */
function hasBudget(file: string): boolean {
  return /support\/(?:ring|runs)\.ts"/.test(readFileSync(`${root}${file}`, "utf8"));
}

/** What one process runs. */
export interface Lane {
  readonly files: readonly string[];
  readonly seconds: number;
}

/**
 * Puts short files of a room into few long-lived processes and gives every longer one its own; the longest come first.
 */
export function lanesOf(files: readonly string[], times: Readonly<Record<string, number>>): Lane[] {
  const secondsOf = (file: string) => times[file] ?? UNKNOWN_S;
  const lanes: Lane[] = [];
  let open: { files: string[]; seconds: number } | undefined;
  for (const file of [...files].sort()) {
    if (secondsOf(file) >= ALONE_S) {
      lanes.push({ files: [file], seconds: secondsOf(file) });
      continue;
    }
    const isFull = open === undefined || open.seconds + secondsOf(file) > LANE_S || open.files.length === LANE_FILES;
    if (open === undefined || isFull || roomOf(open.files[0] as string) !== roomOf(file)) {
      open = { files: [], seconds: 0 };
      lanes.push(open);
    }
    open.files.push(file);
    open.seconds += secondsOf(file);
  }
  return lanes.sort((one, other) => other.seconds - one.seconds);
}

/** Unit tests share what they load with each other, and those of a venue with each other. */
function roomOf(file: string): string {
  return file.split("/", 1)[0] as string;
}

/** The part `index` (from 1) of `count` parts of about equal length. */
export function shardOf(
  files: readonly string[],
  times: Readonly<Record<string, number>>,
  index: number,
  count: number,
) {
  const shards = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  const longestFirst = [...files].sort((one, other) => (times[other] ?? UNKNOWN_S) - (times[one] ?? UNKNOWN_S));
  for (const file of longestFirst) {
    const least = shards.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.files.push(file);
    least.seconds += times[file] ?? UNKNOWN_S;
  }
  return (shards[index - 1]?.files ?? []).sort();
}
