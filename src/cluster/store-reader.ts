import type { Base, Leader } from "./entry.ts";
import { type OrderStore, type Page, type PlacedGroup, type StoreEvent, StoreWentBack } from "./store.ts";

/** A read that had no answer is tried again after this. */
const AGAIN_MS = 100;
/**
 * A watch that may have fallen silent is looked after this often: what the store counts and the watch does not bring is
 * read.
 */
const LOOK_MS = 500;
/** No term: who leads has to be told. */
const UNTOLD = -1;

export interface StoreReaderHandlers {
  group(group: PlacedGroup): void;
  /** Who leads, when that has changed; every group that was put before has been told. */
  leader(leader: Leader | undefined): void;
  /**
   * The groups behind `place` are no longer in the store up to `base`: they must come from other nodes. Nothing is told
   * before `goOn`.
   */
  missing(base: Base): void;
  /** The store holds something that cannot be. */
  fail(error: Error): void;
  /** Whether no more is to be told for now. */
  isFull(): boolean;
}

type ReaderState = "stopped" | "reading" | "again" | "watching" | "full" | "missing";

type Calls = Pick<OrderStore, "read" | "watch" | "endFrom">;

/** Reads the log in the store and follows it: every group once, in order, whatever becomes of reads and watches. */
export class StoreReader {
  readonly #store: Calls;
  readonly #now: () => number;
  readonly #handlers: StoreReaderHandlers;
  #place: number;
  /** Of the leader that was told last; 0: that nobody leads. */
  #term = 0;
  #revision = 0;
  /** Of the read or watch at work: what one before it still tells is late. */
  #run = 0;
  #state: ReaderState = "stopped";
  #cancel: (() => void) | undefined;
  #againAt = 0;
  #lookAt = 0;
  /** How much was told when the last look found that the watch lags. */
  #laggedAt: number | undefined;
  /** Groups and leaders that were told. */
  #told = 0;

  constructor(place: number, store: Calls, now: () => number, handlers: StoreReaderHandlers) {
    this.#place = place;
    this.#store = store;
    this.#now = now;
    this.#handlers = handlers;
  }

  /** The last place that was told. */
  get place(): number {
    return this.#place;
  }

  /** Whether everything that was in the store at some moment since the last gap has been told. */
  get isFollowing(): boolean {
    return this.#state === "watching";
  }

  /** Reads from where it is, and watches. */
  start(): void {
    this.#read();
  }

  /** Stops reading. Who leads is told again when it is started. */
  stop(): void {
    this.#leave("stopped");
    this.#term = UNTOLD;
  }

  /** Goes on with reading: what was missing is there up to `place`. */
  goOn(place: number): void {
    this.#place = place;
    if (this.#state === "missing") this.#read();
  }

  /** Time passes. */
  tick(): void {
    const now = this.#now();
    if (this.#state === "again" && now >= this.#againAt) this.#read();
    if (this.#state === "full" && !this.#handlers.isFull()) this.#read();
    if (this.#state === "watching" && now - this.#lookAt >= LOOK_MS) this.#look(now);
  }

  #leave(state: ReaderState): void {
    this.#run++;
    this.#state = state;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #read(): void {
    this.#leave("reading");
    const run = this.#run;
    this.#store.read(this.#place + 1, (page) => {
      if (run !== this.#run) return;
      if (page === undefined) this.#again();
      else this.#take(page);
    });
  }

  #again(): void {
    this.#leave("again");
    this.#againAt = this.#now() + AGAIN_MS;
  }

  #take({ revision, base, groups, isWhole, leader }: Page): void {
    if (base === undefined || revision < this.#revision) {
      this.#leave("stopped");
      this.#handlers.fail(new StoreWentBack());
      return;
    }
    if (base.place > this.#place) {
      this.#leave("missing");
      this.#handlers.missing(base);
      return;
    }
    const run = this.#run;
    for (const group of groups) {
      if (group.place !== this.#place + 1) {
        this.#leave("stopped");
        this.#handlers.fail(
          new Error(`The store has no group at place ${this.#place + 1}, but one at ${group.place}.`),
        );
        return;
      }
      if (this.#isFull()) return;
      this.#tell(group);
      if (run !== this.#run) return;
    }
    // Of what lies behind the last group of a page that is not whole nothing is known yet, nor of who leads there.
    if (!isWhole) {
      this.#read();
      return;
    }
    this.#revision = revision;
    this.#hear(leader);
    if (run !== this.#run) return;
    this.#watch(revision + 1);
  }

  #watch(from: number): void {
    this.#leave("watching");
    this.#lookAt = this.#now();
    this.#laggedAt = undefined;
    const run = this.#run;
    this.#cancel = this.#store.watch(from, {
      onEvents: (events) => {
        for (const event of events) if (run === this.#run) this.#event(event);
      },
      onEnd: () => {
        if (run !== this.#run) return;
        // It has ended by itself.
        this.#cancel = undefined;
        this.#again();
      },
    });
  }

  #event(event: StoreEvent): void {
    if (event.kind === "leader") {
      this.#revision = event.revision;
      this.#hear(event.leader);
      return;
    }
    const { place } = event.group;
    if (place <= this.#place) return;
    if (place > this.#place + 1) {
      this.#read();
      return;
    }
    if (this.#isFull()) return;
    this.#revision = event.revision;
    this.#tell(event.group);
  }

  #isFull(): boolean {
    if (!this.#handlers.isFull()) return false;
    this.#leave("full");
    return true;
  }

  #tell(group: PlacedGroup): void {
    this.#place = group.place;
    this.#told++;
    this.#handlers.group(group);
  }

  #hear(leader: Leader | undefined): void {
    const term = leader?.term ?? 0;
    if (term === this.#term) return;
    this.#term = term;
    this.#told++;
    this.#handlers.leader(leader);
  }

  /**
   * A watch at a server that is cut off says nothing, and does not say that it says nothing. Who leads is looked for as
   * well: where nothing else comes into the store, a deposed leader would not hear of it, and would wait for ever for
   * what it had put.
   */
  #look(now: number): void {
    this.#lookAt = now;
    const run = this.#run;
    const told = this.#told;
    this.#store.endFrom(this.#place + 1, (end) => {
      if (run !== this.#run || end === undefined || told !== this.#told) return;
      if (end.place <= this.#place && end.term === this.#term) return;
      if (this.#laggedAt === told) this.#read();
      else this.#laggedAt = told;
    });
  }
}
