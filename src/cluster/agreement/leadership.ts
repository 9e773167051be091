import { chainHash, lastSeqOf } from "../../log/chain.ts";
import type { GroupEntry, Origin } from "../entry.ts";
import type { Forward } from "../message.ts";
import type { Course } from "./course.ts";
import type { HeldLog } from "./held-log.ts";
import { BEAT_MS, type Patience, RESEND_MS } from "./pace.ts";
import { type AgreementPorts, hexOf, type Self, type Tail } from "./ports.ts";
import type { Proposal } from "./proposals.ts";

/** Groups that are on their way into the stream at a time. */
const WINDOW = 16;

type Ports = Pick<AgreementPorts, "now" | "timeMs" | "send" | "publish">;

/** A group of commands that no sequencer proposed. */
export type Made = Pick<Proposal, "payload" | "count">;

interface Queued extends Made {
  readonly origin: Origin;
}

/** A group on its way into the stream. */
interface Outstanding {
  readonly streamSeq: number;
  readonly entry: GroupEntry;
  readonly sinceMs: number;
}

interface LeadershipTerms {
  readonly self: Self;
  readonly term: number;
  readonly venueId: string;
  readonly course: Course;
  readonly log: HeldLog;
}

/** What the leader of a term does, from when the log is its own until somebody else leads: it puts groups in order, stamps and publishes them. */
export class Leadership {
  readonly #terms: LeadershipTerms;
  readonly #ports: Ports;
  readonly #queue: Queued[] = [];
  readonly #outstanding: Outstanding[] = [];
  /** The end that the log will have with what is outstanding, and its place in the stream. */
  #tip: Tail;
  #nextStream: number;
  #sentAt = 0;
  #beatAt = 0;
  /** How many proposals of each process were taken. */
  readonly #taken = new Map<string, number>();
  /** What is to be ordered when nothing else is under way. */
  #alone: (() => Made | undefined) | undefined;

  constructor(terms: LeadershipTerms, ports: Ports) {
    this.#terms = terms;
    this.#ports = ports;
    this.#tip = terms.log.tail;
    this.#nextStream = terms.course.next;
  }

  /** A proposal of this process. */
  order({ token, count, payload }: Proposal): void {
    const { node, boot } = this.#terms.self;
    this.#queue.push({ origin: { node, boot, token }, count, payload });
    this.#pump();
  }

  /** `make` gives a group, or nothing, as soon as everything ordered before is committed; nothing is ordered before that. */
  orderAlone(make: () => Made | undefined): void {
    if (this.#alone !== undefined) return;
    this.#alone = make;
    this.#pump();
  }

  /** A proposal of another process, in the order of its session: one that overtook another is taken when it comes again. */
  take({ from, boot, generation, term, nth, token, count, payload }: Forward): void {
    if (term !== this.#terms.term || generation !== this.#terms.course.generation) return;
    const taken = this.#taken.get(boot) ?? 0;
    if (nth === taken + 1) {
      this.#taken.set(boot, nth);
      this.#queue.push({ origin: { node: from, boot, token }, count, payload });
      this.#pump();
    }
    const by = { from: this.#terms.self.node, to: from, boot };
    this.#ports.send({ kind: "taken", ...by, generation, term, nth: Math.max(taken, this.#taken.get(boot) ?? 0) });
  }

  /** The stream was taken over up to `place`. */
  passed(place: number): void {
    const [oldest] = this.#outstanding;
    if (oldest === undefined || oldest.streamSeq > place) return;
    this.#outstanding.shift();
    this.#pump();
  }

  #pump(): void {
    const { course, term } = this.#terms;
    while (this.#outstanding.length < WINDOW) {
      const next = this.#alone === undefined ? this.#queue.shift() : this.#nextAlone(this.#alone);
      if (next === undefined) return;
      const { origin, count, payload } = next;
      const firstSeq = this.#tip.seq + 1;
      const timeMs = Math.max(this.#ports.timeMs(), this.#tip.timeMs);
      const { generation } = course;
      const prevHash = hexOf(this.#tip.hash);
      const entry: GroupEntry = {
        ...{ kind: "group", generation, term, firstSeq, count, timeMs, prevHash, origin, payload },
      };
      const now = this.#ports.now();
      if (this.#outstanding.length === 0) this.#sentAt = now;
      this.#outstanding.push({ streamSeq: this.#nextStream, entry, sinceMs: now });
      this.#tip = { seq: lastSeqOf(entry), hash: chainHash(this.#tip.hash, entry), timeMs };
      this.#ports.publish(course.slot, entry, this.#nextStream - 1);
      this.#nextStream++;
    }
  }

  #nextAlone(make: () => Made | undefined): Queued | undefined {
    const { log, self } = this.#terms;
    if (this.#outstanding.length > 0 || !log.isSettled) return undefined;
    this.#alone = undefined;
    const made = make();
    return made === undefined ? this.#queue.shift() : { ...made, origin: { node: self.node, boot: "", token: 0 } };
  }

  /** Time passes; whether the stream does not take what is ordered. */
  tick(now: number, isLeaving: boolean, patience: Patience): boolean {
    if (now - this.#beatAt >= BEAT_MS) this.beat(isLeaving);
    if (this.#alone !== undefined) this.#pump();
    const [oldest] = this.#outstanding;
    if (oldest === undefined) return false;
    if (patience.isStuck(oldest.sinceMs, now)) return true;
    if (now - this.#sentAt < RESEND_MS) return false;
    this.#sentAt = now;
    const { slot } = this.#terms.course;
    for (const { streamSeq, entry } of this.#outstanding) this.#ports.publish(slot, entry, streamSeq - 1);
    return false;
  }

  /** Tells all that it leads, and how far the log is. */
  beat(isLeaving: boolean): void {
    const { self, term, venueId, course, log } = this.#terms;
    const { seq, hash, timeMs } = log.tail;
    this.#beatAt = this.#ports.now();
    this.#ports.send({
      kind: "beat",
      from: self.node,
      nodes: self.nodes,
      boot: self.boot,
      generation: course.generation,
      term,
      venueId,
      streamSeq: course.next - 1,
      seq,
      hash: hexOf(hash),
      timeMs,
      isLeaving,
    });
  }
}
