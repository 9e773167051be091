/**
 * Plays rounds against lying nodes, with a fault planted into this thread where one is given. Answers what came of it.
 */
import { parentPort, workerData } from "node:worker_threads";
import { type Plant, plantFault } from "../support/plant-fault.ts";
import type { Place } from "./lies.ts";

export interface LiesTask {
  /** Module of src, with what is changed in it. */
  readonly fault?: { readonly file: string; readonly plant: Plant };
  readonly seed: number;
  readonly place: Place;
  readonly rounds: number;
  /** The only method that is lied in; in all of them unless given. */
  readonly method?: string;
}

const { fault, seed, place, rounds, method } = workerData as LiesTask;
if (fault !== undefined) plantFault(new URL(`../../src/${fault.file}`, import.meta.url).href, fault.plant);
// Only now, so that the chain comes through the hook.
const { playLies } = await import("./lies.ts");
parentPort?.postMessage(await playLies(seed, place, rounds, method));
