import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Figure, report } from "../report.ts";
import { findCounter, type InstructionCounter } from "./instruction-counter.ts";
import type { Path } from "./messages.ts";
import { rootsWith, SEED } from "./paths.ts";
import { flagsOf } from "./race.ts";
import { isList, type Runs } from "./runners.ts";

/** Messages that are counted. */
const COUNT = 40_000;
/** So many times they are taken before: V8 compiles the last functions in the sixth to ninth time. */
const WARM = 10;

/**
 * V8 compiles and collects garbage on the thread that runs the engine, at the same places of each run: what else the
 * machine does changes nothing.
 */
const STEADY_FLAGS = ["--single-threaded", "--random-seed=1", "--hash-seed=1"];

const PROGRAM = fileURLToPath(new URL("counted-contender.ts", import.meta.url));

/**
 * Reports machine instructions a message instead of times, in this work tree and in `against`, if there is one: then
 * also how many times as many the other takes. Where nothing counts instructions it says what to do, with exit code 1.
 */
export async function reportCounted(
  bench: string,
  listed: readonly Runs[],
  paths: readonly Path[],
  against?: string,
): Promise<void> {
  const counter = await findCounter();
  if (counter === undefined) {
    process.stderr.write(
      "Nothing counts instructions here: install valgrind, or run on a machine where `perf stat` counts them.\n",
    );
    process.exitCode = 1;
    return;
  }
  console.log(`Instructions a message, counted by ${counter.name}: ${COUNT} messages, after ${WARM} times as many.`);
  const figures: Figure[] = [];
  for (const runs of listed) {
    for (const path of isList(runs) ? paths.slice(0, 1) : paths) {
      const name = isList(runs) ? runs : `${runs}, ${path}`;
      const counts: number[] = [];
      for (const root of rootsWith(against)) counts.push(await instructionsOf(counter, root, runs, path));
      const [ours, theirs] = counts as [number, number?];
      figures.push({ name: `${name}: instructions`, value: ours });
      if (theirs === undefined) continue;
      figures.push({ name: `${name}: instructions of the other`, value: theirs });
      figures.push({ name: `${name}: times as few`, value: theirs / ours });
    }
  }
  report(bench, figures);
}

/** Instructions a message: of a process that takes them once more, less those of one that does not. */
async function instructionsOf(counter: InstructionCounter, root: string, runs: Runs, path: Path): Promise<number> {
  const program = [process.execPath, ...flagsOf(root), ...STEADY_FLAGS, PROGRAM, root, runs, path];
  const countOf = (last: number) => counter.count([...program, `${COUNT}`, `${SEED}`, `${WARM}`, `${last}`]);
  const [all, warm] = await Promise.all([countOf(1), countOf(0)]);
  return (all - warm) / COUNT;
}
