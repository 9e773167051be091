/** Plants a fault into one rule of this thread alone, then lets worlds run with it. Answers what went wrong first. */
import { parentPort, workerData } from "node:worker_threads";
import { type Plant, plantFault } from "../support/plant-fault.ts";

export interface WorldFaultTask {
  /** The module of the rule, in src/cluster. */
  readonly module: string;
  readonly plant: Plant;
  /** The first seed, and how many. */
  readonly from: number;
  readonly seeds: number;
  readonly steps: number;
}

const { module, plant, from, seeds, steps } = workerData as WorldFaultTask;
plantFault(new URL(`../../src/cluster/${module}`, import.meta.url).href, plant);
// Only now, so that the rules come through the hook.
const { World } = await import("./world.ts");

function firstFailure(): string | undefined {
  for (let seed = from; seed < from + seeds; seed++) {
    try {
      World.run({ seed, steps });
    } catch (error) {
      return `seed ${seed}: ${(error as Error).message}`;
    }
  }
  return undefined;
}

parentPort?.postMessage(firstFailure());
