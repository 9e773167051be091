/**
 * `node scripts/test.ts [fast|all|check|unit|ci] [--shard i/n] [--bail] [--record]` runs a ring of the tests
 * (docs/background/testing.md) and prints each file with its time; its last line is `N passed, N failed`. With names of
 * files it runs these, with Node's own runner and its report.
 *
 * Everything is a test, types, lint and format included (test/house), so one line at the end speaks for all of it.
 */
import { globSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { become } from "./become.js";
import { useBundles } from "./testing/bundles.ts";
import { runBeforeChange } from "./testing/ci.ts";
import { allFiles, fastFiles, lanesOf, readTimes, shardOf } from "./testing/plan.ts";
import { runLanes } from "./testing/runner.ts";
import { sayEnd } from "./testing/summary.ts";

/**
 * No single test may take longer: a test that hangs must fail rather than stop the run. A busy machine needs ten times
 * as long as an idle one.
 */
const TEST_TIMEOUT_MS = 900_000;

const RINGS: Readonly<Record<string, () => readonly string[]>> = {
  fast: fastFiles,
  all: allFiles,
  /** What needs no running venue: types, lint, format, guards, unit tests. */
  check: () => fastFiles().filter((file) => /^(src|test\/house)\//.test(file)),
  unit: () => allFiles().filter((file) => file.startsWith("src/")),
};

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// Each lane of tests and each venue that it starts is a process that loads hundreds of modules: they are compiled once
// for all.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
const [first = "fast", ...rest] = process.argv.slice(2);
const ring = RINGS[first];
const words = ring === undefined ? process.argv.slice(2) : rest;
const flags = words.filter((word) => word.startsWith("-"));
const asked = words.filter((word) => !word.startsWith("-") && !/^\d+\/\d+$/.test(word));

const print = (text: string) => process.stdout.write(text);

if (first === "ci") {
  await useBundles();
  const results = await runBeforeChange(readTimes(), print);
  process.exitCode = sayEnd(results, performance.now() / 1_000, print);
} else if (asked.length > 0) runNamed(asked);
else await runRing(ring ?? fastFiles);

function runNamed(patterns: readonly string[]): never | undefined {
  const files = globSync([...patterns]).sort();
  if (files.length === 0) {
    process.stderr.write("No test file was found.\n");
    process.exit(1);
  }
  become(process.execPath, [
    "--test",
    "--test-reporter=spec",
    `--import=${new URL("testing/leak-watch.ts", import.meta.url).href}`,
    "--test-concurrency=2",
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    ...flags,
    ...files,
  ]);
  return undefined;
}

async function runRing(filesOf: () => readonly string[]): Promise<void> {
  // Tests that try many worlds, commands or requests try as many as the ring has time for (test/support/ring.ts).
  process.env["BOURSE_TEST_RING"] ??= first === "all" ? "all" : "fast";
  await useBundles();
  const times = readTimes();
  const [, index, count] = /(?:^| )--shard[= ](\d+)\/(\d+)/.exec(words.join(" ")) ?? [];
  const files = count === undefined ? filesOf() : shardOf(filesOf(), times, Number(index), Number(count));
  const result = await runLanes(lanesOf(files, times), { bail: flags.includes("--bail"), print });
  if (flags.includes("--record")) record(times, result.files);
  process.exitCode = sayEnd([result], performance.now() / 1_000, print);
}

/** Notes the processor time of what was run, and forgets files that are gone. */
function record(
  times: Readonly<Record<string, number>>,
  ran: readonly { readonly file: string; readonly processorSeconds: number | undefined }[],
): void {
  const now = new Map(Object.entries(times));
  for (const { file, processorSeconds } of ran)
    if (processorSeconds !== undefined) now.set(file, Math.round(processorSeconds * 10) / 10);
  const kept = allFiles().flatMap((file) => (now.has(file) ? [[file, now.get(file)] as const] : []));
  writeFileSync("test/times.json", `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}
