/**
 * How nodes agree on one log: rules alone, without a socket, disk or timer of their own. What happens is told by methods, what is to be
 * done goes out through ports. Why it is so: docs/decisions/0018-the-order-in-jetstream.md.
 *
 * Here stands which rule comes when: what each of them keeps lies in its own module.
 */
import type { LogGroup } from "../../log/chain.ts";
import { lastSeqOf } from "../../log/chain.ts";
import type { Entry, GroupEntry, Origin, SeedEntry, TermEntry } from "../entry.ts";
import type { Beat, Message } from "../message.ts";
import { Course } from "./course.ts";
import { FateUnknown, LogsDiffer, NodesDiffer } from "./faults.ts";
import { HeldLog } from "./held-log.ts";
import { Joining } from "./joining.ts";
import type { Made } from "./leadership.ts";
import { BEAT_MS, MISSED_MS, Patience, RESEND_MS, Silence } from "./pace.ts";
import {
  type AgreementOptions,
  type AgreementPorts,
  bytesOf,
  type FetchedGroup,
  hexOf,
  type Leader,
  SLOTS,
  type Tail,
} from "./ports.ts";
import { Promises } from "./promises.ts";
import { Proposals } from "./proposals.ts";
import { Sealing } from "./sealing.ts";
import { Terms } from "./terms.ts";

/** Who starts listens so long for a leader. */
const QUIET_MS = 1_500;
/** Who is not where the log of the others is waits so long for who gives it what is missing. */
const ALIGN_AGAIN_MS = RESEND_MS * 2;
const UNALIGNED_MISSED_MS = MISSED_MS * 4;

export class Agreement {
  readonly #options: AgreementOptions;
  readonly #node: string;
  readonly #ports: AgreementPorts;
  readonly #promises: Promises;
  readonly #log: HeldLog;
  readonly #proposals: Proposals;
  readonly #terms: Terms;
  readonly #joining: Joining;
  readonly #silence: Silence;
  readonly #patience = new Patience();
  /** Nodes with another list of nodes: said once of each. */
  readonly #others = new Set<string>();
  #course: Course | undefined;
  #sealing: Sealing | undefined;
  #positionAt = 0;
  #isConnected = true;
  #hasFailed = false;

  constructor(options: AgreementOptions, ports: AgreementPorts) {
    this.#options = options;
    this.#node = options.node;
    this.#ports = ports;
    this.#promises = new Promises(options.standing, ports);
    this.#log = new HeldLog(options, options.tail, ports);
    this.#proposals = new Proposals(options, ports);
    this.#silence = new Silence(ports.now());
    const parts = { log: this.#log, proposals: this.#proposals, silence: this.#silence, patience: this.#patience };
    this.#terms = new Terms({ self: options, ...parts }, ports);
    this.#joining = new Joining(this.#log, this.#promises, options.venueId, ports);
  }

  get isLeader(): boolean {
    return this.#terms.isLeader;
  }

  /** Name of the node that leads, as far as is known here. */
  get leader(): string | undefined {
    return this.#terms.leader?.node;
  }

  get term(): number {
    return this.#terms.term;
  }

  get generation(): number {
    return this.#promises.adopted;
  }

  /** How far the log stands on the disk. */
  get syncedSeq(): number {
    return this.#log.synced.seq;
  }

  /** How far it is in the log for good, as far as is known here; undefined before a quorum was heard of. */
  get committedSeq(): number | undefined {
    return this.#log.committedSeq;
  }

  /** Whether the log follows the others'. */
  get isAligned(): boolean {
    return this.#course?.isAligned === true;
  }

  /** Where the log ends, be it on the disk or on its way there. */
  get tail(): Tail {
    return this.#log.tail;
  }

  /** Who proposed the group that begins at `firstSeq`, if that is remembered. */
  originOf(firstSeq: number): Origin | undefined {
    return this.#log.originOf(firstSeq);
  }

  /** The payload is lent until the group is committed. What is proposed is committed in that order. */
  propose(payload: Uint8Array, count: number, token: number): void {
    this.#terms.propose({ token, count, payload }, this.#course);
  }

  /**
   * Lets the leader order a group by itself, that no sequencer proposed: `make` gives it as soon as everything ordered before is committed,
   * and nothing is ordered before it is; undefined: it is not wanted any more. What comes meanwhile follows it. Given up when this node no
   * longer leads.
   */
  orderAlone(make: () => Made | undefined): void {
    this.#terms.leadership?.orderAlone(make);
  }

  /** The connection to the servers is there again, or gone. */
  connection(isUp: boolean): void {
    this.#isConnected = isUp;
    this.#silence.beginAnew(this.#ports.now());
  }

  /** This node is about to stop: another one may lead. */
  leave(): void {
    this.#terms.leave();
  }

  /** To be called every 20 to 50 ms. */
  tick(): void {
    if (this.#hasFailed || !this.#isConnected) return;
    const now = this.#ports.now();
    this.#silence.tick(now);
    if (now - this.#positionAt >= BEAT_MS) this.#tellPosition();
    if (this.#sealing !== undefined) this.#tickSealing(this.#sealing, now);
    else if (this.#course === undefined) {
      if (this.#silence.sinceLooking(now) > QUIET_MS) this.#sealNext("No node leads");
    } else if (!this.#course.isAligned) {
      if (now - this.#course.askedAt > ALIGN_AGAIN_MS) this.#align();
      if (this.#silence.sinceHeard(now) > UNALIGNED_MISSED_MS) this.#sealNext("No node leads");
    } else {
      const why = this.#terms.tick(this.#course, now);
      if (why !== undefined) this.#sealNext(why);
    }
  }

  received(message: Message): void {
    if (this.#hasFailed || message.from === this.#node) return;
    if ("nodes" in message && String(message.nodes) !== String(this.#options.nodes)) {
      this.#refuseOtherNodes(message.from, message.nodes);
      return;
    }
    if (!this.#options.nodes.includes(message.from)) return;
    switch (message.kind) {
      case "beat":
        this.#hear(message);
        return;
      case "position":
        if (this.#log.heard(message, this.#course?.generation)) this.#commitAndGoOn();
        return;
      case "forward":
        this.#terms.leadership?.take(message);
        return;
      case "taken":
        this.#proposals.heardTaken(message);
        return;
      case "seal":
        if (message.generation > this.#promises.promised) this.#seal(message.generation);
        else if (this.#sealing?.generation === message.generation) this.#answer(this.#sealing);
        return;
      case "sealed":
        if (message.generation > this.#promises.promised) this.#seal(message.generation);
        if (this.#sealing?.generation !== message.generation) return;
        this.#sealing.answered(message);
        this.#settle(this.#sealing);
    }
  }

  /** Who serves with the others of its list goes on, and whoever comes with another one is the one to end. */
  #refuseOtherNodes(node: string, nodes: readonly string[]): void {
    const error = new NodesDiffer(node, nodes, this.#options.nodes);
    if (!this.isAligned) this.#fail(error);
    else if (!this.#others.has(node)) this.#ports.note(error.message);
    this.#others.add(node);
  }

  // --- The stream -------------------------------------------------------------------------------------------------------------

  /** An entry of a stream. They may come in any order and more than once. */
  entered(slot: number, streamSeq: number, entry: Entry): void {
    if (this.#hasFailed) return;
    const course = this.#course;
    if (entry.kind === "seed" && entry.generation > (course?.generation ?? this.#promises.promised - 1)) {
      if (entry.generation >= this.#promises.promised) this.#follow(slot, streamSeq, entry);
      return;
    }
    if (course === undefined || slot !== course.slot || entry.generation !== course.generation) return;
    if (streamSeq < course.next) return;
    course.hold(streamSeq, entry);
    if (course.isAligned) this.#takeOver(course);
  }

  /** A publication did not go in: the stream ends at `last` instead, or undefined: it was not to be had. */
  refused(slot: number, last: number | undefined): void {
    const course = this.#course;
    if (course === undefined || slot !== course.slot || last === undefined) return;
    if (last >= course.next) course.readUpTo(last);
    else if (last < course.next - 1) {
      const text = `A stream that held ${course.next - 1} entries ends at ${last}: it was cut back, and is left. The log goes on from the disks of the nodes`;
      this.#sealNext(text);
    }
  }

  /** Entries are no longer in the stream: they must come from other nodes, as they are by the leader's next beat. */
  missing(slot: number): void {
    if (this.#course?.slot !== slot || this.#terms.isLeader) return;
    this.#leaveCourse();
  }

  /** What the disk has no room for yet stays in the stream until something is committed. A leader whose disk hangs is followed by another one. */
  #takeOver(course: Course): void {
    while (this.#course === course && !this.#hasFailed && !this.#log.isFull) {
      const entry = course.take();
      if (entry === undefined) return;
      if (entry.kind === "group") this.#takeOverGroup(entry, course.next - 1);
      else if (entry.kind === "term") this.#takeOverTerm(entry);
    }
  }

  /**
   * What a deposed leader might have got into the stream behind the next one's term does not count, nor does what does not continue the
   * log: all nodes see the same entries, and pass over the same ones.
   */
  #takeOverGroup({ term, prevHash, origin, payload, firstSeq, count, timeMs }: GroupEntry, place: number): void {
    const { tail } = this.#log;
    const { leadership } = this.#terms;
    const continues = firstSeq === tail.seq + 1 && prevHash === hexOf(tail.hash);
    if (term === this.#terms.leader?.term && continues) {
      this.#terms.heardOrder();
      this.#append({ firstSeq, count, timeMs, payload }, origin);
    }
    leadership?.passed(place);
  }

  #takeOverTerm({ term, node, boot }: TermEntry): void {
    if (term <= this.term) return;
    this.#terms.begin({ term, node, boot }, this.#course as Course, this.#joining.venueId as string);
  }

  /** Puts a group behind the log, and lets go of what was proposed here when it is one's own. */
  #append(group: LogGroup, origin: Origin | undefined): void {
    const isOwn = origin?.node === this.#node && origin.boot === this.#options.boot;
    if (isOwn) {
      const first = this.#proposals.settle();
      if (first !== origin.token) {
        this.#fail(new Error(`Proposal ${origin.token} came into the log when ${first} was the next one.`));
        return;
      }
    }
    this.#log.append(group, origin, isOwn ? origin.token : undefined);
  }

  /** Everything up to `seq` is on the disk. */
  stored(seq: number): void {
    this.#log.stored(seq);
    this.#tellPosition();
    if (this.#sealing !== undefined) this.#answer(this.#sealing);
    this.#commitAndGoOn();
  }

  #tellPosition(): void {
    const course = this.#course;
    if (course?.isAligned !== true) return;
    this.#positionAt = this.#ports.now();
    const { seq, hash } = this.#log.synced;
    this.#ports.send({ kind: "position", from: this.#node, generation: course.generation, seq, hash: hexOf(hash) });
  }

  /** What is committed makes room for what waits in the stream. */
  #commitAndGoOn(): void {
    this.#commit();
    if (this.#course?.isAligned === true) this.#takeOver(this.#course);
  }

  #commit(): void {
    const course = this.#course;
    if (course?.isAligned !== true || this.#hasFailed) return;
    const fault = this.#log.commit(course.generation);
    if (fault !== undefined) this.#fail(fault);
  }

  // --- Who leads --------------------------------------------------------------------------------------------------------------

  #hear(beat: Beat): void {
    const { promised } = this.#promises;
    if (beat.generation < promised) {
      // It has not heard yet that its generation is over.
      this.#ports.send({ kind: "seal", from: this.#node, nodes: this.#options.nodes, generation: promised });
      return;
    }
    const course = this.#course;
    if (course === undefined || course.generation < beat.generation) {
      this.#terms.know({ term: beat.term, node: beat.from, boot: beat.boot });
      const from = { seq: beat.seq, hash: bytesOf(beat.hash), timeMs: beat.timeMs };
      this.#attach({ generation: beat.generation, next: beat.streamSeq + 1, from }, beat.venueId);
      return;
    }
    if (beat.generation > course.generation || beat.term < this.term) return;
    this.#terms.heardBeat(beat);
    if (course.isAligned && beat.streamSeq >= course.next) course.readUpTo(beat.streamSeq);
    else if (course.isAligned && beat.streamSeq === course.next - 1 && beat.hash !== hexOf(this.#log.tail.hash)) {
      this.#fail(new LogsDiffer(beat.seq, beat.from));
    }
  }

  // --- Generations ------------------------------------------------------------------------------------------------------------

  #sealNext(why: string): void {
    const generation = this.#promises.promised + 1;
    this.#ports.note(`${why}: generation ${generation} of the log begins.`);
    this.#seal(generation);
  }

  /** Promises to store nothing of older generations, and asks all others to. */
  #seal(generation: number): void {
    this.#promises.promise(generation);
    this.#leaveCourse();
    const sealing = new Sealing(generation, this.#options, this.#ports);
    this.#sealing = sealing;
    this.#answer(sealing);
  }

  /** Where the log ends, as soon as all of it is on the disk. */
  #answer(sealing: Sealing): void {
    if (!this.#log.isSynced || this.#joining.isBeginning) return;
    const { seq, hash, timeMs } = this.#log.tail;
    const answer = {
      kind: "sealed",
      from: this.#node,
      nodes: this.#options.nodes,
      generation: sealing.generation,
      adopted: this.#promises.adopted,
      term: this.term,
      venueId: this.#joining.venueId,
      seq,
      hash: hexOf(hash),
      timeMs,
    } as const;
    sealing.answered(answer);
    this.#ports.send(answer);
    this.#settle(sealing);
  }

  #settle(sealing: Sealing): void {
    if (this.#sealing !== sealing) return;
    const fault = sealing.settle();
    if (fault !== undefined) this.#fail(fault);
  }

  #tickSealing(sealing: Sealing, now: number): void {
    if (sealing.asksAgain(now)) this.#answer(sealing);
    this.#settle(sealing);
    if (this.#sealing === sealing && sealing.isStuck(now, this.#patience))
      this.#sealNext("The next stream does not take the log either");
  }

  #leaveCourse(): void {
    this.#terms.end();
    this.#course = undefined;
    this.#silence.startLooking(this.#ports.now());
  }

  #follow(slot: number, streamSeq: number, seed: SeedEntry): void {
    const { generation, term, node, boot, venueId, seq, hash, timeMs } = seed;
    if (slot !== generation % SLOTS) return;
    this.#leaveCourse();
    this.#terms.know({ term, node, boot });
    this.#attach({ generation, next: streamSeq + 1, from: { seq, hash: bytesOf(hash), timeMs } }, venueId);
  }

  #attach(to: { readonly generation: number; readonly next: number; readonly from: Tail }, venueId: string): void {
    const fault = this.#joining.refusalOf(venueId);
    if (fault !== undefined) {
      this.#fail(fault);
      return;
    }
    const { generation } = to;
    const before = this.#course;
    this.#leaveCourse();
    this.#sealing = undefined;
    if (generation > this.#promises.promised) this.#promises.promise(generation);
    this.#course = new Course({ ...to, slot: generation % SLOTS }, this.#ports, before);
    this.#joining.beginIfNone(venueId, to.from.seq);
    this.#align();
  }

  // --- The log comes to where the others' is --------------------------------------------------------------------------------------

  /** Groups behind the tail, from another node. */
  fetched(groups: readonly FetchedGroup[]): void {
    const course = this.#course;
    if (course === undefined || course.isAligned || this.#hasFailed) return;
    for (const { origin, ...group } of groups) {
      if (group.firstSeq !== this.#log.tail.seq + 1 || lastSeqOf(group) > course.from.seq) continue;
      if (origin === undefined && this.#proposals.areOut) {
        this.#fail(new FateUnknown());
        return;
      }
      this.#append(group, origin);
    }
    this.#align();
  }

  /** What other nodes have behind seq `seq` does not continue this log. */
  strayed(seq: number): void {
    const course = this.#course;
    if (course === undefined || course.isAligned || seq !== this.#log.tail.seq) return;
    const outcome = this.#joining.cutBack(course, seq - 1, this.leader ?? "?");
    if (outcome instanceof Error) this.#fail(outcome);
  }

  /** The log was made, or cut back, and ends here. */
  began(venueId: string, tail: Tail): void {
    this.#joining.began(venueId, tail);
    this.#align();
    const sealing = this.#sealing;
    if (sealing !== undefined) this.#answer(sealing);
  }

  /** Brings the log to where the generation, or what is known of it, begins, and takes the stream over from there. */
  #align(): void {
    const course = this.#course;
    if (course === undefined || course.isAligned || this.#joining.isBeginning || this.#hasFailed) return;
    const leader = this.#terms.leader as Leader;
    const outcome = this.#joining.align(course, leader.node);
    if (outcome instanceof Error) this.#fail(outcome);
    // The beat was older than the log's end: the next one is not.
    if (outcome === "outdated") this.#leaveCourse();
    if (outcome !== "aligned") return;
    course.align();
    this.#patience.seeded();
    this.#tellPosition();
    this.#terms.begin(leader, course, this.#joining.venueId as string);
    this.#commitAndGoOn();
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#terms.end();
    this.#ports.fail(error);
  }
}
