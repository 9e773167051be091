import type { OrderStore } from "./store.ts";

/** The store must have answered, and what it has must have been applied here, within this time. */
const PASS_MS = 3_000;
/** A question without an answer is asked again after this. */
const AGAIN_MS = 20;

/** This node cannot prove that what it serves is current: the store does not answer, or the node lags. */
export class NotCurrent extends Error {
  constructor() {
    super("The store does not answer, or this node lags behind it.");
    this.name = "NotCurrent";
  }
}

export interface ReadBarrierOptions {
  readonly store: Pick<OrderStore, "endFrom">;
  /** The place of the last group that was applied here. */
  readonly place: () => number;
  /** Calls back once, later. */
  readonly later: (ms: number, run: () => void) => void;
}

/** Those who asked together. */
interface Waiting {
  readonly told: ((isCurrent: boolean) => void)[];
  /** How far this node has to be; undefined: the store has not said yet. */
  place: number | undefined;
  isOver: boolean;
}

/**
 * Makes sure that a client finds at each node what any node had answered it. A command is answered when it is in the
 * store, so a linearizable read of the store says how far this node has to be. Those who come while one is under way
 * share the next one.
 */
export class ReadBarrier {
  readonly #options: ReadBarrierOptions;
  readonly #waiting = new Set<Waiting>();
  #isAsking = false;
  #next: Waiting | undefined;

  constructor(options: ReadBarrierOptions) {
    this.#options = options;
  }

  /**
   * Settles when everything has been applied here that any node had answered when this was called. Rejects with
   * NotCurrent.
   */
  async pass(): Promise<void> {
    if (!(await new Promise<boolean>((resolve) => this.ask(resolve)))) throw new NotCurrent();
  }

  /** As pass. */
  ask(tell: (isCurrent: boolean) => void): void {
    // Those who were to be next may have been refused by now, while the question before them still has no answer.
    if (this.#next === undefined || this.#next.isOver) this.#next = this.#wait();
    this.#next.told.push(tell);
    if (this.#isAsking) return;
    this.#isAsking = true;
    // All that come in this turn are served by the same answer.
    this.#options.later(0, () => this.#askNext());
  }

  /** Everything up to `place` has been applied. */
  reached(place: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.place === undefined || waiting.place > place) continue;
      this.#end(waiting, true);
    }
  }

  #wait(): Waiting {
    const waiting: Waiting = { told: [], place: undefined, isOver: false };
    this.#waiting.add(waiting);
    this.#options.later(PASS_MS, () => {
      if (waiting.isOver) return;
      this.#end(waiting, false);
    });
    return waiting;
  }

  #end(waiting: Waiting, isCurrent: boolean): void {
    waiting.isOver = true;
    this.#waiting.delete(waiting);
    for (const tell of waiting.told) tell(isCurrent);
  }

  #askNext(): void {
    const asked = this.#next;
    this.#next = undefined;
    if (asked === undefined) this.#isAsking = false;
    else this.#ask(asked);
  }

  #ask(asked: Waiting): void {
    if (asked.isOver) {
      this.#askNext();
      return;
    }
    const from = this.#options.place() + 1;
    this.#options.store.endFrom(from, (end) => {
      if (end === undefined) {
        // Another server is asked meanwhile.
        this.#options.later(AGAIN_MS, () => this.#ask(asked));
        return;
      }
      asked.place = end.place;
      this.reached(this.#options.place());
      this.#askNext();
    });
  }
}
