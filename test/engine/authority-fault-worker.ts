/** Plants a fault into the engine of this thread alone, and looks for what one human can do by it. */
import { parentPort, workerData } from "node:worker_threads";
import { type Plant, plantFault } from "../support/plant-fault.ts";
import type { SceneName } from "./authority-scenes.ts";

export interface FaultTask extends Plant {
  /** Module of src/engine/operators. */
  readonly file: string;
  readonly scene: SceneName;
}

const task = workerData as FaultTask;
plantFault(new URL(`../../src/engine/operators/${task.file}`, import.meta.url).href, task);

// Only now, so that the engine comes through the hook.
const { OneHuman } = await import("./one-human.ts");
const { SCENES } = await import("./authority-scenes.ts");
parentPort?.postMessage(new OneHuman(SCENES[task.scene]).explore(5).path);
