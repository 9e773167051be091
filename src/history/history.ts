import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { NewerProgram } from "../engine/newer.ts";
import { backfillFrom } from "./backfill.ts";
import { HistoryBusy, HistoryFault, type HistoryRefusal, HistoryRefused } from "./fault.ts";
import { isWithinReach, type PageRequest } from "./page.ts";
import type { HistoryReader } from "./parts.ts";
import { startDatabaseWorker } from "./postgresql/start.ts";
import type { FromHistoryWorker, HistoryStatus, HistoryWorkerData, QueryName, ToHistoryWorker } from "./protocol.ts";

export interface HistoryOptions {
  /** Path of the file, or `:memory:`. */
  readonly path: string;
  /** In the place of the file: a history in PostgreSQL. */
  readonly database?: DatabaseOptions | undefined;
  /** The venue whose log this is the view of. The history of another one is set aside. */
  readonly venueId: string;
  /** Last sequence number of the log: a history that is ahead of it is set aside. */
  readonly logSeq?: number | undefined;
  /** History failed. Called at most once, from the event loop; from then on events are dropped and queries reject. */
  readonly onFault: (fault: HistoryFault) => void;
  /** How a history in a file comes back after a fault, which then is no end; without, it ends as `onFault` says. */
  readonly recovery?: RecoveryOptions | undefined;
}

export interface RecoveryOptions {
  /** Tells what came after a command, by reading the log: see backfill.ts. */
  readonly sendBackfill: (afterSeq: number, port: MessagePort) => void;
  /** The history stands another way from now on. */
  readonly onStatus: (status: HistoryStatus, note: string) => void;
}

export interface DatabaseOptions {
  /** As in the setting; see postgresql/address.ts. */
  readonly address: string;
  /** Whether a history that goes further than the log ends the start, instead of being made anew. */
  readonly refusesLostTail?: boolean | undefined;
  /** Tells what came after a command, by reading the log: see backfill.ts. */
  readonly sendBackfill: (afterSeq: number, port: MessagePort) => void;
  /** The history stands another way from now on. */
  readonly onStatus?: ((status: HistoryStatus, note: string) => void) | undefined;
}

/** Queries that may wait at once, so that a flood of them turns into refusals instead of memory. */
const QUERIES_WAITING_MAX = 10_000;
/** Events that may wait before `room` holds its caller back: a tenth of a second of writing and some more. */
const BACKLOG_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Events are handed over when there are this many, or after this long, or when something is asked, so nobody waits for
 * it. Under load both are about the same. Each time wakes two threads, and the one of history finds nothing of what it
 * works with in the processor's caches: an order costs it a fifth more in pieces of a quarter of this size.
 */
const GATHERED_BYTES_MAX = 1024 * 1024;
const HAND_OVER_AFTER_MS = 200;
/** Others who wait for a database to reach a command that left no event wait as long. */
const REACH_AFTER_MS = 250;
/** A file that could not be written is tried again this much later. */
const RECOVER_AFTER_MS = 2_000;
/**
 * Events of new commands that are kept while those before them are read from the log; beyond it they are read from
 * there, too.
 */
const MISSED_BYTES_MAX = 64 * 1024 * 1024;
/** Memory that has come back from the worker and is kept for the events to come: enough for a worker that keeps up. */
const SPARES_MAX = 4;

interface Waiter {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * A view of everything that has ended, made of the events that a worker thread keeps in a database: see parts.ts for
 * its parts. Each question of a part is a method; pages out of reach reject with a RangeError.
 * Events and queries go one after the other, so a query sees everything that was appended before it was asked.
 */
export type History = HistoryClient & HistoryReader;

export const History = {
  /** Opens the history of a venue. Rejects with NewerProgram, and with a HistoryFault when the disk refuses it. */
  open: async ({ path, database, venueId, logSeq, onFault, recovery }: HistoryOptions): Promise<History> => {
    const worker =
      database === undefined
        ? startFileWorker({ path, venueId, logSeq })
        : startDatabaseWorker({
            ...{ address: database.address, venueId, logSeq },
            refusesLostTail: database.refusesLostTail ?? false,
          });
    const first = await firstMessage(worker);
    // The client has the questions that the worker says it answers.
    if (first.kind === "open") {
      const again = recovery && { ...recovery, path, venueId };
      return new HistoryClient(worker, onFault, first, database, again) as History;
    }
    await worker.terminate();
    throw faultOf(first);
  },
};

function startFileWorker(workerData: HistoryWorkerData): Worker {
  // Of the flags of a program that runs a venue some, such as --input-type, would end the thread.
  return new Worker(new URL("./history-worker.ts", import.meta.url), { workerData, name: "history", execArgv: [] });
}

type Opened = Extract<FromHistoryWorker, { readonly kind: "open" }>;

/** Events that are appended while the log is read again. */
interface Missed {
  readonly chunks: { readonly events: Uint8Array<ArrayBuffer>; readonly lastSeq: number }[];
  bytes: number;
  isWhole: boolean;
}

class HistoryClient {
  /** Every command up to this one was in the file when it was opened: its events are skipped when they come again. */
  readonly appliedSeq: number;
  /** Why the file that was there could not be used, as a sentence for the log; `appliedSeq` is 0 then. */
  readonly setAside: string | undefined;
  /** The changes that made an older file fit, as sentences for the log. */
  readonly notes: readonly string[];
  #worker: Worker;
  readonly #onFault: (fault: HistoryFault) => void;
  readonly #database: DatabaseOptions | undefined;
  #status: HistoryStatus = "writing";
  #committedSeq: number;
  #exited: Promise<void> = Promise.resolve();
  readonly #recovery: (RecoveryOptions & { readonly path: string; venueId: string }) | undefined;
  /** It failed and has not come back yet. */
  #isAway = false;
  #recoverTimer: NodeJS.Timeout | undefined;
  /** Undefined while nothing is read again. */
  #missed: Missed | undefined;
  /** Last command that it was told of. */
  #toldSeq = 0;
  readonly #waiting = new Map<number, Waiter>();
  #roomWanted: (() => void)[] = [];
  #nextId = 1;
  /** Events on their way to the worker: waking it for each group would cost more than the group. */
  #gathering = new Uint8Array(GATHERED_BYTES_MAX);
  readonly #spares: ArrayBuffer[] = [];
  #gathered = 0;
  #gatheredSeq = 0;
  #handOverTimer: NodeJS.Timeout | undefined;
  #backlogBytes = 0;
  #fault: HistoryFault | undefined;
  #closing = false;

  constructor(
    worker: Worker,
    onFault: (fault: HistoryFault) => void,
    { appliedSeq, setAside, notes, queries }: Opened,
    database?: DatabaseOptions,
    recovery?: RecoveryOptions & { readonly path: string; venueId: string },
  ) {
    this.#database = database;
    this.#recovery = recovery;
    this.#committedSeq = appliedSeq;
    this.appliedSeq = appliedSeq;
    this.setAside = setAside;
    this.notes = notes;
    for (const name of queries) {
      Object.defineProperty(this, name, { value: (query: object) => this.#askQuery(name, query) });
    }
    this.#onFault = onFault;
    this.#worker = worker;
    this.#attach(worker);
  }

  /** Makes `worker` the one in use. Messages of a worker count only as long as it is the one in use. */
  #attach(worker: Worker): void {
    this.#worker = worker;
    const isInUse = () => this.#worker === worker;
    worker.on("message", (message: FromHistoryWorker) => isInUse() && this.#receive(message));
    worker.on("error", (error: Error) => {
      if (!isInUse()) return;
      this.#fail(new HistoryFault("worker", "WORKER_DIED", `The history worker died: ${error.message}.`, error));
    });
    this.#exited = new Promise((resolve) => {
      worker.on("exit", () => {
        if (isInUse() && !this.#closing) {
          this.#fail(new HistoryFault("worker", "WORKER_EXITED", "The history worker ended by itself."));
        }
        resolve();
      });
    });
  }

  /** How a history in a database stands; one in a file is written by who has it. */
  get status(): HistoryStatus {
    return this.#status;
  }

  /** The history is known to hold everything up to here. */
  get committedSeq(): number {
    return this.#committedSeq;
  }

  /** Whether it can become again what it was: a database cannot, which others may be reading. */
  get goesBack(): boolean {
    return this.#database === undefined;
  }

  /** Bytes of events that were appended and are not in the file yet. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /**
   * Hands over a copy of the events of whole groups, in order. `lastSeq` is the last command of the groups, which
   * matters when it left no event: without it the file would seem to lack that command at the next start. Such a group
   * costs nothing; it is in the file with what comes next, or when everything is flushed.
   */
  append(events: Uint8Array, lastSeq = 0): void {
    if (this.#closing) throw new Error("History is closed.");
    this.#toldSeq = Math.max(this.#toldSeq, lastSeq);
    if (this.#fault !== undefined) return;
    if (this.#isAway) {
      this.#miss(events, lastSeq);
      return;
    }
    if (events.byteLength > 0) this.#gather(events);
    // Said of what is gathered and of nothing handed over before it: the worker skips what it takes to be in the file.
    this.#gatheredSeq = Math.max(this.#gatheredSeq, lastSeq);
  }

  /**
   * Everything up to this command was appended. A database is told so soon: others read it, and must not wait for a
   * command that left no event until one comes that does.
   */
  reach(seq: number): void {
    this.#toldSeq = Math.max(this.#toldSeq, seq);
    if (this.#database === undefined || this.#closing || this.#fault !== undefined) return;
    this.#gatheredSeq = Math.max(this.#gatheredSeq, seq);
    this.#handOverTimer ??= setTimeout(() => this.#handOver(), REACH_AFTER_MS);
  }

  #gather(events: Uint8Array): void {
    this.#backlogBytes += events.byteLength;
    if (this.#gathered + events.byteLength > this.#gathering.byteLength) this.#handOver(events.byteLength);
    this.#gathering.set(events, this.#gathered);
    this.#gathered += events.byteLength;
    this.#handOverTimer ??= setTimeout(() => this.#handOver(), HAND_OVER_AFTER_MS);
  }

  /** Settles when the backlog is small enough for more; for a replay, which is faster than any disk. */
  async room(): Promise<void> {
    if (this.#backlogBytes <= BACKLOG_BYTES_MAX || this.#fault !== undefined) return;
    await new Promise<void>((resolve) => this.#roomWanted.push(resolve));
  }

  /** Commits everything appended so far. Gives the last command whose events are in the file. */
  flushed(): Promise<number> {
    return this.#ask((id) => ({ kind: "flush", id })) as Promise<number>;
  }

  /** Writes all that was appended by now into a file of its own, for `goBack`. */
  async keep(image: string): Promise<void> {
    await this.#ask((id) => ({ kind: "keep", id, image }));
  }

  /** Becomes again what `keep` wrote there, as the history of `venueId`; what was appended since is gone. */
  async goBack(image: string, venueId: string): Promise<void> {
    await this.#ask((id) => ({ kind: "go_back", id, image, venueId }));
    this.#toldSeq = 0;
    if (this.#recovery !== undefined) this.#recovery.venueId = venueId;
  }

  /** Writes what was appended, answers what was asked and closes the file. After a fault it only ends the worker. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      clearTimeout(this.#recoverTimer);
      if (this.#isAway) await this.#worker.terminate();
      else this.#post({ kind: "close" });
    }
    await this.#exited;
  }

  #askQuery(name: QueryName, query: object): Promise<unknown> {
    if ("page" in query && !isWithinReach(query as PageRequest)) {
      const { page, limit } = query as PageRequest;
      return Promise.reject(new RangeError(`Page ${page} with limit ${limit} is out of reach.`));
    }
    return this.#ask((id) => ({ kind: "query", id, name, query }));
  }

  #ask(messageOf: (id: number) => ToHistoryWorker): Promise<unknown> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    if (this.#closing) return Promise.reject(new Error("History is closed."));
    if (this.#isAway) return Promise.reject(new HistoryBusy(BEHIND));
    if (this.#waiting.size >= QUERIES_WAITING_MAX)
      return Promise.reject(new HistoryBusy(`History already has ${this.#waiting.size} queries waiting.`));
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#post(messageOf(id));
    });
  }

  /** Everything else comes after the events that were appended before it. */
  #post(message: ToHistoryWorker): void {
    this.#handOver();
    this.#worker.postMessage(message);
  }

  /** Gives the worker what was gathered, memory and all, and starts anew with room for at least `bytes`. */
  #handOver(bytes = 0): void {
    clearTimeout(this.#handOverTimer);
    this.#handOverTimer = undefined;
    if (this.#gathered > 0 || this.#gatheredSeq > 0) {
      const events = this.#gathering.subarray(0, this.#gathered);
      const message: ToHistoryWorker = { kind: "append", events, lastSeq: this.#gatheredSeq };
      this.#worker.postMessage(message, [events.buffer]);
      this.#gathering = new Uint8Array(this.#spares.pop() ?? new ArrayBuffer(GATHERED_BYTES_MAX));
      this.#gathered = 0;
      this.#gatheredSeq = 0;
    }
    if (bytes > this.#gathering.byteLength) this.#gathering = new Uint8Array(bytes);
  }

  #keep(memory: ArrayBuffer): void {
    if (memory.byteLength === GATHERED_BYTES_MAX && this.#spares.length < SPARES_MAX) this.#spares.push(memory);
  }

  #receive(message: FromHistoryWorker): void {
    switch (message.kind) {
      case "taken":
        this.#keep(message.memory);
        break;
      case "committed":
        this.#backlogBytes -= message.bytes;
        this.#committedSeq = message.seq;
        if (this.#backlogBytes <= BACKLOG_BYTES_MAX) this.#letIn();
        break;
      case "answer":
        this.#take(message.id)?.resolve(message.answer);
        break;
      case "rejected":
        this.#take(message.id)?.reject(rejectionOf(message));
        break;
      case "status":
        this.#status = message.status;
        this.#database?.onStatus?.(message.status, message.note);
        break;
      case "behind": {
        const { port1, port2 } = new MessageChannel();
        this.#database?.sendBackfill(message.afterSeq, port1);
        this.#worker.postMessage({ kind: "backfill", port: port2 } satisfies ToHistoryWorker, [port2]);
        break;
      }
      case "fault":
        this.#fail(faultOf(message) as HistoryFault);
        break;
      default:
    }
  }

  #take(id: number): Waiter | undefined {
    const waiter = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiter;
  }

  #letIn(): void {
    const waiting = this.#roomWanted;
    this.#roomWanted = [];
    for (const resolve of waiting) resolve();
  }

  #fail(fault: HistoryFault): void {
    if (this.#fault !== undefined) return;
    if (this.#recovery !== undefined && !this.#closing) {
      this.#leave(fault, this.#recovery);
      return;
    }
    this.#fault = fault;
    this.#backlogBytes = 0;
    for (const waiter of this.#waiting.values()) waiter.reject(fault);
    this.#waiting.clear();
    this.#letIn();
    this.#onFault(fault);
  }

  /** It is a view: what it lacks is read from the log again, and meanwhile the venue goes on without it. */
  #leave(fault: HistoryFault, { onStatus }: RecoveryOptions): void {
    const isNew = !this.#isAway;
    this.#isAway = true;
    this.#missed = undefined;
    clearTimeout(this.#handOverTimer);
    this.#handOverTimer = undefined;
    this.#gathered = 0;
    this.#gatheredSeq = 0;
    this.#backlogBytes = 0;
    for (const waiter of this.#waiting.values()) waiter.reject(new HistoryBusy(BEHIND));
    this.#waiting.clear();
    this.#letIn();
    void this.#worker.terminate();
    this.#status = "away";
    if (isNew)
      onStatus("away", `${fault.message} Trading goes on; questions are refused until it has caught up with the log.`);
    this.#recoverLater();
  }

  #recoverLater(): void {
    clearTimeout(this.#recoverTimer);
    this.#recoverTimer = setTimeout(() => void this.#recover(), RECOVER_AFTER_MS);
    this.#recoverTimer.unref();
  }

  /** Opens the file again and gives it what it lacks. What fails meanwhile is tried again later. */
  async #recover(): Promise<void> {
    const recovery = this.#recovery;
    if (recovery === undefined || this.#closing) return;
    const { path, venueId, sendBackfill, onStatus } = recovery;
    const worker = startFileWorker({ path, venueId });
    const first = await firstMessage(worker).catch(() => undefined);
    if (this.#closing || first?.kind !== "open") {
      await worker.terminate();
      if (!this.#closing) this.#recoverLater();
      return;
    }
    this.#attach(worker);
    this.#status = "catching_up";
    let seq = first.appliedSeq;
    while (this.#worker === worker && this.#status === "catching_up" && !this.#closing) {
      const missed: Missed = { chunks: [], bytes: 0, isWhole: true };
      this.#missed = missed;
      const wanted = this.#toldSeq;
      seq = await this.#readAgain(worker, seq, sendBackfill);
      if (this.#status !== "catching_up" || this.#closing) return;
      // Who told it has failed.
      if (seq < wanted) {
        await worker.terminate();
        return;
      }
      if (!missed.isWhole) continue;
      this.#missed = undefined;
      for (const { events, lastSeq } of missed.chunks) this.#pass(events, lastSeq);
      this.#isAway = false;
      this.#status = "writing";
      onStatus("writing", "History has caught up with the log.");
    }
  }

  /** Passes on what came after `afterSeq`, as the log has it by now; gives the last command of it. */
  async #readAgain(worker: Worker, afterSeq: number, sendBackfill: RecoveryOptions["sendBackfill"]): Promise<number> {
    const { port1, port2 } = new MessageChannel();
    sendBackfill(afterSeq, port1);
    let seq = afterSeq;
    for await (const { events, lastSeq } of backfillFrom(port2)) {
      if (this.#worker !== worker || this.#status !== "catching_up" || this.#closing) break;
      this.#pass(events, lastSeq);
      seq = Math.max(seq, lastSeq);
      await this.room();
    }
    return seq;
  }

  #pass(events: Uint8Array<ArrayBuffer>, lastSeq: number): void {
    this.#backlogBytes += events.byteLength;
    this.#worker.postMessage({ kind: "append", events, lastSeq } satisfies ToHistoryWorker, [events.buffer]);
  }

  /** Keeps what is appended while the log is read again, as far as there is room. */
  #miss(events: Uint8Array, lastSeq: number): void {
    const missed = this.#missed;
    if (missed === undefined || !missed.isWhole) return;
    missed.bytes += events.byteLength;
    missed.isWhole = missed.bytes <= MISSED_BYTES_MAX;
    if (missed.isWhole) missed.chunks.push({ events: events.slice(), lastSeq });
    else missed.chunks.length = 0;
  }
}

/** The message for callers who ask meanwhile. */
const BEHIND = "History is behind and catches up with the log; ask again later.";

function rejectionOf({ message, because }: Extract<FromHistoryWorker, { readonly kind: "rejected" }>): Error {
  if (because === "busy") return new HistoryBusy(message);
  return because === "away" ? new HistoryFault("query", "DATABASE_AWAY", message) : new Error(message);
}

const REFUSALS: ReadonlySet<string> = new Set<HistoryRefusal>([
  "HISTORY_SETTING",
  "HISTORY_AHEAD",
  "HISTORY_UNREACHABLE",
]);

function faultOf(message: FromHistoryWorker): HistoryFault | NewerProgram | HistoryRefused {
  if (message.kind !== "fault") return new HistoryFault("worker", "UNEXPECTED", "The history worker did not open.");
  const { step, code, message: reason } = message;
  if (code === newerProgram("").code) return newerProgram(reason);
  if (REFUSALS.has(code)) return new HistoryRefused(code as HistoryRefusal, reason);
  return new HistoryFault(step, code, `History failed at the step "${step}" (${code}: ${reason}).`, new Error(reason));
}

/** Returns the error that the worker threw, with its sentence. */
function newerProgram(message: string): NewerProgram {
  return Object.assign(new NewerProgram("The history", { of: "version", found: 0, known: 0 }), { message });
}

/**
 * Resolves with the worker's first message: that it has opened the file, or could not. Rejects when the worker dies
 * before it.
 */
function firstMessage(worker: Worker): Promise<FromHistoryWorker> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => {
      reject(new HistoryFault("worker", "WORKER_DIED", `The history worker died: ${reason}.`, cause));
    };
    worker.once("message", resolve);
    worker.once("error", (error: Error) => fail(error.message, error));
    worker.once("exit", () => fail("it ended by itself"));
  });
}
