/** Plants a change into the engine of this thread alone, then replays the golden venues until one comes out differently. */
import { parentPort, workerData } from "node:worker_threads";
import { type Plant, plantFault } from "../support/plant-fault.ts";

export interface ChangeTask extends Plant {
  /** Module of src/engine. */
  readonly file: string;
}

const change = workerData as ChangeTask;
plantFault(new URL(`../../src/engine/${change.file}`, import.meta.url).href, change);

// Only now, so that the engine comes through the hook.
const { goldenVenues } = await import("./golden.ts");
const { differencesOf } = await import("./replay.ts");
parentPort?.postMessage(firstDifference());

function firstDifference(): string | undefined {
  for (const venue of goldenVenues()) {
    const [difference] = differencesOf(venue);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
