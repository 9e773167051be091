import { Worker } from "node:worker_threads";
import { GROUP_BYTES_MAX, type LogEnd, type LogGroup, lastSeqOf } from "./chain.ts";
import type { DataDir } from "./data-dir.ts";
import { LogFault } from "./errors.ts";
import type { FromLogWorker, InjectedFault, LogWorkerData, ToLogWorker } from "./log-worker.ts";

export type { InjectedFault } from "./log-worker.ts";

/** The reports of the writer of a log file. Both are called from the event loop, never from within `append`. */
export interface LogHandlers {
  /** All commands up to `lastSeq` are on the disk. Called once per group, in order. `commitMs` is the worker's time. */
  onDurable(lastSeq: number, commitMs: number): void;
  /** The log failed. Called at most once; nothing is reported durable afterwards, and the venue must stop. */
  onFault(fault: LogFault): void;
}

export interface LogWriterOptions {
  /** Allows `injectFault`; for tests and the dev profile only. */
  readonly faultInjection?: boolean;
}

/**
 * Groups that may be under way. The sequencer seals a group when the one before is durable, so one or two is the rule;
 * the bound turns a caller that does not wait into an error instead of memory.
 */
const PENDING_GROUPS_MAX = 64;
/**
 * Payloads of this size are given to the worker, memory and all; to copy a smaller one takes less than to give it away.
 */
const HANDED_OVER_BYTES = 65_536;

/** Starts the writer behind `end`, which recovery has verified, in a directory whose lock the caller holds. */
export async function openLogWriter(
  dataDir: DataDir,
  end: LogEnd,
  handlers: LogHandlers,
  options: LogWriterOptions = {},
): Promise<FileLogWriter> {
  const writer = new FileLogWriter(dataDir.path, end, handlers, options);
  await writer.opened;
  return writer;
}

/** The writer of a log file: a worker thread does what waits for the disk. Made by openLogWriter. */
export class FileLogWriter {
  /** Settles when the worker has opened the log, or rejects with the LogFault that kept it from it. */
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #handlers: LogHandlers;
  readonly #faultInjection: boolean;
  readonly #exited: Promise<void>;
  readonly #settleOpened: { resolve: () => void; reject: (fault: LogFault) => void };
  #isOpen = false;
  #closing = false;
  #fault: LogFault | undefined;
  #lastSeq: number;
  #pendingGroups = 0;
  /**
   * Taken and not handed to the worker yet: one message takes all groups of a turn, since a message costs more than a
   * small group.
   */
  #gathered: LogGroup[] = [];
  #cutting: PromiseWithResolvers<number | undefined> | undefined;

  constructor(dir: string, end: LogEnd, handlers: LogHandlers, options: LogWriterOptions) {
    this.#handlers = handlers;
    this.#faultInjection = options.faultInjection ?? false;
    this.#lastSeq = end.lastSeq;
    const opened = Promise.withResolvers<void>();
    this.opened = opened.promise;
    this.#settleOpened = opened;
    const workerData: LogWorkerData = { dir, lastSeq: end.lastSeq, lastHash: Uint8Array.from(end.lastHash) };
    this.#worker = new Worker(new URL("./log-worker.ts", import.meta.url), { workerData, name: "log", execArgv: [] });
    this.#worker.on("message", (message: FromLogWorker) => this.#receive(message));
    this.#worker.on("error", (cause: Error) => {
      this.#fail(new LogFault("worker", "WORKER_DIED", `The log worker died: ${cause.message}.`, { cause }));
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.on("exit", () => {
        if (!this.#closing) this.#fail(new LogFault("worker", "WORKER_EXITED", "The log worker ended by itself."));
        resolve();
      });
    });
  }

  /** Last seq that was handed over. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Groups handed over and not yet durable. */
  get pendingGroups(): number {
    return this.#pendingGroups;
  }

  /**
   * Hands a group over to be stored, at the end of this turn. It must follow `lastSeq` without a gap. The payload is
   * copied before the call returns. Throws when the group breaks a bound (a bug of the caller), when the log has
   * failed, or after `close`.
   */
  append(group: LogGroup): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#closing) throw new Error("The log writer is closed.");
    if (this.#pendingGroups === PENDING_GROUPS_MAX) throw new Error("Too many groups are under way to the log.");
    checkGroup(group, this.#lastSeq);
    const payload = group.payload.slice();
    const { firstSeq, count, timeMs } = group;
    this.#lastSeq = lastSeqOf(group);
    this.#pendingGroups++;
    if (this.#gathered.length === 0) queueMicrotask(() => this.#handOver());
    this.#gathered.push({ firstSeq, count, timeMs, payload });
  }

  /**
   * Cuts the log back to `seq`, when nothing is under way. Gives how often it was cut by now; undefined, with nothing
   * done, when no group ends there. Rejects with the LogFault that ended the writer.
   */
  async cut(seq: number): Promise<number | undefined> {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#pendingGroups > 0 || this.#cutting !== undefined) throw new Error("Groups are under way to the log.");
    this.#cutting = Promise.withResolvers();
    this.#post({ kind: "cut", seq });
    try {
      const cuts = await this.#cutting.promise;
      if (cuts !== undefined) this.#lastSeq = seq;
      return cuts;
    } finally {
      this.#cutting = undefined;
    }
  }

  /** Makes the next appended group fail. */
  injectFault(fault: InjectedFault): void {
    if (!this.#faultInjection) throw new Error("This log writer was opened without fault injection.");
    this.#post({ kind: "inject", fault });
  }

  /** Stores what was handed over, reports it and closes the file. After a fault it only ends the worker. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#post({ kind: "close" });
    }
    await this.#exited;
  }

  /** Everything else comes after the groups that were taken before it. */
  #post(message: ToLogWorker): void {
    this.#handOver();
    this.#worker.postMessage(message);
  }

  #handOver(): void {
    const groups = this.#gathered;
    if (groups.length === 0) return;
    this.#gathered = [];
    const handedOver = groups
      .map(({ payload }) => payload.buffer)
      .filter((each) => each.byteLength >= HANDED_OVER_BYTES);
    this.#worker.postMessage({ kind: "append", groups } satisfies ToLogWorker, handedOver as ArrayBuffer[]);
  }

  #receive(message: FromLogWorker): void {
    if (message.kind === "durable") {
      for (const lastSeq of message.lastSeqs) {
        this.#pendingGroups--;
        this.#handlers.onDurable(lastSeq, message.commitMs);
      }
    } else if (message.kind === "cut") {
      this.#cutting?.resolve(message.cuts);
    } else if (message.kind === "open") {
      this.#isOpen = true;
      this.#settleOpened.resolve();
    } else {
      const { step, code, message: reason } = message;
      const unreported = step === "commit" || step === "commit_marker";
      const state = unreported ? "No command of that group was acknowledged" : "All that was acknowledged is stored";
      const text = `The log failed at the step "${step}" (${code}: ${reason}). ${state}.`;
      this.#fail(new LogFault(step, code, text, { cause: new Error(reason) }));
    }
  }

  #fail(fault: LogFault): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    this.#cutting?.reject(fault);
    if (this.#isOpen) this.#handlers.onFault(fault);
    else this.#settleOpened.reject(fault);
  }
}

/** Checks a group against the bounds of the log and against its place behind `lastSeq`. */
function checkGroup(group: LogGroup, lastSeq: number): void {
  if (group.firstSeq !== lastSeq + 1) {
    throw new RangeError(`A group at seq ${group.firstSeq} cannot follow seq ${lastSeq}.`);
  }
  if (!Number.isSafeInteger(group.timeMs) || group.timeMs < 0) {
    throw new RangeError(`A group cannot be logged at time ${group.timeMs}.`);
  }
  checkProposal(group.payload, group.count);
}

/** Checks what is to be a group against the bounds of the log. */
export function checkProposal(payload: Uint8Array, count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`A group of ${count} commands cannot be logged.`);
  if (payload.length > GROUP_BYTES_MAX) {
    throw new RangeError(`A group of ${payload.length} bytes exceeds the bound of ${GROUP_BYTES_MAX}.`);
  }
}
