/**
 * Plants a fault into the limits of this thread alone, then holds them to the plain rule. Answers what differs first.
 */
import { parentPort, workerData } from "node:worker_threads";
import { type Plant, plantFault } from "../support/plant-fault.ts";

export interface LimitsFaultTask {
  readonly plant: Plant;
  /** Module of src/gateway/limits. */
  readonly file: string;
  readonly requests: number;
}

const { plant, file, requests } = workerData as LimitsFaultTask;
plantFault(new URL(`../../src/gateway/limits/${file}`, import.meta.url).href, plant);
// Only now, so that the limits come through the hook.
const { limitsDifference } = await import("./reference.ts");
parentPort?.postMessage(await limitsDifference(requests, 1));
