/**
 * Plants a fault into the engine of this thread alone, then plays until one play shows it. Answers what it showed;
 * nothing when none did.
 */
import { parentPort, workerData } from "node:worker_threads";
import { plantFault } from "../../support/plant-fault.ts";

const { file, code, instead, seeds } = workerData as {
  readonly file: string;
  readonly code: string;
  readonly instead: string;
  readonly seeds: number;
};
plantFault(new URL(`../../../src/engine/${file}`, import.meta.url).href, { code, instead });

// Only now, so that the engine comes through the hook.
const { play } = await import("./play.ts");
parentPort?.postMessage(firstFailure());

function firstFailure(): string | undefined {
  for (let seed = 1; seed <= seeds; seed++) {
    for (const isStill of [true, false]) {
      try {
        play(seed, isStill);
      } catch (error) {
        return `seed ${seed}: ${error instanceof Error ? error.message : error}`;
      }
    }
  }
  return undefined;
}
