import type { ApiKey } from "../auth/key-directory.ts";
import { Budget, type BudgetLimits } from "./budget.ts";
import type { Push } from "./push.ts";
import type { Resumable } from "./resumable.ts";

const UNBOUNDED: BudgetLimits = {
  budgetSubscriptions: Number.POSITIVE_INFINITY,
  budgetUnlisted: Number.POSITIVE_INFINITY,
};

/** Where a client's pushes go. */
export interface Link {
  readonly remoteAddress: string;
  /** The cookie of a session, when its page opened the connection. */
  readonly sessionToken?: string | undefined;
  /** Whether little enough waits to be sent that more than the news of the moment may be added. */
  readonly hasRoom: boolean;
  send(push: Push): void;
  /** Ends the connection without a word. */
  cut(): void;
  /** A request of it counts no more; what bounds it stands elsewhere. */
  giveBack?(): void;
  /** From now on it is the connection of another client. */
  become?(client: Client): void;
}

/** Has things to send that can wait. */
export interface Waiting {
  /** Sends the next of them to a client; false when nothing waits for it any more. */
  sendNext(client: Client): boolean;
}

/** One connection as channels know it: where it is sent to, whose it is and how much it follows. */
export class Client {
  #link: Link;
  /**
   * The names that the venue remembers for all connections, this one's share included. A client that is made without a
   * shared budget has no bounds.
   */
  readonly budget: Budget;
  /** The key that it has logged in with, */
  key: ApiKey | undefined;
  /** and when, on a clock that runs evenly. */
  loggedInMs = 0;
  /** Names that it follows over all channels, */
  subscriptions = 0;
  /** and those of them that were not listed when they were named. */
  unlisted = 0;
  /** Answers that it is waiting for. */
  lateAnswers = 0;
  /** Calls as over HTTP that are not answered yet. */
  lateCalls = 0;
  /** The last of the requests that wait until their node is current; and how many there are. */
  turn: Promise<void> | undefined;
  inTurn = 0;
  /** Requests that a fault delays. */
  delayed = 0;
  /** Whether its connection has ended. */
  hasLeft = false;
  /** How many connections it has had: what was asked over an earlier one is answered to nobody. */
  line = 1;
  /** Who goes on with its connection. */
  successor: Client | undefined;
  /** Its numbered pushes, where it asked for numbers, */
  resumable: Resumable | undefined;
  /** and what numbers one: undefined where it is not to be sent now. */
  #take: ((push: Push) => Push | undefined) | undefined;
  /** Who has something to send when there is room: at most every channel once, however often it is subscribed to. */
  readonly #waiting = new Set<Waiting>();

  constructor(link: Link, budget = new Budget(UNBOUNDED)) {
    this.#link = link;
    this.budget = budget;
    budget.connections++;
  }

  /** Counts names that it follows from now on; of fewer, negative. */
  count(names: number, unlisted = 0): void {
    this.subscriptions += names;
    this.unlisted += unlisted;
    this.budget.subscriptions += names;
    this.budget.unlisted += unlisted;
  }

  /** It has gone, and follows nothing any more. */
  leave(): void {
    this.hasLeft = true;
    this.budget.connections--;
  }

  get remoteAddress(): string {
    return this.#link.remoteAddress;
  }

  get sessionToken(): string | undefined {
    return this.#link.sessionToken;
  }

  send(push: Push): void {
    if (this.#take === undefined || !push.isNews) {
      this.#link.send(push);
      return;
    }
    const numbered = this.#take(push);
    if (numbered !== undefined) this.#link.send(numbered);
  }

  sendNumbered(push: Push): void {
    this.#link.send(push);
  }

  /** Numbers what channels send it, or does so no more. */
  number(resumable: Resumable, take: (push: Push) => Push | undefined): void;
  number(resumable: undefined): void;
  number(resumable: Resumable | undefined, take?: (push: Push) => Push | undefined): void {
    this.resumable = resumable;
    this.#take = take;
  }

  /** Its connection has ended; what it follows goes on without one. */
  goAway(): void {
    this.hasLeft = true;
    this.#link = nowhere(this.#link.remoteAddress);
  }

  /**
   * Gives its connection to a client that goes on with it. What is still to be answered to this one is answered there.
   */
  handTo(other: Client): void {
    other.#link = this.#link;
    other.line++;
    other.hasLeft = false;
    other.turn = this.turn;
    this.successor = other;
    this.#link.become?.(other);
  }

  /** Whom what its connection asks is about by now. */
  get current(): Client {
    return this.successor ?? this;
  }

  /** Whether the connection has ended over which it asked something when it had had so many. */
  isGone(line: number): boolean {
    return this.successor === undefined ? this.hasLeft || this.line !== line : this.successor.hasLeft;
  }

  cut(): void {
    this.#link.cut();
  }

  giveBack(): void {
    this.#link.giveBack?.();
  }

  /** Whether something may be sent now that could wait: nothing waits before it, and its link has room. */
  get hasRoom(): boolean {
    return this.#waiting.size === 0 && this.#link.hasRoom;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  whenRoom(waiting: Waiting): void {
    this.#waiting.add(waiting);
  }

  /** Sends of what waits as much as there is room for. */
  sendWaiting(): void {
    for (const waiting of this.#waiting) {
      let hasMore = true;
      while (hasMore && this.#link.hasRoom) hasMore = waiting.sendNext(this);
      if (!hasMore) this.#waiting.delete(waiting);
    }
  }
}

/** Where nothing is sent. */
function nowhere(remoteAddress: string): Link {
  return { remoteAddress, hasRoom: false, send: () => {}, cut: () => {} };
}
