/**
 * Plants a fault into the engine of this thread alone, then runs seeds until one fails. Answers that seed and what it
 * showed; nothing when none of them failed.
 */
import { parentPort, workerData } from "node:worker_threads";
import { plantFault } from "../support/plant-fault.ts";
import type { PlantedFault } from "./world.ts";

export interface FaultTask {
  readonly world: string;
  readonly fault: PlantedFault;
  readonly seeds: number;
  readonly commands: number;
}

export interface FaultAnswer {
  readonly seed: number;
  readonly showed: string;
}

const { world, fault, seeds, commands } = workerData as FaultTask;
plantFault(new URL(`../../src/engine/${fault.file}`, import.meta.url).href, fault);

// Only now, so that the engine comes through the hook.
const { runSeed } = await import("./seed-run.ts");
parentPort?.postMessage(firstFailure());

function firstFailure(): FaultAnswer | undefined {
  const { from = 1 } = fault;
  for (let seed = from; seed < from + seeds; seed++) {
    const { failure } = runSeed(world, seed, commands);
    if (failure !== undefined) return { seed, showed: failure.differences[0] as string };
  }
  return undefined;
}
