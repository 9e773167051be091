/**
 * Quotas that several nodes share on a server: what a node asks and tells of in one turn of the event loop goes in one
 * trip. While the server does not answer in time, each node goes on by itself, with its share of every quota: nobody
 * waits longer than `WAIT_MS`, is refused for it, or goes without limits. See decision 19.
 */
import { randomBytes } from "node:crypto";
import type { QuotaServer } from "./quota-server.ts";
import { ENTRY_ANSWERS } from "./scripts.ts";

/**
 * The server has so long for a trip; what waits for it is then decided here. Some twenty times what one takes within a
 * data centre.
 */
const WAIT_MS = 20;
/** So often a node says that it is there, and tries whether the server is. */
const BEAT_MS = 500;
/** Tries in a row that must be answered in time before a node relies on the server again. */
const BEATS_TO_RELY = 2;
/** Entries of one run of the script: the server serves nobody else meanwhile, which is less than a millisecond. */
const ENTRIES_MAX = 128;
/** A start waits so long for the server, and then goes on without. */
const START_MS = 1_000;
const START_TRY_MS = 50;

/** One check of one quota. */
export interface Ask {
  readonly bucketKey: string;
  /** Of the main account's row in the long cycle; undefined where that plays no part. */
  readonly longKey: string | undefined;
  /** Requests per `seconds`, also what the bucket can hold, and the least that it is ever run at. */
  readonly rate: number;
  readonly slowestRate: number;
  readonly seconds: number;
  readonly cost: number;
  /**
   * Windows of the long cycle in which orders are poor, a bit each: anyone who has used too much in one of them runs at
   * the slowest rate.
   */
  readonly poorWindows: number;
  /** Whether it counts in the long cycle. */
  readonly isCounted: boolean;
}

/** The server's answer to one check. */
export interface Verdict {
  readonly passes: boolean;
  /** Thousandths of a request that are left. */
  readonly quota: number;
  /** The rate that held. */
  readonly rate: number;
  /** Requests used in the four windows, all of the account's nodes together; undefined without a row. */
  readonly used: readonly number[] | undefined;
}

/** Hears the verdict; undefined: there is none in time, so the node decides by itself. */
export type OnVerdict = (verdict: Verdict | undefined) => void;

/** A bucket that is spent from without asking. */
export interface Told {
  /** Per second. */
  readonly rate: number;
  /** Hears what is left, in thousandths, of what there was when the node's own time was `timeMs`. */
  settled(quota: number, timeMs: number): void;
}

export interface SharedQuotasOptions {
  readonly server: QuotaServer;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Requests in the four windows of the long cycle, -1 for no limit. */
  readonly longLimits: readonly number[];
  /** The time that quotas go by in the place of the server's own, for tests. */
  readonly nowMs?: (() => number) | undefined;
  /** How long the server has for a trip, for tests; 20 ms unless given. */
  readonly waitMs?: number | undefined;
  /** A trip took so long. */
  readonly onTrip?: ((ms: number) => void) | undefined;
}

/** How a node stands with the others. */
export interface SharedCounts {
  readonly isShared: boolean;
  /** Nodes that share, as last heard. */
  readonly nodes: number;
  /** How often it had to go on by itself, and how many checks it decided so after a wait. */
  readonly partings: number;
  readonly unanswered: number;
}

interface Waiting {
  readonly ask: Ask;
  readonly onVerdict: OnVerdict;
}

interface Spent {
  readonly bucketKey: string;
  readonly told: Told;
  /** The node's own time of the last request. */
  timeMs: number;
  /** Requests that are not yet told of, and those that are and not yet answered. */
  fresh: number;
  sent: number;
}

/** A trip that is under way. */
interface Trip {
  readonly asked: readonly Waiting[];
  readonly told: readonly { readonly spent: Spent; readonly count: number; readonly timeMs: number }[];
  readonly sentMs: number;
  isOver: boolean;
}

export class SharedQuotas {
  readonly #options: SharedQuotasOptions;
  readonly #waitMs: number;
  readonly #node = randomBytes(6).toString("hex");
  #isShared = false;
  #nodes = 1;
  #partings = 0;
  #unanswered = 0;
  /** In the order in which they were asked, which is that in which they are answered. */
  #waiting: Waiting[] = [];
  readonly #trips: Trip[] = [];
  readonly #spent = new Map<string, Spent>();
  /** Those of `#spent` with something fresh. */
  #fresh: Spent[] = [];
  #isFlushDue = false;
  #deadline: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #isBeatUnderWay = false;
  #beatsInTime = 0;
  #isClosed = false;

  private constructor(options: SharedQuotasOptions) {
    this.#options = options;
    this.#waitMs = options.waitMs ?? WAIT_MS;
  }

  /** Begins to share, or says in the log why not and goes on trying. */
  static async open(options: SharedQuotasOptions): Promise<SharedQuotas> {
    const shared = new SharedQuotas(options);
    await shared.#start();
    return shared;
  }

  /** Whether the server is relied on now. While not, a node decides by `share`. */
  get isShared(): boolean {
    return this.#isShared;
  }

  get counts(): SharedCounts {
    const { isShared } = this;
    return { isShared, nodes: this.#nodes, partings: this.#partings, unanswered: this.#unanswered };
  }

  /**
   * Returns the part of a rate that a node allows: all of it while it is shared, an even part, rounded down and at
   * least 1, while each node goes on by itself.
   */
  share(rate: number): number {
    return this.#isShared ? rate : Math.max(1, Math.floor(rate / this.#nodes));
  }

  /** Asks the server, while it is relied on. Checks are answered in the order in which they were asked. */
  ask(ask: Ask, onVerdict: OnVerdict): void {
    if (!this.#isShared) {
      onVerdict(undefined);
      return;
    }
    this.#waiting.push({ ask, onVerdict });
    this.#flushSoon();
  }

  /**
   * Tells of one request that was let pass at `timeMs` without asking. `told` is asked for where nothing of its bucket
   * is known yet.
   */
  spend(bucketKey: string, timeMs: number, told: () => Told): void {
    if (!this.#isShared) return;
    let spent = this.#spent.get(bucketKey);
    if (spent === undefined) {
      spent = { bucketKey, told: told(), timeMs, fresh: 0, sent: 0 };
      this.#spent.set(bucketKey, spent);
    }
    spent.timeMs = timeMs;
    if (spent.fresh++ === 0) this.#fresh.push(spent);
    this.#flushSoon();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#beating);
    this.#part("the node stops", false);
    await Promise.race([
      this.#options.server.leave(this.#node).catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
    ]);
    this.#options.server.close();
  }

  async #start(): Promise<void> {
    const until = performance.now() + START_MS;
    while (!this.#isShared && performance.now() < until) {
      const tried = this.#beat().then(() => {
        if (this.#beatsInTime > 0) this.#rely();
      });
      await Promise.all([Promise.race([tried, pause(until - performance.now())]), pause(START_TRY_MS)]);
    }
    if (!this.#isShared) this.#tellParted(this.#options.server.trouble ?? "it does not answer");
    this.#beating = setInterval(() => this.#beatAgain(), BEAT_MS).unref();
  }

  /** At the end of this turn of the event loop. */
  #flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    setImmediate(() => this.#flush());
  }

  /** Sends all that waits. */
  #flush(): void {
    this.#isFlushDue = false;
    const [waiting, fresh] = [this.#waiting, this.#fresh];
    this.#waiting = [];
    this.#fresh = [];
    for (let at = 0; at < waiting.length || at < fresh.length; at += ENTRIES_MAX) {
      this.#send(waiting.slice(at, at + ENTRIES_MAX), fresh.slice(at, at + ENTRIES_MAX));
    }
  }

  #send(asked: readonly Waiting[], fresh: readonly Spent[]): void {
    const { longLimits, nowMs, server } = this.#options;
    const keys: string[] = [];
    const values: (string | number)[] = [nowMs?.() ?? "", ...longLimits];
    for (const { ask } of asked) {
      keys.push(ask.bucketKey, ask.longKey ?? ask.bucketKey);
      values.push(1, ask.rate, ask.slowestRate, ask.seconds, ask.cost, ask.poorWindows, ask.isCounted ? 1 : 0);
    }
    const told = fresh.map((spent) => ({ spent, count: spent.fresh, timeMs: spent.timeMs }));
    for (const { spent, count } of told) {
      spent.sent += count;
      spent.fresh = 0;
      const { rate } = spent.told;
      keys.push(spent.bucketKey, spent.bucketKey);
      values.push(0, rate, rate, 1, count, 0, 0);
    }
    const trip: Trip = { asked, told, sentMs: performance.now(), isOver: false };
    this.#trips.push(trip);
    this.#deadline ??= setTimeout(() => this.#onDeadline(), this.#waitMs).unref();
    server.check(keys, values).then(
      (answers) => this.#arrive(trip, answers),
      (error: Error) => {
        if (!trip.isOver) this.#part(server.trouble ?? error.message);
      },
    );
  }

  #arrive(trip: Trip, answers: readonly number[]): void {
    if (trip.isOver) return;
    if (!isWithin(trip, answers)) {
      this.#part("its answer cannot be");
      return;
    }
    trip.isOver = true;
    this.#trips.splice(this.#trips.indexOf(trip), 1);
    this.#options.onTrip?.(performance.now() - trip.sentMs);
    let at = trip.asked.length * ENTRY_ANSWERS;
    for (const { spent, count, timeMs } of trip.told) {
      spent.sent -= count;
      const unsettled = spent.sent + spent.fresh;
      spent.told.settled((answers[at + 1] as number) - unsettled * 1_000, timeMs);
      if (unsettled === 0) this.#spent.delete(spent.bucketKey);
      at += ENTRY_ANSWERS;
    }
    at = 0;
    for (const { onVerdict } of trip.asked) {
      onVerdict(verdictAt(answers, at));
      at += ENTRY_ANSWERS;
    }
  }

  /** The oldest trip may be late. */
  #onDeadline(): void {
    this.#deadline = undefined;
    // What came while this thread was busy is read first: timers come before it.
    setImmediate(() => {
      const [oldest] = this.#trips;
      if (oldest === undefined) return;
      const leftMs = oldest.sentMs + this.#waitMs - performance.now();
      if (leftMs <= 0) this.#part(`it did not answer within ${this.#waitMs} ms`);
      else this.#deadline ??= setTimeout(() => this.#onDeadline(), Math.ceil(leftMs)).unref();
    });
  }

  /** From now on this node goes on by itself, also with what waits, in its order. */
  #part(reason: string, isTold = true): void {
    const asked = [...this.#trips.flatMap((trip) => trip.asked), ...this.#waiting];
    for (const trip of this.#trips) trip.isOver = true;
    this.#trips.length = 0;
    this.#waiting = [];
    this.#fresh = [];
    this.#spent.clear();
    this.#beatsInTime = 0;
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
    if (this.#isShared) {
      this.#isShared = false;
      this.#partings++;
      if (isTold) this.#tellParted(reason);
    }
    this.#unanswered += asked.length;
    for (const { onVerdict } of asked) onVerdict(undefined);
  }

  #tellParted(reason: string): void {
    const details = { reason, nodes: this.#nodes };
    this.#options.log.warn(details, "quotas are not shared: this node goes on by itself, with its part of each");
  }

  #rely(): void {
    if (this.#isShared || this.#isClosed) return;
    this.#isShared = true;
    this.#options.log.info({ nodes: this.#nodes }, "quotas are shared with all nodes on their server");
  }

  #beatAgain(): void {
    if (this.#isBeatUnderWay) {
      this.#beatsInTime = 0;
      if (this.#isShared) this.#part("it does not answer");
      return;
    }
    void this.#beat().then(() => {
      if (this.#beatsInTime >= BEATS_TO_RELY) this.#rely();
    });
  }

  /** Says that this node is there. Never rejects. */
  async #beat(): Promise<void> {
    const { server } = this.#options;
    const startMs = performance.now();
    this.#isBeatUnderWay = true;
    try {
      this.#nodes = Math.max(1, await server.beat(this.#node));
      this.#beatsInTime = performance.now() - startMs <= this.#waitMs ? this.#beatsInTime + 1 : 0;
    } catch (error) {
      this.#beatsInTime = 0;
      if (this.#isShared) this.#part(server.trouble ?? (error as Error).message);
    } finally {
      this.#isBeatUnderWay = false;
    }
  }
}

/** Whether the answers keep to the rates that were asked for: nobody is given more by a server that is wrong. */
function isWithin({ asked, told }: Trip, answers: readonly number[]): boolean {
  const rates = [...asked.map(({ ask }) => [ask.rate, ask.slowestRate]), ...told.map(({ spent }) => [spent.told.rate])];
  return rates.every((possible, entry) => {
    const [passes, quota, rate, ...used] = answers.slice(entry * ENTRY_ANSWERS, (entry + 1) * ENTRY_ANSWERS) as [
      number,
      number,
      number,
      ...number[],
    ];
    return (
      (passes === 0 || passes === 1) &&
      possible.includes(rate) &&
      quota <= rate * 1_000 &&
      used.every((requests) => requests >= -1)
    );
  });
}

function verdictAt(answers: readonly number[], at: number): Verdict {
  const used = answers[at + 3] === -1 ? undefined : answers.slice(at + 3, at + ENTRY_ANSWERS);
  return { passes: answers[at] === 1, quota: answers[at + 1] as number, rate: answers[at + 2] as number, used };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
