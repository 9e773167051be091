import { type MessagePort, Worker } from "node:worker_threads";

export interface BackfillWorkerData {
  readonly dir: string;
  readonly afterSeq: number;
  readonly port: MessagePort;
}

/**
 * Tells a history what came of the commands after a seq: the log is read again, in a thread and an engine of their own.
 */
export function backfillOf(dir: string): (afterSeq: number, port: MessagePort) => void {
  return (afterSeq, port) => {
    const workerData: BackfillWorkerData = { dir, afterSeq, port };
    const worker = new Worker(new URL("./backfill-worker.ts", import.meta.url), {
      workerData,
      name: "backfill of history",
      execArgv: [],
      transferList: [port],
    });
    // Who listens sees that the port is closed, and asks again.
    worker.on("error", () => {});
    worker.unref();
  };
}
