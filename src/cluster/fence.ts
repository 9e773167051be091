import { setTimeout as pause } from "node:timers/promises";
import { decodeWhere, type Question } from "./questions.ts";

/** Another node is asked how far it is, so often and each time so long. */
const ASK_MS = 200;
const ASK_TRIES = 10;
/** What others have must have been applied here within this time. */
const APPLIED_MS = 3_000;

export interface FenceTerms {
  readonly node: string;
  readonly nodes: readonly string[];
  /** Undefined: no answer in time, or none that can be read. */
  readonly ask: <Answer>(
    node: string,
    question: Question,
    read: (answer: Uint8Array) => Answer,
    timeoutMs: number,
  ) => Promise<Answer | undefined>;
  /** How far the log of this node is on its disk, and how far it has been applied. */
  readonly syncedSeq: () => number;
  readonly appliedSeq: () => number;
}

/** Somebody who waits until a seq has been applied. */
interface Waiting {
  readonly seq: number;
  readonly resolve: () => void;
}

/**
 * What lets a client find at each node what any node had answered it. A command is answered when a quorum of nodes has it on its disk, so
 * among all but so many as a quorum less one there is one that has it: they are asked, and as much is applied before this node answers.
 */
export class Fence {
  readonly #terms: FenceTerms;
  readonly #waiting: Waiting[] = [];
  #asking: Promise<void> | undefined;

  constructor(terms: FenceTerms) {
    this.#terms = terms;
  }

  /** Settles when everything has been applied here that any node had answered when this was called. Rejects with NodesAway. */
  pass(): Promise<void> {
    // Whoever comes before the question goes out is served by its answer.
    this.#asking ??= new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        this.#asking = undefined;
        this.#ask().then((seq) => this.#applied(seq).then(resolve, reject), reject);
      });
    });
    return this.#asking;
  }

  /** Everything up to `seq` has been applied. */
  reached(seq: number): void {
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const waiting = this.#waiting[at] as Waiting;
      if (waiting.seq > seq) continue;
      this.#waiting.splice(at, 1);
      waiting.resolve();
    }
  }

  async #ask(): Promise<number> {
    const { nodes, node, syncedSeq } = this.#terms;
    const quorum = Math.floor(nodes.length / 2) + 1;
    const needed = nodes.length - quorum;
    const own = syncedSeq();
    if (needed === 0) return own;
    const others = nodes.filter((name) => name !== node);
    return await new Promise((resolve, reject) => {
      let most = own;
      let answered = 0;
      let open = others.length;
      for (const other of others) {
        void this.#askAgain(other).then((seq) => {
          open--;
          if (seq !== undefined) {
            most = Math.max(most, seq);
            if (++answered === needed) resolve(most);
          }
          if (open === 0 && answered < needed) reject(new NodesAway());
        });
      }
    });
  }

  /** A question that was under way when a server was lost is never answered: it must not be waited for long. */
  async #askAgain(node: string): Promise<number | undefined> {
    const question: Question = { kind: "where" };
    for (let tries = 0; tries < ASK_TRIES; tries++) {
      const sinceMs = performance.now();
      const seq = await this.#terms.ask(node, question, decodeWhere, ASK_MS);
      if (seq !== undefined) return seq;
      // Nobody listens there: that is known at once.
      if (performance.now() - sinceMs < ASK_MS / 2) await pause(ASK_MS / 2);
    }
    return undefined;
  }

  async #applied(seq: number): Promise<void> {
    if (this.#terms.appliedSeq() >= seq) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { seq, resolve };
    this.#waiting.push(waiting);
    const late = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(new NodesAway());
    }, APPLIED_MS);
    await promise.finally(() => clearTimeout(late));
  }
}

/** Too few of the other nodes answer: what they have told others of cannot be known. */
export class NodesAway extends Error {
  constructor() {
    super("Too few nodes of the venue answer.");
    this.name = "NodesAway";
  }
}
