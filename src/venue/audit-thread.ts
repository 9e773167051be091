import { Worker } from "node:worker_threads";
import type { AdminAudit } from "../gateway/admin/backend.ts";
import type { StateCopy } from "./state-copy.ts";

/** A copy of the state, its chunks transferred. */
export interface AuditWorkerData {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly seq: number;
  readonly timeMs: number;
}

/**
 * Audits a copy of the state while the venue goes on: it is loaded and looked at in a thread of its own. `audit`
 * rejects when the thread ends before it is done, for want of memory or because it was ended.
 */
export class AuditThread {
  readonly audit: Promise<AdminAudit>;
  readonly #worker: Worker;

  constructor({ chunks, seq, timeMs }: StateCopy) {
    const workerData: AuditWorkerData = { chunks, seq, timeMs };
    const transferList = [...new Set(chunks.map(({ buffer }) => buffer))];
    const url = new URL("./audit-worker.ts", import.meta.url);
    this.#worker = new Worker(url, { workerData, transferList, name: "audit", execArgv: [] });
    this.audit = new Promise((resolve, reject) => {
      this.#worker.on("message", resolve);
      this.#worker.on("error", reject);
      this.#worker.on("exit", () => reject(new Error("The thread that audits the state has ended.")));
    });
    // A venue that stops does not wait for it.
    this.#worker.unref();
  }

  end(): void {
    void this.#worker.terminate();
  }
}
