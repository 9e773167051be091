import { createHmac } from "node:crypto";
import type { Logger } from "pino";
import { type Command, KIND } from "../../engine/command.ts";
import { COUNT_EVERY_MIN_MS } from "../../engine/liabilities/commands.ts";
import { type LiabilityCount, type LiabilityRoot, liabilityCounts } from "../../engine/liabilities/counts.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import type { State } from "../../engine/state.ts";
import type { ProofLeaf } from "../../liabilities/hashes.ts";
import { leavesFor } from "../../liabilities/sum-tree.ts";
import { type CountedTrees, CountThread } from "./count-thread.ts";

/** Whether something is due is looked at this often. */
const LOOK_MS = 1_000;
/** Roots of one command: as many as a list in the log may hold. */
const ROOTS_PER_COMMAND_MAX = 256;
/** As who the venue counts by itself, and publishes. */
const ACTOR = "liabilities";

export interface LiabilityCounterOptions {
  readonly state: State;
  /** Of which salts and places are made: the same at all nodes of a venue. */
  readonly secret: () => Uint8Array;
  /** Counts by itself so often, ms; 0: only when an operator asks. */
  readonly everyMs: number;
  readonly submit: (command: Command) => void;
  readonly isOnDuty: () => boolean;
  /** The venue's time, ms. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The trees of a count. */
interface Counted {
  readonly seq: number;
  readonly trees: CountedTrees;
  /** Their roots, as they are published. */
  readonly roots: readonly LiabilityRoot[];
}

/**
 * Makes the sum trees of each count, publishes their roots in the log, and gives accounts their leaves. Every node
 * makes the same trees and holds what is published against its own; the one on duty publishes. Trees are kept in
 * memory: those of the last published count, and of one that is to be published. A node that was started since has
 * none, and counts anew.
 */
export class LiabilityCounter {
  readonly #options: LiabilityCounterOptions;
  /** Of the count that has been published last, and of that which waits. */
  #shown: Counted | undefined;
  #made: Counted | undefined;
  #thread: CountThread | undefined;
  /** Seq of the count whose trees were begun last. */
  #begunSeq = 0;
  /** Seq of the count that this node has published, so that it does so once. */
  #submittedSeq = 0;
  #seenSeq = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiabilityCounterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#thread?.end();
  }

  /** A command of this kind has been applied: to be called right after each, before anything else changes the state. */
  applied(kind: number): void {
    const { state } = this.#options;
    // A venue that went back.
    if (state.seq < this.#seenSeq) this.#forget();
    this.#seenSeq = state.seq;
    if (kind !== KIND.json) return;
    const { pending, published } = liabilityCounts.of(state);
    if (pending !== undefined && pending.seq === state.seq && pending.seq !== this.#begunSeq) this.#begin(pending.seq);
    const last = published.at(-1);
    if (last !== undefined && last.seq === this.#made?.seq) this.#show(last, this.#made);
  }

  /**
   * The leaves of an account in the last published count, by currency id; undefined where this node has not made its
   * trees.
   */
  leavesOf(
    accountId: number,
    count: LiabilityCount,
  ): readonly (readonly [assetId: number, leaf: ProofLeaf])[] | undefined {
    if (this.#shown?.seq !== count.seq) return undefined;
    const { assets } = this.#options.state;
    return this.#shown.trees.flatMap(([assetId, tree]) =>
      leavesFor(tree, accountId, assets[assetId]?.scale ?? 0).map((leaf) => [assetId, leaf] as const),
    );
  }

  #forget(): void {
    this.#thread?.end();
    this.#thread = undefined;
    this.#shown = undefined;
    this.#made = undefined;
    this.#begunSeq = 0;
    this.#submittedSeq = 0;
  }

  #begin(seq: number): void {
    const { state, secret, log } = this.#options;
    this.#begunSeq = seq;
    this.#thread?.end();
    this.#made = undefined;
    const startMs = performance.now();
    const keyOf = (assetId: number) =>
      new Uint8Array(createHmac("sha256", secret()).update(`liabilities ${seq} ${assetId}`).digest());
    const thread = new CountThread(state, keyOf);
    this.#thread = thread;
    const heldUpMs = performance.now() - startMs;
    thread.trees.then(
      (trees) => {
        if (this.#thread !== thread) return;
        this.#thread = undefined;
        const figures = { seq, heldUpMs: round(heldUpMs), tookMs: round(performance.now() - startMs) };
        log.info({ ...figures, currencies: trees.length }, "what the venue owes has been counted");
        this.#counted({ seq, trees, roots: this.#rootsOf(trees) });
      },
      (error: Error) => {
        if (this.#thread !== thread) return;
        this.#thread = undefined;
        log.error({ seq, reason: error.message }, "what the venue owes could not be counted; count again");
      },
    );
  }

  #counted(made: Counted): void {
    this.#made = made;
    // Another node may have been quicker.
    const published = liabilityCounts.of(this.#options.state).published.find(({ seq }) => seq === made.seq);
    if (published === undefined) this.#publish();
    else this.#show(published, made);
  }

  #rootsOf(trees: CountedTrees): LiabilityRoot[] {
    const { assets } = this.#options.state;
    return trees.map(([assetId, tree]) => {
      const { ccy = "", scale = 0 } = assets[assetId] ?? {};
      const root = Buffer.from(tree.hash).toString("hex");
      return { ccy, root, total: formatDecimal(tree.total, scale), leaves: tree.places.length };
    });
  }

  #publish(): void {
    const { state, submit, isOnDuty } = this.#options;
    const made = this.#made;
    const { pending } = liabilityCounts.of(state);
    if (made === undefined || pending?.seq !== made.seq || this.#submittedSeq === made.seq || !isOnDuty()) return;
    this.#submittedSeq = made.seq;
    // Of a count that another node began to publish and did not finish, what is still to come.
    const roots = made.roots.slice(pending.roots.length);
    for (let from = 0; from === 0 || from < roots.length; from += ROOTS_PER_COMMAND_MAX) {
      const isComplete = from + ROOTS_PER_COMMAND_MAX >= roots.length;
      const some = roots.slice(from, from + ROOTS_PER_COMMAND_MAX);
      submit({ kind: "publish_liabilities", actor: ACTOR, countSeq: made.seq, roots: some, isComplete });
    }
  }

  /** Shows trees whose roots are those in the log. */
  #show(published: LiabilityCount, made: Counted): void {
    this.#made = undefined;
    if (JSON.stringify(published.roots) === JSON.stringify(made.roots)) {
      this.#shown = made;
      return;
    }
    const figures = { seq: made.seq, published: published.roots, counted: made.roots };
    this.#options.log.error(figures, "the published roots of what the venue owes are not those of this node's count");
  }

  #look(): void {
    const { state, everyMs, now, submit, isOnDuty } = this.#options;
    if (!isOnDuty()) return;
    this.#publish();
    if (everyMs === 0) return;
    const { lastAtMs, published } = liabilityCounts.of(state);
    const sinceMs = lastAtMs === undefined ? Number.POSITIVE_INFINITY : now() - lastAtMs;
    const isMissing = this.#thread === undefined && this.#shown?.seq !== published.at(-1)?.seq;
    if (sinceMs >= everyMs || (isMissing && sinceMs >= COUNT_EVERY_MIN_MS)) {
      submit({ kind: "count_liabilities", actor: ACTOR });
    }
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
