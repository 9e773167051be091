import { Worker } from "node:worker_threads";
import { HistoryBusy, HistoryFault } from "./fault.ts";
import { isWithinReach, type PageRequest } from "./page.ts";
import type { FromHistoryWorker, HistoryQueries, HistoryWorkerData, QueryName, ToHistoryWorker } from "./protocol.ts";

export interface HistoryOptions {
  /** Path of the file, or `:memory:`. */
  readonly path: string;
  /** The venue whose log this is the view of. The history of another one is set aside. */
  readonly venueId: string;
  /** Last sequence number of the log: a history that is ahead of it is set aside. */
  readonly logSeq?: number | undefined;
  /** History failed. Called at most once, from the event loop; from then on events are dropped and queries reject. */
  readonly onFault: (fault: HistoryFault) => void;
}

/** Queries that may wait at once, so that a flood of them turns into refusals instead of memory. */
const QUERIES_WAITING_MAX = 10_000;
/** Events that may wait before `room` holds its caller back: a tenth of a second of writing and some more. */
const BACKLOG_BYTES_MAX = 64 * 1024 * 1024;

/** Events are handed over when there are this many, or after this long, or when something is asked. */
const GATHERED_BYTES_MAX = 256 * 1024;
const HAND_OVER_AFTER_MS = 5;

interface Waiter {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * What has ended: orders with a fill, stop orders that fired, deals, statements and candles, as a view of the events that a
 * worker thread keeps in a database.
 * Events and queries go one after the other, so a query sees everything that was appended before it was asked.
 */
export class History {
  /** Every command up to this one was in the file when it was opened: its events are skipped when they come again. */
  readonly appliedSeq: number;
  /** Why the file that was there could not be used, as a sentence for the log; `appliedSeq` is 0 then. */
  readonly setAside: string | undefined;
  readonly #worker: Worker;
  readonly #onFault: (fault: HistoryFault) => void;
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<number, Waiter>();
  #roomWanted: (() => void)[] = [];
  #nextId = 1;
  /** Events on their way to the worker: waking it for each group would cost more than the group. */
  #gathering = new Uint8Array(GATHERED_BYTES_MAX);
  #gathered = 0;
  #gatheredSeq = 0;
  #handOverTimer: NodeJS.Timeout | undefined;
  #backlogBytes = 0;
  #fault: HistoryFault | undefined;
  #closing = false;

  /** Opens the history of a venue. Rejects with a HistoryFault when the disk refuses it. */
  static async open(options: HistoryOptions): Promise<History> {
    const { path, venueId, logSeq, onFault } = options;
    const workerData: HistoryWorkerData = { path, venueId, logSeq };
    const worker = new Worker(new URL("./history-worker.ts", import.meta.url), { workerData, name: "history" });
    const first = await firstMessage(worker);
    if (first.kind === "open") return new History(worker, onFault, first.appliedSeq, first.setAside);
    await worker.terminate();
    throw faultOf(first);
  }

  private constructor(
    worker: Worker,
    onFault: (fault: HistoryFault) => void,
    appliedSeq: number,
    setAside: string | undefined,
  ) {
    this.appliedSeq = appliedSeq;
    this.setAside = setAside;
    this.#onFault = onFault;
    this.#worker = worker;
    worker.on("message", (message: FromHistoryWorker) => this.#receive(message));
    worker.on("error", (error: Error) => {
      this.#fail(new HistoryFault("worker", "WORKER_DIED", `The history worker died: ${error.message}.`, error));
    });
    this.#exited = new Promise((resolve) => {
      worker.on("exit", () => {
        if (!this.#closing) {
          this.#fail(new HistoryFault("worker", "WORKER_EXITED", "The history worker ended by itself."));
        }
        resolve();
      });
    });
  }

  /** Bytes of events that were appended and are not in the file yet. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /**
   * Hands over a copy of the events of whole groups, in order. `lastSeq` is the last command of the groups, which matters
   * when it left no event: without it the file would seem to lack that command at the next start.
   */
  append(events: Uint8Array, lastSeq = 0): void {
    if (this.#closing) throw new Error("History is closed.");
    if (this.#fault !== undefined) return;
    this.#backlogBytes += events.byteLength;
    if (this.#gathered + events.byteLength > this.#gathering.byteLength) this.#handOver(events.byteLength);
    this.#gathering.set(events, this.#gathered);
    this.#gathered += events.byteLength;
    this.#gatheredSeq = Math.max(this.#gatheredSeq, lastSeq);
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

  /** Orders of a user that ended with a fill, newest order id first. */
  finishedOrders(query: Query<"finishedOrders">): Promise<Answer<"finishedOrders">> {
    return this.#askPage("finishedOrders", query);
  }

  /** Those of the given orders that ended with a fill and belong to the user, in no particular order. */
  endedOrders(userId: number, marketId: number, orderIds: readonly number[]): Promise<Answer<"endedOrders">> {
    return this.#askQuery("endedOrders", { userId, marketId, orderIds });
  }

  /** Stop orders of a user that fired, newest stop id first. */
  firedStops(query: Query<"firedStops">): Promise<Answer<"firedStops">> {
    return this.#askPage("firedStops", query);
  }

  /** Deals of a user in a market, newest first; a deal with oneself gives two rows. */
  userDeals(query: Query<"userDeals">): Promise<Answer<"userDeals">> {
    return this.#askPage("userDeals", query);
  }

  /** Deals of one order of a user, newest first. */
  orderDeals(query: Query<"orderDeals">): Promise<Answer<"orderDeals">> {
    return this.#askPage("orderDeals", query);
  }

  /** Deals of a market, newest first. */
  marketDeals(query: Query<"marketDeals">): Promise<Answer<"marketDeals">> {
    return this.#askQuery("marketDeals", query);
  }

  /** What changed the totals of a user's cells, newest first. */
  statement(query: Query<"statement">): Promise<Answer<"statement">> {
    return this.#askPage("statement", query);
  }

  /** Candles of a market, ascending, without gaps, the open one last. */
  klines(query: Query<"klines">): Promise<Answer<"klines">> {
    return this.#askQuery("klines", query);
  }

  /** Positions of a user that ended, the last to end first. */
  finishedPositions(query: Query<"finishedPositions">): Promise<Answer<"finishedPositions">> {
    return this.#askPage("finishedPositions", query);
  }

  /** Changes of a user's positions that were no trades, newest first. */
  positionChanges(query: Query<"positionChanges">): Promise<Answer<"positionChanges">> {
    return this.#askPage("positionChanges", query);
  }

  /** Collections of funding in a market, newest first. */
  fundingRates(query: Query<"fundingRates">): Promise<Answer<"fundingRates">> {
    return this.#askPage("fundingRates", query);
  }

  /** Premium samples of a market, newest first. */
  premiums(query: Query<"premiums">): Promise<Answer<"premiums">> {
    return this.#askPage("premiums", query);
  }

  /** How far the latest price of a market lay from its index, every ten minutes, ascending. */
  basis(query: Query<"basis">): Promise<Answer<"basis">> {
    return this.#askQuery("basis", query);
  }

  /** Positions of a market that the venue took over, newest first. */
  liquidations(query: Query<"liquidations">): Promise<Answer<"liquidations">> {
    return this.#askPage("liquidations", query);
  }

  /** What was closed of a user's position against positions that the venue took over, newest first. */
  deleveragings(query: Query<"deleveragings">): Promise<Answer<"deleveragings">> {
    return this.#askPage("deleveragings", query);
  }

  /** Transfers between accounts of a user, newest first. */
  transfers(query: Query<"transfers">): Promise<Answer<"transfers">> {
    return this.#askPage("transfers", query);
  }

  /** Seconds with trades of the last day, from which the tickers start. */
  tradedSeconds(query: Query<"tradedSeconds">): Promise<Answer<"tradedSeconds">> {
    return this.#askQuery("tradedSeconds", query);
  }

  /** Writes what was appended, answers what was asked and closes the file. After a fault it only ends the worker. */
  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.#post({ kind: "close" });
    }
    await this.#exited;
  }

  #askPage<Name extends QueryName>(name: Name, query: Query<Name> & PageRequest): Promise<Answer<Name>> {
    if (!isWithinReach(query)) {
      return Promise.reject(new RangeError(`Page ${query.page} with limit ${query.limit} is out of reach.`));
    }
    return this.#askQuery(name, query);
  }

  #askQuery<Name extends QueryName>(name: Name, query: Query<Name>): Promise<Answer<Name>> {
    return this.#ask((id) => ({ kind: "query", id, name, query })) as Promise<Answer<Name>>;
  }

  #ask(messageOf: (id: number) => ToHistoryWorker): Promise<unknown> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault);
    if (this.#closing) return Promise.reject(new Error("History is closed."));
    if (this.#waiting.size >= QUERIES_WAITING_MAX) return Promise.reject(new HistoryBusy(this.#waiting.size));
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
      const events = this.#gathering.slice(0, this.#gathered);
      const message: ToHistoryWorker = { kind: "append", events, lastSeq: this.#gatheredSeq };
      this.#worker.postMessage(message, [events.buffer]);
      this.#gathered = 0;
      this.#gatheredSeq = 0;
    }
    if (bytes > this.#gathering.byteLength) this.#gathering = new Uint8Array(bytes);
  }

  #receive(message: FromHistoryWorker): void {
    switch (message.kind) {
      case "committed":
        this.#backlogBytes -= message.bytes;
        if (this.#backlogBytes <= BACKLOG_BYTES_MAX) this.#letIn();
        break;
      case "answer":
        this.#take(message.id)?.resolve(message.answer);
        break;
      case "rejected":
        this.#take(message.id)?.reject(new Error(message.message));
        break;
      case "fault":
        this.#fail(faultOf(message));
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
    this.#fault = fault;
    this.#backlogBytes = 0;
    for (const waiter of this.#waiting.values()) waiter.reject(fault);
    this.#waiting.clear();
    this.#letIn();
    this.#onFault(fault);
  }
}

type Query<Name extends QueryName> = HistoryQueries[Name]["query"];
type Answer<Name extends QueryName> = HistoryQueries[Name]["answer"];

function faultOf(message: FromHistoryWorker): HistoryFault {
  if (message.kind !== "fault") return new HistoryFault("worker", "UNEXPECTED", "The history worker did not open.");
  const { step, code, message: reason } = message;
  return new HistoryFault(step, code, `History failed at the step "${step}" (${code}: ${reason}).`, new Error(reason));
}

/** What the worker says when it has opened the file, or could not. */
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
