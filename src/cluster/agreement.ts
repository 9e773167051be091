/**
 * How nodes agree on one log: rules alone, without a socket, disk or timer of their own. What happens is told by methods, what is to be
 * done goes out through ports. Why it is so: docs/decisions/0018-the-order-in-jetstream.md.
 */
import { chainHash, type LogGroup, lastSeqOf } from "../log/chain.ts";
import type { Entry, GroupEntry, Origin, SeedEntry, TermEntry } from "./entry.ts";
import type { Beat, Forward, Message, Sealed, Taken } from "./message.ts";

/** Streams that generations go round in: where one is stuck, the next one has another leader among the servers. */
export const SLOTS = 3;

/** The leader is heard this often. */
const BEAT_MS = 100;
/** Who has not heard of it for so long wants to lead; each further node in the row waits longer, so that they do not all want it at once. */
const MISSED_MS = 700;
const RANK_MS = 250;
/** What was published and is not seen in the stream is published again, in the same place. */
const RESEND_MS = 200;
/** A stream in which nothing moves for so long is left. Twice as long after each time, for machines that are merely slow. */
const STALL_MS = 800;
const STALL_MAX_MS = 6_400;
/** With so long a time without a stall it is as at first. */
const STALL_FORGIVEN_MS = 60_000;
/** A quorum waits so long for the rest, whose log may be longer. */
const GATHER_MS = 150;
/** A generation that does not begin within this time is followed by the next one; twice as long is waited for each further one. */
const SEED_MS = 600;
const SEED_MAX_MS = 9_600;
/** Who starts listens so long for a leader. */
const QUIET_MS = 1_500;
/** Groups that are on their way into the stream at a time. */
const WINDOW = 16;
/** Groups whose origin is remembered, for nodes that must read them from here. */
const REMEMBERED = 4_096;
/** Entries that may lie ready while those before them are fetched; what comes beyond is fetched later. */
const AHEAD_MAX = 1_024;
/** Whose own turn of the clock was so late has heard nothing meanwhile either, and must not hold it against others. */
const OWN_DELAY_MS = 250;

/** What a node has on its disk beside the log: both are there before anything is done by them. */
export interface Standing {
  /** Nothing of an older generation is stored any more. */
  readonly promised: number;
  /** The generation that the end of the log belongs to. */
  readonly adopted: number;
}

/** The end of a log. */
export interface Tail {
  readonly seq: number;
  readonly hash: Uint8Array;
  readonly timeMs: number;
}

/** A group as another node's log has it, and who proposed it if that is still known there. */
export interface FetchedGroup extends LogGroup {
  readonly origin: Origin | undefined;
}

/** What an agreement does. None of it may call back before it returns. */
export interface AgreementPorts {
  /** A clock that only runs on, ms. */
  now(): number;
  /** What groups are stamped with, ms since 1970. */
  timeMs(): number;
  /** To all nodes, or to `to`. May be lost. */
  send(message: Message): void;
  /** Puts an entry into a stream if that ends at `expected`. Tried once; what became of it is told by `entered`, or never. */
  publish(slot: number, entry: Entry, expected: number): void;
  /** Puts a seed at the end of a stream unless one of its generation, or of a later one, is there; tells what is. */
  seed(slot: number, entry: SeedEntry): void;
  /** Reads entries, both ends included, and tells them by `entered`. */
  readEntries(slot: number, from: number, to: number): void;
  /** Asks other nodes for the groups behind `tail` up to `toSeq`: by `fetched`, or `strayed` if theirs do not continue it. */
  readGroups(tail: Tail, toSeq: number): void;
  /** Makes a log of that venue, in which what the others know up to `seq` may come as a snapshot: by `began`. */
  begin(venueId: string, seq: number): void;
  /** Takes all groups that end behind `seq` out of the log, which nobody was told of: by `began`. False: they are applied. */
  cut(seq: number): boolean;
  /** Hands a group to the disk; by `stored` it is there. */
  store(group: LogGroup): void;
  /** On the disk when it returns. */
  promise(standing: Standing): void;
  /** The group is in the log for good. `token` is what this process calls it, if it proposed it. */
  commit(group: LogGroup, token: number | undefined): void;
  /** This node leads from now on, or no longer. */
  leads(isLeader: boolean): void;
  /** What an operator should know, as a sentence. */
  note(text: string): void;
  /** The process has to end; started again it finds its way. */
  fail(error: Error): void;
}

export interface AgreementOptions {
  readonly node: string;
  /** All nodes, this one included, in the same order everywhere. */
  readonly nodes: readonly string[];
  readonly boot: string;
  readonly standing: Standing;
  /** Undefined: there is no log yet. */
  readonly venueId: string | undefined;
  readonly tail: Tail;
  /** What stands before the first group of a venue's log. */
  readonly genesisOf: (venueId: string) => Uint8Array;
}

/** A generation that this node follows. */
interface Course {
  readonly generation: number;
  readonly slot: number;
  /** The next entry to be taken over. */
  next: number;
  /** The log must come to this before anything is taken over. */
  readonly from: Tail;
  isAligned: boolean;
  askedAt: number;
}

interface Leader {
  readonly term: number;
  readonly node: string;
  readonly boot: string;
}

interface Proposal {
  readonly token: number;
  readonly count: number;
  readonly payload: Uint8Array;
  /** Its number in the session with the leader, from 1; 0: it has not gone out in this one. */
  nth: number;
  /** It may have left this node. */
  isOut: boolean;
}

/** A group that was handed to the disk. */
interface Pending {
  readonly group: LogGroup;
  readonly token: number | undefined;
  readonly end: Tail;
}

/** A group on its way into the stream. */
interface Outstanding {
  readonly streamSeq: number;
  readonly entry: GroupEntry;
  readonly sinceMs: number;
}

interface Leading {
  readonly term: number;
  readonly queue: { readonly origin: Origin; readonly count: number; readonly payload: Uint8Array }[];
  readonly outstanding: Outstanding[];
  /** The end that the log will have with what is outstanding, and its place in the stream. */
  tip: Tail;
  nextStream: number;
  sentAt: number;
  beatAt: number;
  /** How many proposals of each process were taken. */
  readonly taken: Map<string, number>;
  /** What is to be ordered when nothing else is under way. */
  alone: (() => { readonly payload: Uint8Array; readonly count: number }) | undefined;
}

interface Candidacy {
  readonly term: number;
  readonly expected: number;
  readonly sinceMs: number;
  sentAt: number;
}

interface Sealing {
  readonly generation: number;
  readonly sinceMs: number;
  readonly answers: Map<string, Sealed>;
  /** When a quorum had answered. */
  quorumAt: number | undefined;
  seededAt: number | undefined;
  saidAt: number;
}

/** How one process puts its proposals to the leader of a term. */
interface Session {
  readonly generation: number;
  readonly term: number;
  readonly to: string;
  /** So many proposals have gone out, and so many of them were taken. */
  sent: number;
  taken: number;
  sentAt: number;
}

/** The end of this log is not the others' log; at the next start it is taken away. */
export class TailStrayed extends Error {
  constructor(seq: number) {
    super(
      `The log of this node up to seq ${seq} has commands at its end that no quorum of nodes holds, and the others went on without them. ` +
        "Nobody was told of them; a start takes them out.",
    );
    this.name = "TailStrayed";
  }
}

/** Nobody here knows which of the proposals that are under way were taken. */
export class FateUnknown extends Error {
  constructor() {
    super(
      "This node was away for so long that what became of its commands under way cannot be told; a start begins anew.",
    );
    this.name = "FateUnknown";
  }
}

/** Two nodes hold other groups at the same seq of one generation: neither may go on by itself. */
export class LogsDiffer extends Error {
  constructor(seq: number, node: string) {
    super(`At seq ${seq} the log of node ${node} is not the one of this node, although both read one stream.`);
    this.name = "LogsDiffer";
  }
}

/** Each node would wait for a quorum of its own, and there could be two of them. */
export class NodesDiffer extends Error {
  constructor(node: string, theirs: unknown, own: readonly string[]) {
    super(
      `Node ${node} was started with the nodes ${String(theirs)}, this one with ${own.join()}: all nodes of a venue need the same list, in the same order.`,
    );
    this.name = "NodesDiffer";
  }
}

export class Agreement {
  readonly #node: string;
  readonly #nodes: readonly string[];
  readonly #boot: string;
  readonly #quorum: number;
  readonly #ports: AgreementPorts;
  readonly #genesisOf: (venueId: string) => Uint8Array;
  #standing: Standing;
  #venueId: string | undefined;
  /** The end of what was handed to the disk, and how far it is there. */
  #tail: Tail;
  #synced: Tail;
  #committedSeq: number | undefined;
  /** Handed to the disk and not yet in the log for good. */
  readonly #pending: Pending[] = [];
  #pendingSynced = 0;
  readonly #positions = new Map<string, { readonly generation: number; readonly seq: number; readonly hash: string }>();
  readonly #origins = new Map<number, Origin>();
  /** Ends of the latest groups: what others say of them is held against this. */
  readonly #hashes = new Map<number, string>();
  /** Nodes with another list of nodes: said once of each. */
  readonly #others = new Set<string>();
  #course: Course | undefined;
  readonly #ahead = new Map<number, Entry>();
  #leader: Leader | undefined;
  #leading: Leading | undefined;
  #candidacy: Candidacy | undefined;
  #sealing: Sealing | undefined;
  #session: Session | undefined;
  readonly #proposals: Proposal[] = [];
  #heardAt: number;
  #tickedAt: number;
  #startedAt: number;
  #positionAt = 0;
  #stallMs = STALL_MS;
  #seedMs = SEED_MS;
  #stalledAt = Number.NEGATIVE_INFINITY;
  #isBeginning = false;
  #isConnected = true;
  #isLeaving = false;
  #hasFailed = false;

  constructor(options: AgreementOptions, ports: AgreementPorts) {
    const { node, nodes, boot, standing, venueId, tail } = options;
    this.#genesisOf = options.genesisOf;
    this.#node = node;
    this.#nodes = nodes;
    this.#boot = boot;
    this.#quorum = Math.floor(nodes.length / 2) + 1;
    this.#ports = ports;
    this.#standing = standing;
    this.#venueId = venueId;
    this.#tail = tail;
    this.#synced = tail;
    const now = ports.now();
    this.#heardAt = now;
    this.#tickedAt = now;
    this.#startedAt = now;
  }

  get isLeader(): boolean {
    return this.#leading !== undefined;
  }

  /** Name of the node that leads, as far as is known here. */
  get leader(): string | undefined {
    return this.#leader?.node;
  }

  get term(): number {
    return this.#leader?.term ?? 0;
  }

  get generation(): number {
    return this.#standing.adopted;
  }

  get venueId(): string | undefined {
    return this.#venueId;
  }

  /** How far the log stands on the disk. */
  get syncedSeq(): number {
    return this.#synced.seq;
  }

  /** How far it is in the log for good, as far as is known here; undefined before a quorum was heard of. */
  get committedSeq(): number | undefined {
    return this.#committedSeq;
  }

  /** Whether the log follows the others'. */
  get isAligned(): boolean {
    return this.#course?.isAligned === true;
  }

  /** Where the log ends, be it on the disk or on its way there. */
  get tail(): Tail {
    return this.#tail;
  }

  /** Who proposed the group that begins at `firstSeq`, if that is remembered. */
  originOf(firstSeq: number): Origin | undefined {
    return this.#origins.get(firstSeq);
  }

  /** The payload is lent until the group is committed. What is proposed is committed in that order. */
  propose(payload: Uint8Array, count: number, token: number): void {
    const proposal = { token, count, payload, nth: 0, isOut: false };
    this.#proposals.push(proposal);
    if (this.#leading !== undefined) this.#takeOwn(this.#leading, proposal);
    else this.#forward();
  }

  /**
   * Lets the leader order a group by itself, that no sequencer proposed: `make` gives it as soon as everything ordered before is committed,
   * and nothing is ordered before it is. What comes meanwhile follows it. Given up when this node no longer leads.
   */
  orderAlone(make: () => { readonly payload: Uint8Array; readonly count: number }): void {
    const leading = this.#leading;
    if (leading === undefined || leading.alone !== undefined) return;
    leading.alone = make;
    this.#pump(leading);
  }

  /** The connection to the servers is there again, or gone. */
  connection(isUp: boolean): void {
    this.#isConnected = isUp;
    const now = this.#ports.now();
    this.#heardAt = now;
    this.#startedAt = now;
    this.#tickedAt = now;
  }

  /** This node is about to stop: another one may lead. */
  leave(): void {
    this.#isLeaving = true;
    if (this.#leading !== undefined) this.#beat(this.#leading);
  }

  /** To be called every 20 to 50 ms. */
  tick(): void {
    if (this.#hasFailed || !this.#isConnected) return;
    const now = this.#ports.now();
    const delay = now - this.#tickedAt;
    this.#tickedAt = now;
    if (delay > OWN_DELAY_MS) {
      this.#heardAt += delay;
      this.#startedAt += delay;
    }
    if (now - this.#positionAt >= BEAT_MS) this.#tellPosition();
    if (this.#sealing !== undefined) this.#tickSealing(this.#sealing, now);
    else if (this.#course === undefined) {
      if (now - this.#startedAt > QUIET_MS) this.#sealNext("No node leads");
    } else if (!this.#course.isAligned) {
      if (now - this.#course.askedAt > RESEND_MS * 2) this.#align();
      if (now - this.#heardAt > MISSED_MS * 4) this.#sealNext("No node leads");
    } else if (this.#leading !== undefined) this.#tickLeading(this.#leading, now);
    else if (this.#candidacy !== undefined) this.#tickCandidacy(this.#candidacy, now);
    else this.#tickFollowing(now);
  }

  /** An entry of a stream. They may come in any order and more than once. */
  entered(slot: number, streamSeq: number, entry: Entry): void {
    if (this.#hasFailed) return;
    if (entry.kind === "seed" && entry.generation > (this.#course?.generation ?? this.#standing.promised - 1)) {
      if (entry.generation >= this.#standing.promised) this.#follow(slot, streamSeq, entry);
      return;
    }
    const course = this.#course;
    if (course === undefined || slot !== course.slot || entry.generation !== course.generation) return;
    if (streamSeq < course.next) return;
    if (this.#ahead.size < AHEAD_MAX) this.#ahead.set(streamSeq, entry);
    if (!course.isAligned) return;
    if (streamSeq > course.next && !this.#ahead.has(course.next)) this.#readUpTo(course, streamSeq - 1);
    this.#takeOver(course);
  }

  /** A publication did not go in: the stream ends at `last` instead, or undefined: it was not to be had. */
  refused(slot: number, last: number | undefined): void {
    const course = this.#course;
    if (course === undefined || slot !== course.slot || last === undefined) return;
    if (last >= course.next) this.#readUpTo(course, last);
    else if (last < course.next - 1) {
      const text = `A stream that held ${course.next - 1} entries ends at ${last}: it was cut back, and is left. The log goes on from the disks of the nodes`;
      this.#sealNext(text);
    }
  }

  /** Entries are no longer in the stream: they must come from other nodes, as they are by the leader's next beat. */
  missing(slot: number): void {
    if (this.#course?.slot !== slot || this.#leading !== undefined) return;
    this.#leaveCourse();
  }

  /** Groups behind the tail, from another node. */
  fetched(groups: readonly FetchedGroup[]): void {
    const course = this.#course;
    if (course === undefined || course.isAligned || this.#hasFailed) return;
    for (const { origin, ...group } of groups) {
      if (group.firstSeq !== this.#tail.seq + 1 || lastSeqOf(group) > course.from.seq) continue;
      if (origin === undefined && this.#proposals.some(({ isOut }) => isOut)) {
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
    if (course === undefined || course.isAligned || seq !== this.#tail.seq) return;
    this.#cutBack(course, seq - 1);
  }

  /** The log was made, or cut back, and ends here. */
  began(venueId: string, tail: Tail): void {
    this.#isBeginning = false;
    this.#venueId = venueId;
    this.#tail = tail;
    this.#synced = tail;
    this.#hashes.clear();
    this.#align();
    const sealing = this.#sealing;
    if (sealing !== undefined) this.#answer(sealing);
  }

  /** Everything up to `seq` is on the disk. */
  stored(seq: number): void {
    while (this.#pendingSynced < this.#pending.length) {
      const { end } = this.#pending[this.#pendingSynced] as Pending;
      if (end.seq > seq) break;
      this.#pendingSynced++;
      this.#synced = end;
    }
    this.#tellPosition();
    if (this.#sealing !== undefined) this.#answer(this.#sealing);
    this.#commit();
  }

  received(message: Message): void {
    if (this.#hasFailed || message.from === this.#node) return;
    if ("nodes" in message && String(message.nodes) !== String(this.#nodes)) {
      this.#refuseOtherNodes(message.from, message.nodes);
      return;
    }
    if (!this.#nodes.includes(message.from)) return;
    switch (message.kind) {
      case "beat":
        this.#hear(message);
        return;
      case "position":
        this.#note(message);
        return;
      case "forward":
        this.#take(message);
        return;
      case "taken":
        this.#heardTaken(message);
        return;
      case "seal":
        if (message.generation > this.#standing.promised) this.#seal(message.generation);
        else if (this.#sealing?.generation === message.generation) this.#answer(this.#sealing);
        return;
      case "sealed":
        if (message.generation > this.#standing.promised) this.#seal(message.generation);
        if (this.#sealing?.generation !== message.generation) return;
        this.#sealing.answers.set(message.from, message);
        this.#settle(this.#sealing);
    }
  }

  /** Who serves with the others of its list goes on, and whoever comes with another one is the one to end. */
  #refuseOtherNodes(node: string, nodes: readonly string[]): void {
    const error = new NodesDiffer(node, nodes, this.#nodes);
    if (this.#course?.isAligned !== true) this.#fail(error);
    else if (!this.#others.has(node)) this.#ports.note(error.message);
    this.#others.add(node);
  }

  // --- The stream -------------------------------------------------------------------------------------------------------------

  #readUpTo(course: Course, to: number): void {
    const now = this.#ports.now();
    if (now - course.askedAt < BEAT_MS / 2) return;
    course.askedAt = now;
    this.#ports.readEntries(course.slot, course.next, to);
  }

  #takeOver(course: Course): void {
    for (;;) {
      const entry = this.#ahead.get(course.next);
      if (entry === undefined || this.#course !== course || this.#hasFailed) return;
      this.#ahead.delete(course.next);
      course.next++;
      if (entry.kind === "group") this.#takeOverGroup(entry);
      else if (entry.kind === "term") this.#takeOverTerm(entry);
    }
  }

  /**
   * What a deposed leader might have got into the stream behind the next one's term does not count, nor does what does not continue the
   * log: all nodes see the same entries, and pass over the same ones.
   */
  #takeOverGroup({ term, prevHash, origin, payload, firstSeq, count, timeMs }: GroupEntry): void {
    const place = (this.#course as Course).next - 1;
    const leading = this.#leading;
    const own = leading?.outstanding[0];
    const continues = firstSeq === this.#tail.seq + 1 && prevHash === hexOf(this.#tail.hash);
    if (term === this.#leader?.term && continues) {
      this.#heardAt = this.#ports.now();
      this.#candidacy = undefined;
      this.#append({ firstSeq, count, timeMs, payload }, origin);
    }
    if (leading === undefined || own === undefined || own.streamSeq > place) return;
    leading.outstanding.shift();
    this.#pump(leading);
  }

  #takeOverTerm({ term, node, boot }: TermEntry): void {
    if (term <= (this.#leader?.term ?? 0)) return;
    this.#install({ term, node, boot });
  }

  /** What was proposed in earlier terms and has not been seen by now never will be: it is proposed again. */
  #install(leader: Leader): void {
    this.#leader = leader;
    this.#candidacy = undefined;
    this.#heardAt = this.#ports.now();
    const isOwn = leader.node === this.#node && leader.boot === this.#boot;
    if (!isOwn) {
      this.#stopLeading();
      this.#forward();
      return;
    }
    const { next } = this.#course as Course;
    const leading: Leading = {
      term: leader.term,
      ...{
        queue: [],
        outstanding: [],
        tip: this.#tail,
        nextStream: next,
        sentAt: 0,
        beatAt: 0,
        taken: new Map(),
        alone: undefined,
      },
    };
    this.#leading = leading;
    this.#beat(leading);
    for (const proposal of this.#proposals) this.#takeOwn(leading, proposal);
    this.#ports.leads(true);
  }

  #stopLeading(): void {
    if (this.#leading === undefined) return;
    this.#leading = undefined;
    this.#ports.leads(false);
  }

  /** Puts a group behind the log, and lets go of what was proposed here when it is one's own. */
  #append(group: LogGroup, origin: Origin | undefined): void {
    const { firstSeq, timeMs } = group;
    const end = { seq: lastSeqOf(group), hash: chainHash(this.#tail.hash, group), timeMs };
    this.#tail = end;
    remember(this.#hashes, end.seq, hexOf(end.hash));
    if (origin !== undefined) remember(this.#origins, firstSeq, origin);
    const isOwn = origin?.node === this.#node && origin.boot === this.#boot;
    if (isOwn) {
      const first = this.#proposals.shift();
      if (first?.token !== origin.token) {
        this.#fail(new Error(`Proposal ${origin.token} came into the log when ${first?.token} was the next one.`));
        return;
      }
    }
    this.#pending.push({ group, token: isOwn ? origin.token : undefined, end });
    this.#ports.store(group);
  }

  // --- What is in the log for good --------------------------------------------------------------------------------------------

  #tellPosition(): void {
    const course = this.#course;
    if (course?.isAligned !== true) return;
    this.#positionAt = this.#ports.now();
    const { seq, hash } = this.#synced;
    const { generation } = course;
    this.#ports.send({ kind: "position", from: this.#node, generation, seq, hash: hexOf(hash) });
  }

  #note({ from, generation, seq, hash }: { from: string; generation: number; seq: number; hash: string }): void {
    const known = this.#positions.get(from);
    if (known !== undefined && known.generation === generation && known.seq > seq) {
      // It lost what it had said to hold: only a disk that was changed by hand does that.
      if (this.#course?.generation === generation) this.#positions.set(from, { generation, seq, hash });
      return;
    }
    this.#positions.set(from, { generation, seq, hash });
    this.#commit();
  }

  /** The end up to which a quorum holds the log, this node's own disk included or not. */
  #commit(): void {
    const course = this.#course;
    if (course?.isAligned !== true || this.#hasFailed) return;
    const seqs = [this.#synced.seq];
    for (const [node, { generation, seq, hash }] of this.#positions) {
      if (node === this.#node || generation !== course.generation) continue;
      const own = this.#hashes.get(seq);
      if (own !== undefined && own !== hash) {
        this.#fail(new LogsDiffer(seq, node));
        return;
      }
      seqs.push(seq);
    }
    if (seqs.length < this.#quorum) return;
    seqs.sort((one, other) => other - one);
    const held = Math.min(seqs[this.#quorum - 1] as number, this.#synced.seq);
    if (held > (this.#committedSeq ?? -1)) this.#committedSeq = held;
    const committedSeq = this.#committedSeq as number;
    while (this.#pending.length > 0) {
      const { group, token, end } = this.#pending[0] as Pending;
      if (end.seq > committedSeq || this.#pendingSynced === 0) return;
      this.#pending.shift();
      this.#pendingSynced--;
      this.#ports.commit(group, token);
    }
  }

  // --- Proposing --------------------------------------------------------------------------------------------------------------

  #takeOwn(leading: Leading, proposal: Proposal): void {
    proposal.isOut = true;
    const { token, count, payload } = proposal;
    leading.queue.push({ origin: { node: this.#node, boot: this.#boot, token }, count, payload });
    this.#pump(leading);
  }

  /** To the leader; what it has not taken goes once more. In a term it takes each of them once, in order. */
  #forward(): void {
    const leader = this.#leader;
    const course = this.#course;
    if (leader === undefined || this.#leading !== undefined || course?.isAligned !== true || this.#isStale(leader))
      return;
    const { generation } = course;
    if (this.#session?.generation !== generation || this.#session.term !== leader.term) {
      this.#session = { generation, term: leader.term, to: leader.node, sent: 0, taken: 0, sentAt: 0 };
      for (const proposal of this.#proposals) proposal.nth = 0;
    }
    const session = this.#session;
    for (const proposal of this.#proposals) {
      if (proposal.nth > 0) continue;
      proposal.nth = ++session.sent;
      this.#sendForward(session, proposal);
    }
  }

  #sendForward(session: Session, proposal: Proposal): void {
    proposal.isOut = true;
    session.sentAt = this.#ports.now();
    const { token, count, payload, nth } = proposal;
    const { generation, term, to } = session;
    const own = { from: this.#node, boot: this.#boot };
    this.#ports.send({ kind: "forward", ...own, to, generation, term, nth, token, count, payload });
  }

  /** The process that led has been started anew: nothing can be put to it before it, or another one, leads again. */
  #isStale({ node, boot }: Leader): boolean {
    return node === this.#node && boot !== this.#boot;
  }

  /** In the order of the session: one that overtook another is taken when it comes again. */
  #take({ from, boot, generation, term, nth, token, count, payload }: Forward): void {
    const leading = this.#leading;
    if (leading === undefined || term !== leading.term || generation !== this.#course?.generation) return;
    const taken = leading.taken.get(boot) ?? 0;
    if (nth === taken + 1) {
      leading.taken.set(boot, nth);
      leading.queue.push({ origin: { node: from, boot, token }, count, payload });
      this.#pump(leading);
    }
    const by = { from: this.#node, to: from, boot };
    this.#ports.send({ kind: "taken", ...by, generation, term, nth: Math.max(taken, leading.taken.get(boot) ?? 0) });
  }

  #heardTaken({ boot, to, generation, term, nth }: Taken): void {
    const session = this.#session;
    if (to !== this.#node || boot !== this.#boot) return;
    if (session?.generation !== generation || session.term !== term) return;
    session.taken = Math.max(session.taken, nth);
  }

  #pump(leading: Leading): void {
    const course = this.#course as Course;
    while (leading.outstanding.length < WINDOW) {
      const next = leading.alone === undefined ? leading.queue.shift() : this.#nextAlone(leading);
      if (next === undefined) return;
      const { origin, count, payload } = next;
      const firstSeq = leading.tip.seq + 1;
      const timeMs = Math.max(this.#ports.timeMs(), leading.tip.timeMs);
      const { generation } = course;
      const prevHash = hexOf(leading.tip.hash);
      const entry: GroupEntry = {
        ...{ kind: "group", generation, term: leading.term, firstSeq, count, timeMs, prevHash, origin, payload },
      };
      const now = this.#ports.now();
      if (leading.outstanding.length === 0) leading.sentAt = now;
      leading.outstanding.push({ streamSeq: leading.nextStream, entry, sinceMs: now });
      leading.tip = { seq: lastSeqOf(entry), hash: chainHash(leading.tip.hash, entry), timeMs };
      this.#ports.publish(course.slot, entry, leading.nextStream - 1);
      leading.nextStream++;
    }
  }

  #nextAlone(leading: Leading): Leading["queue"][number] | undefined {
    const { alone, outstanding } = leading;
    if (alone === undefined || outstanding.length > 0 || this.#pending.length > 0) return undefined;
    leading.alone = undefined;
    return { ...alone(), origin: { node: this.#node, boot: "", token: 0 } };
  }

  // --- Time passes ------------------------------------------------------------------------------------------------------------

  #tickLeading(leading: Leading, now: number): void {
    if (now - leading.beatAt >= BEAT_MS) this.#beat(leading);
    if (leading.alone !== undefined) this.#pump(leading);
    const oldest = leading.outstanding[0];
    if (oldest === undefined) return;
    if (this.#isStuck(oldest.sinceMs, now)) {
      this.#sealNext("The stream does not take what the leader orders");
      return;
    }
    if (now - leading.sentAt < RESEND_MS) return;
    leading.sentAt = now;
    const { slot } = this.#course as Course;
    for (const { streamSeq, entry } of leading.outstanding) this.#ports.publish(slot, entry, streamSeq - 1);
  }

  /** A machine that was slow once is given more time; where all is well for a minute, as little as at first. */
  #isStuck(sinceMs: number, now: number): boolean {
    if (now - this.#stalledAt > STALL_FORGIVEN_MS) this.#stallMs = STALL_MS;
    if (now - sinceMs < this.#stallMs) return false;
    this.#stallMs = Math.min(this.#stallMs * 2, STALL_MAX_MS);
    this.#stalledAt = now;
    return true;
  }

  #tickFollowing(now: number): void {
    const course = this.#course as Course;
    this.#forward();
    const session = this.#session;
    if (session !== undefined && now - session.sentAt > RESEND_MS) {
      for (const proposal of this.#proposals) if (proposal.nth > session.taken) this.#sendForward(session, proposal);
    }
    if (this.#isLeaving || now - this.#heardAt < MISSED_MS + this.#rank() * RANK_MS) return;
    const term = (this.#leader?.term ?? 0) + 1;
    this.#candidacy = { term, expected: course.next - 1, sinceMs: now, sentAt: now };
    this.#stand(this.#candidacy);
  }

  /** How many nodes come before this one in the row behind the leader. */
  #rank(): number {
    const { length } = this.#nodes;
    const at = this.#leader === undefined ? -1 : this.#nodes.indexOf(this.#leader.node);
    return (this.#nodes.indexOf(this.#node) - at - 1 + length) % length;
  }

  #tickCandidacy(candidacy: Candidacy, now: number): void {
    const course = this.#course as Course;
    // Somebody has written meanwhile: this place in the stream is taken.
    if (course.next - 1 !== candidacy.expected) {
      this.#candidacy = undefined;
      this.#heardAt = now;
      return;
    }
    if (this.#isStuck(candidacy.sinceMs, now)) {
      this.#sealNext("The stream does not take who wants to lead");
      return;
    }
    if (now - candidacy.sentAt < RESEND_MS) return;
    candidacy.sentAt = now;
    this.#stand(candidacy);
  }

  #stand({ term, expected }: Candidacy): void {
    const { slot, generation } = this.#course as Course;
    const entry: TermEntry = { kind: "term", generation, term, node: this.#node, boot: this.#boot };
    this.#ports.publish(slot, entry, expected);
  }

  #beat(leading: Leading): void {
    const { generation, next } = this.#course as Course;
    const { seq, hash, timeMs } = this.#tail;
    leading.beatAt = this.#ports.now();
    this.#ports.send({
      kind: "beat",
      from: this.#node,
      nodes: this.#nodes,
      boot: this.#boot,
      generation,
      term: leading.term,
      venueId: this.#venueId as string,
      streamSeq: next - 1,
      seq,
      hash: hexOf(hash),
      timeMs,
      isLeaving: this.#isLeaving,
    });
  }

  #hear(beat: Beat): void {
    const now = this.#ports.now();
    if (beat.generation < this.#standing.promised) {
      // It has not heard yet that its generation is over.
      this.#ports.send({ kind: "seal", from: this.#node, nodes: this.#nodes, generation: this.#standing.promised });
      return;
    }
    const course = this.#course;
    if (course === undefined || course.generation < beat.generation) {
      this.#leader = { term: beat.term, node: beat.from, boot: beat.boot };
      this.#heardAt = now;
      const from = { seq: beat.seq, hash: bytesOf(beat.hash), timeMs: beat.timeMs };
      this.#attach(beat.generation, beat.generation % SLOTS, beat.streamSeq + 1, from, beat.venueId);
      return;
    }
    if (beat.generation > course.generation || beat.term < (this.#leader?.term ?? 0)) return;
    this.#heardAt = beat.isLeaving ? now - MISSED_MS : now;
    if (!beat.isLeaving) this.#candidacy = undefined;
    if (course.isAligned && beat.streamSeq >= course.next) this.#readUpTo(course, beat.streamSeq);
    else if (course.isAligned && beat.streamSeq === course.next - 1 && beat.hash !== hexOf(this.#tail.hash)) {
      this.#fail(new LogsDiffer(beat.seq, beat.from));
    }
  }

  // --- Generations ------------------------------------------------------------------------------------------------------------

  #sealNext(why: string): void {
    this.#ports.note(`${why}: generation ${this.#standing.promised + 1} of the log begins.`);
    this.#seal(this.#standing.promised + 1);
  }

  /** Promises to store nothing of older generations, and asks all others to. */
  #seal(generation: number): void {
    this.#standing = { ...this.#standing, promised: generation };
    this.#ports.promise(this.#standing);
    this.#leaveCourse();
    const now = this.#ports.now();
    const sealing = {
      generation,
      sinceMs: now,
      answers: new Map(),
      quorumAt: undefined,
      seededAt: undefined,
      saidAt: now,
    };
    this.#sealing = sealing;
    this.#ports.send({ kind: "seal", from: this.#node, nodes: this.#nodes, generation });
    this.#answer(sealing);
  }

  #leaveCourse(): void {
    this.#stopLeading();
    this.#course = undefined;
    this.#candidacy = undefined;
    this.#ahead.clear();
    this.#startedAt = this.#ports.now();
  }

  /** Where the log ends, as soon as all of it is on the disk. */
  #answer(sealing: Sealing): void {
    if (this.#synced.seq !== this.#tail.seq || this.#isBeginning) return;
    const { seq, hash, timeMs } = this.#tail;
    const answer: Sealed = {
      kind: "sealed",
      from: this.#node,
      nodes: this.#nodes,
      generation: sealing.generation,
      adopted: this.#standing.adopted,
      term: this.#leader?.term ?? 0,
      venueId: this.#venueId,
      seq,
      hash: hexOf(hash),
      timeMs,
    };
    sealing.answers.set(this.#node, answer);
    this.#ports.send(answer);
    this.#settle(sealing);
  }

  #tickSealing(sealing: Sealing, now: number): void {
    if (now - sealing.saidAt >= RESEND_MS) {
      sealing.saidAt = now;
      this.#ports.send({ kind: "seal", from: this.#node, nodes: this.#nodes, generation: sealing.generation });
      this.#answer(sealing);
    }
    this.#settle(sealing);
    if (this.#sealing === sealing && sealing.quorumAt !== undefined && now - sealing.quorumAt > this.#seedMs) {
      this.#seedMs = Math.min(this.#seedMs * 2, SEED_MAX_MS);
      this.#sealNext("The next stream does not take the log either");
    }
  }

  /**
   * Where a quorum has promised, the longest of their logs holds everything that anybody was told of: whoever has it begins the generation.
   * A node without a log counts for nothing, since it may have lost one, unless all are here and the answer is plain.
   */
  #settle(sealing: Sealing): void {
    if (this.#sealing !== sealing) return;
    const answers = [...sealing.answers.values()];
    const areAll = answers.length === this.#nodes.length;
    const withLog = answers.filter(({ venueId }) => venueId !== undefined);
    const counted = areAll && withLog.length === 0 ? answers : withLog;
    if (!areAll && counted.length < this.#quorum) return;
    const now = this.#ports.now();
    sealing.quorumAt ??= now;
    if (!areAll && now - sealing.quorumAt < GATHER_MS) return;
    const best = counted.reduce((one, other) => (isLonger(other, one) ? other : one));
    const other = withLog.find(({ venueId }) => venueId !== best.venueId);
    if (other !== undefined) {
      this.#fail(
        new Error(
          `Node ${other.from} has the log of venue ${other.venueId}, node ${best.from} that of ${best.venueId}: they are not one venue.`,
        ),
      );
      return;
    }
    if (best.from !== this.#node || (sealing.seededAt !== undefined && now - sealing.seededAt < RESEND_MS)) return;
    sealing.seededAt = now;
    const { seq, timeMs } = best;
    const term = 1 + Math.max(...answers.map((answer) => answer.term));
    // A venue that begins here is called by what its first process was.
    const venueId = best.venueId ?? this.#boot;
    const hash = best.venueId === undefined ? hexOf(this.#genesisOf(venueId)) : best.hash;
    const { generation } = sealing;
    const entry: SeedEntry = {
      ...{ kind: "seed", generation, term, node: this.#node, boot: this.#boot, venueId, seq, hash, timeMs },
    };
    this.#ports.seed(generation % SLOTS, entry);
  }

  #follow(slot: number, streamSeq: number, seed: SeedEntry): void {
    const { generation, term, node, boot, venueId, seq, hash, timeMs } = seed;
    if (slot !== generation % SLOTS) return;
    this.#leaveCourse();
    this.#leader = { term, node, boot };
    this.#heardAt = this.#ports.now();
    this.#attach(generation, slot, streamSeq + 1, { seq, hash: bytesOf(hash), timeMs }, venueId);
  }

  #attach(generation: number, slot: number, next: number, from: Tail, venueId: string): void {
    if (this.#venueId !== undefined && this.#venueId !== venueId) {
      this.#fail(
        new Error(
          `This node has the log of venue ${this.#venueId}, the others have that of ${venueId}: they are not one venue.`,
        ),
      );
      return;
    }
    const ahead = this.#course?.generation === generation ? [...this.#ahead] : [];
    this.#leaveCourse();
    for (const [streamSeq, entry] of ahead) if (streamSeq >= next) this.#ahead.set(streamSeq, entry);
    this.#sealing = undefined;
    if (generation > this.#standing.promised) {
      this.#standing = { ...this.#standing, promised: generation };
      this.#ports.promise(this.#standing);
    }
    this.#course = { generation, slot, next, from, isAligned: false, askedAt: 0 };
    if (this.#venueId === undefined) {
      if (this.#isBeginning) return;
      this.#isBeginning = true;
      this.#ports.begin(venueId, from.seq);
      return;
    }
    this.#align();
  }

  /** Brings the log to where the generation, or what is known of it, begins. */
  #align(): void {
    const course = this.#course;
    if (course === undefined || course.isAligned || this.#isBeginning || this.#hasFailed) return;
    const { generation, from } = course;
    if (this.#tail.seq < from.seq) {
      course.askedAt = this.#ports.now();
      this.#ports.readGroups(this.#tail, from.seq);
      return;
    }
    if (this.#tail.seq > from.seq) {
      // The beat was older than the log's end: the next one is not.
      if (generation === this.#standing.adopted) this.#leaveCourse();
      else this.#cutBack(course, from.seq);
      return;
    }
    if (hexOf(this.#tail.hash) !== hexOf(from.hash)) {
      this.#cutBack(course, from.seq - 1);
      return;
    }
    if (this.#standing.adopted !== generation) {
      this.#standing = { ...this.#standing, adopted: generation };
      this.#ports.promise(this.#standing);
    }
    course.isAligned = true;
    this.#seedMs = SEED_MS;
    course.askedAt = 0;
    this.#tellPosition();
    this.#install(this.#leader as Leader);
    this.#commit();
    this.#takeOver(course);
  }

  #cutBack({ generation }: Course, toSeq: number): void {
    if (generation === this.#standing.adopted) {
      this.#fail(new LogsDiffer(this.#tail.seq, this.#leader?.node ?? "?"));
      return;
    }
    if (toSeq < 0 || this.#pending.length > this.#pendingSynced || !this.#ports.cut(toSeq)) {
      this.#fail(new TailStrayed(this.#tail.seq));
      return;
    }
    this.#isBeginning = true;
    this.#pending.length = 0;
    this.#pendingSynced = 0;
  }

  #fail(error: Error): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#stopLeading();
    this.#ports.fail(error);
  }
}

/** Of a later generation, or longer within one; of equal ones that of the first name. */
function isLonger(one: Sealed, other: Sealed): boolean {
  if (one.adopted !== other.adopted) return one.adopted > other.adopted;
  if (one.seq !== other.seq) return one.seq > other.seq;
  return one.from < other.from;
}

function remember<Value>(map: Map<number, Value>, key: number, value: Value): void {
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  const [oldest] = map.keys();
  map.delete(oldest as number);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}
