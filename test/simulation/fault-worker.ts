/**
 * Plants a fault into the engine of this thread alone, then runs seeds until one fails. Answers that seed and what it showed;
 * nothing when none of them failed.
 */
import { registerHooks } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { PlantedFault } from "./planted-faults.ts";

export interface FaultTask {
  readonly fault: PlantedFault;
  readonly seeds: number;
  readonly commands: number;
}

export interface FaultAnswer {
  readonly seed: number;
  readonly showed: string;
}

const { fault, seeds, commands } = workerData as FaultTask;
const place = new URL(`../../src/engine/${fault.file}`, import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== place) return loaded;
    const parts = String(loaded.source).split(fault.code);
    if (parts.length !== 2) throw new Error(`${fault.file} holds the code to change ${parts.length - 1} times.`);
    return { ...loaded, source: parts.join(fault.instead) };
  },
});

// Only now, so that the engine comes through the hook.
const { runSeed } = await import("./seed-run.ts");
parentPort?.postMessage(firstFailure());

function firstFailure(): FaultAnswer | undefined {
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = runSeed(fault.world ?? "spot", seed, commands);
    if (failure !== undefined) return { seed, showed: failure.differences[0] as string };
  }
  return undefined;
}
