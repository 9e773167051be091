/** Runs the seeds that the runner sends, one at a time, and answers what each came to. */
import { parentPort } from "node:worker_threads";
import { runSeed, shrunkSeed } from "./seed-run.ts";
import type { SeedAnswer, SeedTask } from "./sim-tasks.ts";

const port = parentPort ?? fail();

port.on("message", ({ world, seed, commands }: SeedTask) => {
  const { commands: done, failure, tally, gains } = runSeed(world, seed, commands);
  const kept = failure === undefined ? undefined : shrunkSeed(world, seed, commands, failure.at);
  port.postMessage({ world, seed, commands: done, tally, gains, failure, kept } satisfies SeedAnswer);
});

function fail(): never {
  throw new Error("This runs as a worker of sim.ts.");
}
