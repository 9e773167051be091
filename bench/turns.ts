/**
 * `node --import ./bench/turns.ts …`: how long the turns of a program's event loop take, in processor time of its main
 * thread, which says the same on a busy machine. On SIGUSR2 it writes the figures since the last one into the file that
 * TURNS_FILE names.
 */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { threadMs } from "./thread-time.ts";

/** Between two looks there is about one turn: what comes meanwhile is read in one. */
const LOOK_MS = 1;
/** Turns that are remembered: two minutes of looks. */
const TURNS_MAX = 120_000;

if (isMainThread && process.env.TURNS_FILE !== undefined) {
  const file = process.env.TURNS_FILE;
  let turns: number[] = [];
  let before = threadMs();
  setInterval(() => {
    const now = threadMs();
    if (turns.length < TURNS_MAX) turns.push(now - before);
    before = now;
  }, LOOK_MS).unref();
  process.on("SIGUSR2", () => {
    writeFileSync(file, JSON.stringify(turns.sort((one, other) => one - other)));
    turns = [];
  });
}
