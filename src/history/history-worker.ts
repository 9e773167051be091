import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { WordBuffer } from "../engine/words.ts";
import { faultCodeOf, type HistoryStep, isContentError, isSqliteError } from "./fault.ts";
import { HistoryWriter } from "./history-writer.ts";
import { type HistoryReader, readerOf } from "./parts.ts";
import type { FromHistoryWorker, HistoryWorkerData, QueryName, ToHistoryWorker } from "./protocol.ts";
import { type HistoryFile, keepHistory, openHistoryFile, restoreHistory, setFileAside } from "./sqlite/history-file.ts";
import { yieldToOthers } from "./yield-to-others.ts";

/**
 * Events are committed this long after the first of a batch came, together with all that came since: the more arrives,
 * the less each row costs. Queries do not wait for it, they read what is not committed too.
 */
const COMMIT_EVERY_MS = 1000;
/** A batch of this size is committed at once: about 10,000 deals with all that belongs to them. */
const COMMIT_BYTES = 8 * 1024 * 1024;

class HistoryWorker {
  readonly #port: MessagePort;
  readonly #path: string;
  #file: HistoryFile;
  #writer: HistoryWriter;
  #reader: HistoryReader;
  #uncommittedBytes = 0;
  #commitTimer: NodeJS.Timeout | undefined;

  static async on(port: MessagePort, path: string, file: HistoryFile): Promise<HistoryWorker> {
    return new HistoryWorker(port, path, file, await HistoryWriter.open(file));
  }

  private constructor(port: MessagePort, path: string, file: HistoryFile, writer: HistoryWriter) {
    this.#port = port;
    this.#path = path;
    this.#file = file;
    this.#writer = writer;
    this.#reader = readerOf(file);
  }

  /** `commitLater` runs a function after COMMIT_EVERY_MS, in its place among the messages. */
  async append(events: Uint8Array<ArrayBuffer>, lastSeq: number, commitLater: () => NodeJS.Timeout): Promise<void> {
    await this.#writer.take(WordBuffer.over(events), lastSeq);
    this.#uncommittedBytes += events.byteLength;
    this.#port.postMessage({ kind: "taken", memory: events.buffer } satisfies FromHistoryWorker, [events.buffer]);
    if (this.#uncommittedBytes >= COMMIT_BYTES) await this.commit();
    else this.#commitTimer ??= commitLater();
  }

  async commit(): Promise<void> {
    clearTimeout(this.#commitTimer);
    this.#commitTimer = undefined;
    await this.#writer.commit();
    const bytes = this.#uncommittedBytes;
    this.#uncommittedBytes = 0;
    this.#send({ kind: "committed", bytes, seq: this.#writer.committedSeq });
  }

  async flush(id: number): Promise<void> {
    await this.commit();
    this.#send({ kind: "answer", id, answer: this.#writer.committedSeq });
  }

  async answer(id: number, name: QueryName, query: unknown): Promise<void> {
    this.#writer.settle();
    const ask = this.#reader[name] as (query: unknown) => Promise<unknown>;
    this.#send({ kind: "answer", id, answer: await ask(query) });
  }

  async keep(id: number, image: string): Promise<void> {
    await this.commit();
    keepHistory(this.#file, this.#path, image);
    this.#send({ kind: "answer", id, answer: undefined });
  }

  async goBack(id: number, image: string, venueId: string): Promise<void> {
    await this.commit();
    this.#file = await restoreHistory(this.#file, image, { path: this.#path, venueId });
    this.#writer = await HistoryWriter.open(this.#file);
    this.#reader = readerOf(this.#file);
    this.#send({ kind: "answer", id, answer: undefined });
  }

  get queries(): QueryName[] {
    return Object.keys(this.#reader) as QueryName[];
  }

  /** Commits and closes; SQLite then moves its write-ahead log into the file and removes it. */
  async close(): Promise<void> {
    await this.commit();
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
      await worker?.close();
      port.close();
    } else if (worker === undefined) {
      // Nothing is taken after a fault; the main thread has been told and answers for itself.
    } else if (message.kind === "append") {
      await worker.append(message.events, message.lastSeq, () =>
        setTimeout(() => enqueue({ kind: "commit" }), COMMIT_EVERY_MS),
      );
    } else if (message.kind === "commit") {
      await worker.commit();
    } else if (message.kind === "flush") {
      await worker.flush(message.id);
    } else if (message.kind === "keep") {
      await worker.keep(message.id, message.image);
    } else if (message.kind === "go_back") {
      await worker.goBack(message.id, message.image, message.venueId);
    } else if (message.kind === "query") {
      await worker.answer(message.id, message.name, message.query);
    }
  }

  let last = Promise.resolve();
  function enqueue(message: ToHistoryWorker | { kind: "commit" }): void {
    last = last.then(() =>
      handle(message).catch((error: unknown) => {
        // A copy that cannot be written leaves all as it was.
        const isHarmless = message.kind === "keep" || (message.kind === "query" && !isSqliteError(error));
        if (isHarmless) {
          const text = error instanceof Error ? error.message : String(error);
          port.postMessage({ kind: "rejected", id: message.id, message: text } satisfies FromHistoryWorker);
        } else {
          fail(message.kind === "query" ? "query" : "append", error);
          if (message.kind === "close") port.close();
        }
      }),
    );
  }

  last = last.then(async () => {
    try {
      const file = await openHistoryFile(data);
      worker = await HistoryWorker.on(port, data.path, file);
      const { appliedSeq, setAside, notes } = file;
      const { queries } = worker;
      port.postMessage({ kind: "open", appliedSeq, setAside, notes, queries } satisfies FromHistoryWorker);
    } catch (error) {
      fail("open", error);
    }
  });
  port.on("message", enqueue);
}

if (parentPort !== null) {
  yieldToOthers();
  run(parentPort, workerData as HistoryWorkerData);
}
