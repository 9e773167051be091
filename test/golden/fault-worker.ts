/**
 * Plants a change into the engine of this thread alone, then replays the golden venues until one comes out differently.
 */
import { parentPort, workerData } from "node:worker_threads";
import { type Plant, plantFault } from "../support/plant-fault.ts";

export interface ChangeTask extends Plant {
  /** Module of src/engine. */
  readonly file: string;
  /** Whether all venues are replayed in turns, and not one after the other. */
  readonly together?: boolean;
}

const change = workerData as ChangeTask;
plantFault(new URL(`../../src/engine/${change.file}`, import.meta.url).href, change);

// Only now, so that the engine comes through the hook.
const { goldenVenues } = await import("./golden.ts");
const { differencesOf, differencesTogether } = await import("./replay.ts");
parentPort?.postMessage(change.together ? firstTogether() : firstDifference());

function firstDifference(): string | undefined {
  for (const venue of goldenVenues()) {
    const [difference] = differencesOf(venue);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** An engine that ends where it went on before comes out differently, too. */
function firstTogether(): string | undefined {
  try {
    return differencesTogether(goldenVenues())[0];
  } catch (error) {
    return String(error);
  }
}
