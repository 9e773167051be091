import { parentPort, workerData } from "node:worker_threads";
import { type SnapshotContent, type SnapshotHead, writeSnapshot } from "./snapshot-file.ts";
import { failureCodeOf } from "./sqlite-error.ts";

/** One snapshot to write, its chunks transferred. */
export interface SnapshotWorkerData extends SnapshotContent {
  readonly dir: string;
}

export type FromSnapshotWorker =
  | { readonly kind: "written"; readonly head: SnapshotHead }
  | { readonly kind: "failed"; readonly code: string; readonly reason: string };

function run({ dir, ...snapshot }: SnapshotWorkerData): FromSnapshotWorker {
  try {
    return { kind: "written", head: writeSnapshot(dir, snapshot) };
  } catch (error) {
    return { kind: "failed", code: failureCodeOf(error), reason: (error as Error).message };
  }
}

parentPort?.postMessage(run(workerData as SnapshotWorkerData));
