import { chainHash, lastSeqOf } from "../../log/chain.ts";
import { type GroupEntry, hexOf, type Origin, type Tail } from "../entry.ts";
import type { PlacedGroup, PutOutcome } from "../store.ts";
import type { Forward, OrderingPorts, Self } from "./ports.ts";
import type { Proposal } from "./proposals.ts";

/**
 * Groups, and about as many bytes of them, that are put at a time: all of them are in, or none. The store takes 128
 * operations and 8 MB.
 */
const GROUPS_AT_ONCE = 64;
const BYTES_AT_ONCE = 1024 * 1024;
/** A put without an answer is tried again after this. */
const AGAIN_MS = 50;
/** A put for which the store has no room is tried again after this. */
const FULL_MS = 1_000;

/** A group that no sequencer proposed. */
export interface Made {
  readonly payload: Uint8Array;
  readonly count: number;
}

interface Queued extends Made {
  readonly origin: Origin;
}

interface LeadershipParts {
  readonly self: Self;
  readonly term: number;
  /** Where the log ends: all that was put before this term has been read. */
  readonly place: number;
  readonly tail: Tail;
}

type Ports = Pick<OrderingPorts, "now" | "timeMs" | "store" | "fail" | "note">;

/**
 * The work of a term's leader: it takes proposals, each once and in order, and puts them into the store one behind the
 * other.
 */
export class Leadership {
  readonly #parts: LeadershipParts;
  readonly #ports: Ports;
  readonly #queue: Queued[] = [];
  /** The last proposal of each process that was taken in this term. */
  readonly #taken = new Map<string, number>();
  /** End of what was put, be it known to be in or not. */
  #tip: Tail;
  #place: number;
  /** The groups that are being put: the same until there is an answer. */
  #underWay: readonly PlacedGroup[] | undefined;
  #isCalling = false;
  #sinceMs = 0;
  #againAt = 0;
  #isOver = false;
  #alone: (() => Made | undefined) | undefined;
  #appliedSeq: number;

  constructor(parts: LeadershipParts, ports: Ports) {
    this.#parts = parts;
    this.#ports = ports;
    this.#tip = parts.tail;
    this.#place = parts.place;
    this.#appliedSeq = parts.tail.seq;
  }

  get term(): number {
    return this.#parts.term;
  }

  /** For how long the store has not answered what is being put, ms. */
  get waitsMs(): number {
    return this.#underWay === undefined ? 0 : this.#ports.now() - this.#sinceMs;
  }

  /** A proposal of this process. */
  order({ token, count, payload }: Proposal): void {
    const { node, boot } = this.#parts.self;
    this.#queue.push({ origin: { node, boot, token }, count, payload });
    this.#pump();
  }

  /** A proposal of another one: taken once, behind the one before it. */
  take({ term, node, boot, first, token, count, payload }: Forward): void {
    if (term !== this.#parts.term || this.#isOver) return;
    const taken = this.#taken.get(boot) ?? first - 1;
    if (token !== taken + 1) return;
    this.#taken.set(boot, token);
    this.#queue.push({ origin: { node, boot, token }, count, payload });
    this.#pump();
  }

  /**
   * Orders what `make` gives as soon as everything ordered before has been applied here; nothing else is ordered
   * before.
   */
  orderAlone(make: () => Made | undefined): void {
    this.#alone = make;
    this.#pump();
  }

  /** The store has told of everything up to `place`, which ends at `seq`: it has been applied here. */
  applied(place: number, seq: number): void {
    this.#appliedSeq = seq;
    const last = this.#underWay?.at(-1);
    // What the store tells of is in, whatever becomes of the call: it must not be put once more when it has been taken
    // out again.
    if (last !== undefined && last.place <= place) this.#isIn();
    else if (this.#alone !== undefined) this.#pump();
  }

  /** The term is over. */
  end(): void {
    this.#isOver = true;
  }

  tick(now: number): void {
    if (this.#isOver || this.#isCalling || now < this.#againAt) return;
    if (this.#underWay !== undefined) this.#put(this.#underWay);
    else this.#pump();
  }

  #pump(): void {
    if (this.#isOver || this.#underWay !== undefined) return;
    const next = this.#alone === undefined ? this.#next() : this.#nextAlone(this.#alone);
    if (next.length === 0) return;
    this.#sinceMs = this.#ports.now();
    this.#underWay = next.map((queued) => this.#placed(queued));
    this.#put(this.#underWay);
  }

  #next(): Queued[] {
    let count = 0;
    for (let bytes = 0; count < this.#queue.length && count < GROUPS_AT_ONCE; count++) {
      bytes += (this.#queue[count] as Queued).payload.length;
      if (count > 0 && bytes > BYTES_AT_ONCE) break;
    }
    return this.#queue.splice(0, count);
  }

  #nextAlone(make: () => Made | undefined): Queued[] {
    if (this.#appliedSeq !== this.#tip.seq) return [];
    this.#alone = undefined;
    const made = make();
    return made === undefined
      ? this.#next()
      : [{ ...made, origin: { node: this.#parts.self.node, boot: "", token: 0 } }];
  }

  #placed({ origin, count, payload }: Queued): PlacedGroup {
    const firstSeq = this.#tip.seq + 1;
    const timeMs = Math.max(this.#ports.timeMs(), this.#tip.timeMs);
    const prevHash = hexOf(this.#tip.hash);
    const entry: GroupEntry = { firstSeq, count, timeMs, prevHash, origin, payload };
    this.#tip = { seq: lastSeqOf(entry), hash: chainHash(this.#tip.hash, entry), timeMs };
    this.#place++;
    return { place: this.#place, entry };
  }

  #put(groups: readonly PlacedGroup[]): void {
    this.#isCalling = true;
    this.#ports.store.put(this.#parts.term, groups, (outcome) => {
      if (this.#underWay !== groups) return;
      this.#isCalling = false;
      if (!this.#isOver) this.#answered(outcome, groups);
    });
  }

  #isIn(): void {
    this.#underWay = undefined;
    this.#isCalling = false;
    this.#pump();
  }

  #answered(outcome: PutOutcome, [first]: readonly PlacedGroup[]): void {
    switch (outcome) {
      case "in":
        this.#isIn();
        return;
      case "deposed":
        // What was under way is not in, and this leader puts nothing more; who leads next is told by the store.
        this.#isOver = true;
        return;
      case "taken": {
        this.#isOver = true;
        const text =
          `The store has another group at place ${first?.place}, which this node has not put there as the leader ` +
          "that it is.";
        this.#ports.fail(new Error(text));
        return;
      }
      case "full":
        this.#againAt = this.#ports.now() + FULL_MS;
        return;
      case "unknown":
        this.#againAt = this.#ports.now() + AGAIN_MS;
    }
  }
}
