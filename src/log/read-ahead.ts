import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { LogDamaged } from "./errors.ts";
import type { FromReadAhead, ReadAheadData, ToReadAhead } from "./read-ahead-worker.ts";

/** Batches that lie ready while one is applied. Each holds about half a megabyte. */
const BATCHES_AHEAD_MAX = 8;

export type ReadAheadMessage = Extract<FromReadAhead, { kind: "batch" | "verified" | "end" }>;

/**
 * Reads and verifies the whole log of `dir` in another thread, ahead of the caller, who applies at the same time.
 * Begins at once. Iterating yields batches from the one that holds `shipFromSeq` on, progress of the part before, and
 * last the end; it throws LogDamaged. `stop` must be called in any case.
 */
export class ReadAhead implements AsyncIterable<ReadAheadMessage> {
  readonly #worker: Worker;
  readonly #messages: AsyncIterable<[FromReadAhead]>;

  constructor(dir: string, shipFromSeq: number) {
    const workerData: ReadAheadData = { dir, shipFromSeq, batchesAheadMax: BATCHES_AHEAD_MAX };
    this.#worker = new Worker(new URL("./read-ahead-worker.ts", import.meta.url), {
      workerData,
      name: "log reader",
      execArgv: [],
    });
    this.#messages = on(this.#worker, "message", { close: ["exit"] }) as AsyncIterable<[FromReadAhead]>;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ReadAheadMessage> {
    for await (const [message] of this.#messages) {
      if (message.kind === "damaged") throw new LogDamaged(message.what, message.place);
      if (message.kind === "failed") throw new Error(`The log cannot be read: ${message.reason}.`);
      yield message;
      if (message.kind === "end") return;
      if (message.kind === "batch") this.#worker.postMessage("more" satisfies ToReadAhead);
    }
    throw new Error("The log reader ended before the log did.");
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
