import { Worker } from "node:worker_threads";
import type { DataDir } from "./data-dir.ts";
import type { SnapshotContent, SnapshotHead } from "./snapshot-file.ts";
import type { FromSnapshotWorker, SnapshotWorkerData } from "./snapshot-worker.ts";

/**
 * A snapshot could not be written. The log holds everything, so the venue goes on; the older snapshots are untouched.
 */
export class SnapshotFailed extends Error {
  /** Name of the underlying failure, such as ENOSPC. */
  readonly code: string;

  constructor(code: string, reason: string) {
    super(`The snapshot could not be written: ${reason}.`);
    this.name = "SnapshotFailed";
    this.code = code;
  }
}

/**
 * Hashes and writes a snapshot in its own thread, while the venue goes on. The chunks are transferred: they must be
 * copies of the state, each with a buffer of its own, and are empty for the caller afterwards. One at a time.
 */
export class SnapshotWriter {
  readonly #dir: string;
  #underWay: Promise<unknown> | undefined;

  constructor(dataDir: DataDir) {
    this.#dir = dataDir.path;
  }

  /** A snapshot is being written. */
  get busy(): boolean {
    return this.#underWay !== undefined;
  }

  /** Its seq must be the last of a group, and durable. Rejects with SnapshotFailed. Throws when one is under way. */
  async write(snapshot: SnapshotContent): Promise<SnapshotHead> {
    if (this.#underWay !== undefined) throw new Error("A snapshot is already being written.");
    const buffers = new Set((snapshot.chunks as readonly Uint8Array<ArrayBuffer>[]).map((chunk) => chunk.buffer));
    const written = writeInWorker({ ...snapshot, dir: this.#dir }, [...buffers]);
    this.#underWay = written;
    try {
      return await written;
    } finally {
      this.#underWay = undefined;
    }
  }

  /** Waits for the snapshot under way, if there is one, whatever its fate. */
  async settle(): Promise<void> {
    await this.#underWay?.catch(() => undefined);
  }
}

function writeInWorker(workerData: SnapshotWorkerData, transferList: ArrayBuffer[]): Promise<SnapshotHead> {
  const url = new URL("./snapshot-worker.ts", import.meta.url);
  const worker = new Worker(url, { workerData, transferList, name: "snapshot", execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on("message", (message: FromSnapshotWorker) => {
      if (message.kind === "written") resolve(message.head);
      else reject(new SnapshotFailed(message.code, message.reason));
    });
    worker.on("error", (error: Error) => reject(new SnapshotFailed("WORKER_DIED", error.message)));
    worker.on("exit", () => reject(new SnapshotFailed("WORKER_EXITED", "its thread ended by itself")));
  });
}
