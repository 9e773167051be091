import { Worker } from "node:worker_threads";
import type { DatabaseWorkerData } from "../protocol.ts";

/** The thread that keeps a history in PostgreSQL. */
export function startDatabaseWorker(workerData: DatabaseWorkerData): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { workerData, name: "history", execArgv: [] });
}
