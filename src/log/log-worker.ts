import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { chainHash, type LogGroup, lastSeqOf, sameBytes } from "./chain.ts";
import { CommitMarker } from "./commit-marker.ts";
import type { LogStep } from "./errors.ts";
import {
  cutLog,
  groupEndBefore,
  type LogFile,
  openLogFile,
  PAGE_BYTES,
  prepareInsert,
  readLastCut,
  readLogEnd,
} from "./log-file.ts";
import { failureCodeOf, SQLITE_IOERR_FSYNC } from "./sqlite-error.ts";

/** The data that the worker is started with: the end it must find in the log, as recovery verified it. */
export interface LogWorkerData {
  readonly dir: string;
  readonly lastSeq: number;
  readonly lastHash: Uint8Array;
}

/**
 * Ways to make the next group fail, for tests and the dev profile: `write` lets SQLite find the disk full, `sync` takes
 * the group's sync as failed (the group may be on the disk, as after a real one), `commit_marker` fails the commit
 * marker's write.
 */
export type InjectedFault = "write" | "sync" | "commit_marker";

export type ToLogWorker =
  | { readonly kind: "append"; readonly groups: readonly LogGroup[] }
  | { readonly kind: "inject"; readonly fault: InjectedFault }
  | { readonly kind: "cut"; readonly seq: number }
  | { readonly kind: "close" };

export type FromLogWorker =
  | { readonly kind: "open" }
  /** The groups of one commit, by their ends. */
  | { readonly kind: "durable"; readonly lastSeqs: readonly number[]; readonly commitMs: number }
  /** How often the log was cut by now; undefined when nothing was cut, because no group ends there. */
  | { readonly kind: "cut"; readonly cuts: number | undefined }
  | { readonly kind: "fault"; readonly step: LogStep; readonly code: string; readonly message: string };

/**
 * The write-ahead log is moved into the file each time about this many pages were added to it. A checkpoint of this
 * size takes 1 to 2 ms, and begins after the group that caused it was reported, so only the next one can meet it.
 */
const CHECKPOINT_PAGES = 256;

/** Pages that a commit adds besides those of the payload: the parent page, and the first page with the file's size. */
const PAGES_PER_COMMIT = 2;

/** A payload of this size, added to a group, cannot fit into a file that may not grow. */
const OVERFULL_BYTES = 1024 * 1024;

/**
 * Groups of one commit and bytes after which it waits for no more messages: what came first must not wait long for what
 * came behind it.
 */
const COMMIT_GROUPS_MAX = 64;
const COMMIT_BYTES_MAX = 1024 * 1024;

class LogWorker {
  readonly #port: MessagePort;
  readonly #log: LogFile;
  readonly #commitMarker: CommitMarker;
  readonly #insert;
  readonly #checkpoint;
  #lastSeq: number;
  #lastHash: Uint8Array;
  #pagesSinceCheckpoint = 0;
  #injected: InjectedFault | undefined;

  constructor(port: MessagePort, data: LogWorkerData) {
    this.#port = port;
    this.#log = openLogFile(data.dir, "write");
    const end = readLogEnd(this.#log);
    if (end.lastSeq !== data.lastSeq || !sameBytes(end.lastHash, data.lastHash)) {
      throw new Error(`The log ends at seq ${end.lastSeq}, but recovery ended at seq ${data.lastSeq}.`);
    }
    this.#lastSeq = end.lastSeq;
    this.#lastHash = end.lastHash;
    this.#commitMarker = new CommitMarker(data.dir);
    this.#insert = prepareInsert(this.#log);
    this.#checkpoint = this.#log.database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Stores groups by one commit, and only then says so. Returns the step that failed and why, or undefined. */
  append(groups: readonly LogGroup[]): { step: LogStep; error: unknown } | undefined {
    const startMs = performance.now();
    let step: LogStep = "commit";
    try {
      const { database } = this.#log;
      if (groups.length > 1) database.exec("BEGIN IMMEDIATE");
      for (const group of groups) this.#insertGroup(group);
      if (groups.length > 1) database.exec("COMMIT");
      step = "commit_marker";
      if (this.#injected === "commit_marker")
        throw Object.assign(new Error("injected commit marker failure"), { code: "EIO" });
      this.#commitMarker.write({ lastSeq: this.#lastSeq, lastHash: this.#lastHash });
      const commitMs = performance.now() - startMs;
      this.#send({ kind: "durable", lastSeqs: groups.map(lastSeqOf), commitMs });
      step = "checkpoint";
      this.#checkpointWhenDue(groups);
      return undefined;
    } catch (error) {
      return { step, error };
    }
  }

  /**
   * Cuts the log back. The commit marker first: it may lag behind the log and never be ahead of it, so that a crash
   * between the two leaves a log that starts.
   */
  cut(seq: number): { step: LogStep; error: unknown } | undefined {
    let step: LogStep = "commit_marker";
    try {
      const end = groupEndBefore(this.#log, seq + 1) ?? this.#log.start;
      if (end.lastSeq !== seq) {
        this.#send({ kind: "cut", cuts: undefined });
        return undefined;
      }
      this.#commitMarker.write(end);
      this.#commitMarker.sync();
      step = "commit";
      const cut = cutLog(this.#log, seq, Date.now());
      if (cut !== undefined) {
        this.#lastSeq = cut.lastSeq;
        this.#lastHash = cut.lastHash;
      }
      this.#send({ kind: "cut", cuts: cut && readLastCut(this.#log.database)?.cuts });
      return undefined;
    } catch (error) {
      return { step, error };
    }
  }

  get isToFail(): boolean {
    return this.#injected !== undefined;
  }

  inject(fault: InjectedFault): void {
    this.#injected = fault;
    if (fault === "write") {
      const pages = this.#log.database.prepare("PRAGMA page_count").get()?.["page_count"];
      this.#log.database.exec(`PRAGMA max_page_count = ${pages}`);
    }
  }

  /** The last connection to close moves the write-ahead log into the file, syncs it and removes it. */
  close(): void {
    this.#commitMarker.close();
    this.#log.database.close();
  }

  /** One statement outside a transaction is one commit, and returns when SQLite has synced it. */
  #insertGroup(group: LogGroup): void {
    if (group.firstSeq !== this.#lastSeq + 1) {
      throw new Error(`The group at seq ${group.firstSeq} does not follow seq ${this.#lastSeq}.`);
    }
    const hash = chainHash(this.#lastHash, group);
    const payload =
      this.#injected === "write" ? Buffer.concat([group.payload, Buffer.alloc(OVERFULL_BYTES)]) : group.payload;
    this.#insert.run(group.firstSeq, group.count, group.timeMs, this.#lastHash, hash, payload);
    if (this.#injected === "sync") {
      throw Object.assign(new Error("injected sync failure"), { errcode: SQLITE_IOERR_FSYNC });
    }
    this.#lastSeq = lastSeqOf(group);
    this.#lastHash = hash;
  }

  #checkpointWhenDue(groups: readonly LogGroup[]): void {
    for (const { payload } of groups) {
      this.#pagesSinceCheckpoint += PAGES_PER_COMMIT + Math.ceil(payload.length / PAGE_BYTES);
    }
    if (this.#pagesSinceCheckpoint < CHECKPOINT_PAGES) return;
    this.#checkpoint.get();
    this.#pagesSinceCheckpoint = 0;
  }

  #send(message: FromLogWorker): void {
    this.#port.postMessage(message);
  }
}

/**
 * Groups and those that have arrived behind them, which one sync can make durable with them; and the message that ended
 * them.
 */
function withThoseBehind(
  first: readonly LogGroup[],
  port: MessagePort,
): { groups: LogGroup[]; next: ToLogWorker | undefined } {
  const groups = [...first];
  let bytes = bytesOf(first);
  while (groups.length < COMMIT_GROUPS_MAX && bytes < COMMIT_BYTES_MAX) {
    const next = (receiveMessageOnPort(port) as { message: ToLogWorker } | undefined)?.message;
    if (next?.kind !== "append") return { groups, next };
    groups.push(...next.groups);
    bytes += bytesOf(next.groups);
  }
  return { groups, next: undefined };
}

function bytesOf(groups: readonly LogGroup[]): number {
  return groups.reduce((sum, { payload }) => sum + payload.length, 0);
}

/**
 * Runs the worker on its port. After a fault it takes nothing more: what a failed disk holds is for recovery to say.
 */
function run(port: MessagePort, data: LogWorkerData): void {
  const fail = (step: LogStep, error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    port.postMessage({ kind: "fault", step, code: failureCodeOf(error), message } satisfies FromLogWorker);
  };
  let worker: LogWorker;
  try {
    worker = new LogWorker(port, data);
  } catch (error) {
    fail("open", error);
    return;
  }
  let failed = false;
  const note = (failure: { step: LogStep; error: unknown } | undefined): void => {
    failed = failure !== undefined;
    if (failure !== undefined) fail(failure.step, failure.error);
  };
  const take = (message: ToLogWorker): void => {
    if (message.kind === "close") {
      if (!failed) worker.close();
      port.close();
    } else if (failed) {
      // Groups that were already on their way are dropped unacknowledged.
    } else if (message.kind === "inject") {
      worker.inject(message.fault);
    } else if (message.kind === "cut") {
      note(worker.cut(message.seq));
    } else {
      const { groups, next } = worker.isToFail
        ? { groups: message.groups.slice(0, 1), next: undefined }
        : withThoseBehind(message.groups, port);
      note(worker.append(groups));
      if (next !== undefined) take(next);
    }
  };
  port.on("message", take);
  port.postMessage({ kind: "open" } satisfies FromLogWorker);
}

if (parentPort !== null) run(parentPort, workerData as LogWorkerData);
