import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { WordBuffer } from "../engine/words.ts";
import { faultCodeOf, type HistoryStep, isContentError, isSqliteError } from "./fault.ts";
import { type HistoryFile, openHistoryFile, setFileAside } from "./history-file.ts";
import { HistoryWriter } from "./history-writer.ts";
import { type HistoryReader, readerOf } from "./parts.ts";
import type { FromHistoryWorker, HistoryWorkerData, QueryName, ToHistoryWorker } from "./protocol.ts";
import { yieldToOthers } from "./yield-to-others.ts";

/**
 * Events are committed this long after the first of a batch came, together with all that came since: the more arrives,
 * the less each row costs. Queries do not wait for it, they read what is not committed too.
 */
const COMMIT_EVERY_MS = 250;
/** A batch of this size is committed at once: about 10,000 deals with all that belongs to them. */
const COMMIT_BYTES = 8 * 1024 * 1024;

class HistoryWorker {
  readonly #port: MessagePort;
  readonly #file: HistoryFile;
  readonly #writer: HistoryWriter;
  readonly #reader: HistoryReader;
  #uncommittedBytes = 0;
  #commitTimer: NodeJS.Timeout | undefined;

  constructor(port: MessagePort, file: HistoryFile) {
    this.#port = port;
    this.#file = file;
    this.#writer = new HistoryWriter(file);
    this.#reader = readerOf(file);
  }

  /** `commitLater` runs a function after COMMIT_EVERY_MS, in its place among the messages. */
  append(events: Uint8Array<ArrayBuffer>, lastSeq: number, commitLater: () => NodeJS.Timeout): void {
    this.#writer.take(WordBuffer.over(events), lastSeq);
    this.#uncommittedBytes += events.byteLength;
    this.#port.postMessage({ kind: "taken", memory: events.buffer } satisfies FromHistoryWorker, [events.buffer]);
    if (this.#uncommittedBytes >= COMMIT_BYTES) this.commit();
    else this.#commitTimer ??= commitLater();
  }

  commit(): void {
    clearTimeout(this.#commitTimer);
    this.#commitTimer = undefined;
    this.#writer.commit();
    const bytes = this.#uncommittedBytes;
    this.#uncommittedBytes = 0;
    this.#send({ kind: "committed", bytes, seq: this.#writer.committedSeq });
  }

  flush(id: number): void {
    this.commit();
    this.#send({ kind: "answer", id, answer: this.#writer.committedSeq });
  }

  async answer(id: number, name: QueryName, query: unknown): Promise<void> {
    this.#writer.settle();
    const ask = this.#reader[name] as (query: unknown) => Promise<unknown>;
    this.#send({ kind: "answer", id, answer: await ask(query) });
  }

  get queries(): QueryName[] {
    return Object.keys(this.#reader) as QueryName[];
  }

  /** Commits and closes; SQLite then moves its write-ahead log into the file and removes it. */
  close(): void {
    this.commit();
    this.#file.database.close();
  }

  /** Closes without committing, and makes the next start begin a new file when this one is damaged. */
  abandon(path: string, isDamaged: boolean): void {
    clearTimeout(this.#commitTimer);
    this.#file.database.close();
    if (isDamaged) setFileAside(path);
  }

  #send(message: FromHistoryWorker): void {
    this.#port.postMessage(message);
  }
}

/** Runs the worker on its port, one message after the other. After a fault it takes nothing more. */
function run(port: MessagePort, data: HistoryWorkerData): void {
  let worker: HistoryWorker | undefined;
  const fail = (step: HistoryStep, error: unknown) => {
    worker?.abandon(data.path, isContentError(error));
    worker = undefined;
    const message = error instanceof Error ? error.message : String(error);
    port.postMessage({ kind: "fault", step, code: faultCodeOf(error), message } satisfies FromHistoryWorker);
  };

  async function handle(message: ToHistoryWorker | { kind: "commit" }): Promise<void> {
    if (message.kind === "close") {
      worker?.close();
      port.close();
    } else if (worker === undefined) {
      // Nothing is taken after a fault; the main thread has been told and answers for itself.
    } else if (message.kind === "append") {
      worker.append(message.events, message.lastSeq, () =>
        setTimeout(() => enqueue({ kind: "commit" }), COMMIT_EVERY_MS),
      );
    } else if (message.kind === "commit") {
      worker.commit();
    } else if (message.kind === "flush") {
      worker.flush(message.id);
    } else {
      await worker.answer(message.id, message.name, message.query);
    }
  }

  let last = Promise.resolve();
  function enqueue(message: ToHistoryWorker | { kind: "commit" }): void {
    last = last.then(() =>
      handle(message).catch((error: unknown) => {
        if (message.kind === "query" && !isSqliteError(error)) {
          const text = error instanceof Error ? error.message : String(error);
          port.postMessage({ kind: "rejected", id: message.id, message: text } satisfies FromHistoryWorker);
        } else {
          fail(message.kind === "query" ? "query" : "append", error);
          if (message.kind === "close") port.close();
        }
      }),
    );
  }

  try {
    const file = openHistoryFile(data);
    worker = new HistoryWorker(port, file);
    const { appliedSeq, setAside, notes } = file;
    const { queries } = worker;
    port.postMessage({ kind: "open", appliedSeq, setAside, notes, queries } satisfies FromHistoryWorker);
  } catch (error) {
    fail("open", error);
  }
  port.on("message", enqueue);
}

if (parentPort !== null) {
  yieldToOthers();
  run(parentPort, workerData as HistoryWorkerData);
}
