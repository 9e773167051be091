/**
 * What is run before a change is taken: the fast ring, then as much of the rest as there is time for, in an order that
 * begins elsewhere from one change to the next.
 */
import { execFileSync } from "node:child_process";
import { fastFiles, type Lane, lanesOf, restFiles, shardOf } from "./plan.ts";
import { type RunResult, runLanes } from "./runner.ts";
import { tryAgain } from "./second-try.ts";

const MINUTE_MS = 60_000;

/** From its begin. The rest may take 35 minutes when the fast ring takes the five that it is made for. */
const START_UNTIL_MS = 42 * MINUTE_MS;
/** What still runs then is stopped and counts as not run. */
const STOP_AT_MS = 52 * MINUTE_MS;

/**
 * The rest begins with one of so many parts of equal length, so that all of it has run after as many changes, however
 * slow the machine.
 */
const PARTS = 3;

export async function runBeforeChange(
  times: Readonly<Record<string, number>>,
  print: (text: string) => void,
): Promise<RunResult[]> {
  const begin = Date.now();
  process.env["BOURSE_TEST_RING"] = "fast";
  print("The fast ring:\n");
  const until = { stopAtMs: begin + STOP_AT_MS, print };
  const alone = (files: readonly string[]) => runLanes([{ files, seconds: 0 }], until);
  const fast = await tryAgain(await runLanes(lanesOf(fastFiles(), times), until), alone, print);
  // What there was no time for may hide a failure: of the rest that is known, of the fast ring it must not be.
  const unfinished = fast.notRun.map((file) => `✖ ${file} did not run: the time was up.`);
  if (fast.failures.length > 0 || unfinished.length > 0)
    return [{ ...fast, failures: [...fast.failures, ...unfinished] }];
  process.env["BOURSE_TEST_RING"] = "all";
  print("\nThe rest, as far as there is time:\n");
  const limits = { ...until, startUntilMs: begin + START_UNTIL_MS };
  return [fast, await tryAgain(await runLanes(inTurns(times, changeNumber()), limits), alone, print)];
}

/** The lanes of the rest, beginning with the part whose turn it is. */
function inTurns(times: Readonly<Record<string, number>>, turn: number): Lane[] {
  const files = restFiles();
  return Array.from({ length: PARTS }, (_, at) =>
    lanesOf(shardOf(files, times, ((turn + at) % PARTS) + 1, PARTS), times),
  ).flat();
}

/** Counts the changes of the main line; where git does not tell, the days. */
function changeNumber(): number {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    if (git("rev-parse", "--is-shallow-repository") === "false") return Number(git("rev-list", "--count", "HEAD"));
  } catch {
    // Not a repository, or no git.
  }
  return Math.floor(Date.now() / 86_400_000);
}
