import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type LogGroup, lastSeqOf } from "../log/chain.ts";
import type { DataDir } from "../log/data-dir.ts";
import { LogFault } from "../log/errors.ts";
import type { Log, LogClock, LogFollower } from "../log/log.ts";
import { checkProposal } from "../log/log-writer.ts";
import type { CheckedLog } from "../log/start-check.ts";
import { Agreement, type AgreementPorts, SLOTS, type Tail } from "./agreement.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";
import { BadFrame } from "./frame.ts";
import { decodeMessage, encodeMessage } from "./message.ts";
import { NatsLink, READ_AT_ONCE, type StoredEntry } from "./nats-link.ts";
import { OwnLog } from "./own-log.ts";
import {
  decodeGroups,
  decodeQuestion,
  decodeRules,
  decodeSnapshotOffer,
  decodeStanding,
  decodeWhere,
  encodeAnswer,
  encodeGroups,
  encodeQuestion,
  type NodeStanding,
  type Question,
} from "./questions.ts";
import { readStanding, writeStanding } from "./standing-file.ts";

const TICK_MS = 25;
/** Streams that could not be made are tried again this often. */
const STREAMS_MS = 1_000;
/** Where so many commands are missing and another node has a snapshot, they come as one. */
const SNAPSHOT_FROM = 100_000;
const STATUS_TIMEOUT_MS = 5_000;
/** Nothing became final for so long although something was proposed: more would only wait. */
const STUCK_MS = 3_000;
const BOOT_BYTES = 16;
/** Another node is asked how far it is, so often and each time so long. */
const FENCE_MS = 200;
const FENCE_TRIES = 10;

export interface ReplicatedLogOptions {
  readonly dataDir: DataDir;
  readonly servers: readonly string[];
  readonly node: string;
  readonly nodes: readonly string[];
  /** The newest rules that this program has. */
  readonly rules: number;
  readonly onNote: (text: string) => void;
}

/** What only the venue around the log knows. */
type Described = Omit<NodeStanding, "node" | "isLeader" | "lagMs" | "generation" | "term">;

/** Somebody who waits until a seq has been applied. */
interface Waiting {
  readonly seq: number;
  readonly resolve: () => void;
}

/** A log whose order several nodes agree on: in a stream of NATS, and on the disks of a quorum of them before anything is committed. */
export class ReplicatedLog implements Log {
  readonly #options: ReplicatedLogOptions;
  readonly #boot = randomBytes(BOOT_BYTES).toString("hex");
  #own: OwnLog | undefined;
  #link: NatsLink | undefined;
  #agreement: Agreement | undefined;
  #follower: LogFollower | undefined;
  #clock: LogClock = { now: () => Date.now() };
  #timers: NodeJS.Timeout[] = [];
  #committed: { seq: number; timeMs: number } = { seq: 0, timeMs: 0 };
  #lagMs = 0;
  /** When groups were handed to the disk that are not committed yet. */
  readonly #storedAt: number[] = [];
  /** Proposals that are under way, and since when none of them came back. */
  #underWay = 0;
  #movedAt = performance.now();
  #opening: PromiseWithResolvers<void> | undefined = Promise.withResolvers();
  /** End of the log when it was first that of the others. */
  #openAt: number | undefined;
  #fault: LogFault | undefined;
  #isClosed = false;
  /** The seq from which on this node leads; undefined: it does not. */
  #leadsFrom: number | undefined;
  #onLeading: ((isLeader: boolean) => void) | undefined;
  #isLeading = false;
  #describe: (() => Described) | undefined;
  readonly #reached: Waiting[] = [];
  #fencing: Promise<void> | undefined;

  private constructor(options: ReplicatedLogOptions) {
    this.#options = options;
  }

  /**
   * Settles when this node's log is what the others agree on, and a quorum holds all of it: what it has may be applied then. That may take
   * as long as a quorum is away. Rejects with the LogFault that ends it.
   */
  static async open(options: ReplicatedLogOptions): Promise<ReplicatedLog> {
    const log = new ReplicatedLog(options);
    try {
      await log.#open();
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  async #open(): Promise<void> {
    const { dataDir, servers, node, nodes, onNote } = this.#options;
    const own = await OwnLog.open(dataDir, {
      onStored: (seq) => this.#agreement?.stored(seq),
      onFault: (fault) => this.#fail(fault),
    });
    this.#own = own;
    const link = await NatsLink.open({
      servers,
      node,
      handlers: {
        onMessage: (bytes) => this.#read(() => this.#agreement?.received(decodeMessage(bytes))),
        onEntry: (slot, entry) => this.#enter(slot, entry),
        onAsked: (bytes) => this.#read(() => this.#answer(bytes)),
        onConnection: (isUp) => {
          onNote(isUp ? "The NATS servers answer again." : "The connection to the NATS servers is lost.");
          this.#agreement?.connection(isUp);
        },
      },
    });
    this.#link = link;
    void this.#makeStreams(link);
    const { checked } = own;
    const options = { node, nodes, boot: this.#boot, standing: readStanding(dataDir.path), venueId: checked?.venueId };
    this.#committed = { seq: 0, timeMs: own.tail.timeMs };
    this.#agreement = new Agreement(
      { ...options, tail: own.tail, genesisOf: OwnLog.genesisOf },
      this.#portsOf(own, link),
    );
    this.#every(TICK_MS, () => {
      this.#agreement?.tick();
      this.#look();
    });
    this.#every(NatsLink.apartMs, () => {
      if (this.#agreement?.isLeader === true) void link.keepApart(this.#agreement.generation % SLOTS);
    });
    await this.#opening?.promise;
    this.#opening = undefined;
  }

  /** The log as it was agreed on at the start, to be replayed up to its end. */
  get checked(): CheckedLog {
    const checked = (this.#own as OwnLog).checked as CheckedLog;
    return { ...checked, end: { ...checked.end, lastSeq: this.committedSeq } };
  }

  get committedSeq(): number {
    return this.#agreement?.committedSeq ?? 0;
  }

  /** Stamps come from there. */
  useClock(clock: LogClock): void {
    this.#clock = clock;
  }

  /** Hears when this node begins to lead, with everything applied that was ordered before, and when it ends. */
  onLeading(hear: (isLeader: boolean) => void): void {
    this.#onLeading = hear;
    if (this.#isLeading) hear(true);
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** Name of the leader, as far as is known here. */
  get leader(): string | undefined {
    return this.#agreement?.leader;
  }

  /** Nothing that was proposed here is committed at the moment: whoever proposes more would wait. */
  get isStuck(): boolean {
    return this.#underWay > 0 && performance.now() - this.#movedAt > STUCK_MS;
  }

  propose(payload: Uint8Array, count: number, token: number): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isClosed) throw new Error("The log is closed.");
    checkProposal(payload, count);
    if (this.#underWay++ === 0) this.#movedAt = performance.now();
    (this.#agreement as Agreement).propose(payload, count, token);
  }

  /** As Agreement.orderAlone: `make` is called when all that was ordered before has been applied here. */
  orderAlone(make: () => { readonly payload: Uint8Array; readonly count: number }): void {
    this.#agreement?.orderAlone(make);
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
    const fault = this.#fault;
    if (fault !== undefined) setImmediate(() => follower.onFault(fault));
  }

  read(fromSeq: number): Iterable<LogGroup> {
    return (this.#own as OwnLog).groups(fromSeq, this.committedSeq);
  }

  now(): number {
    return Math.max(this.#clock.now(), this.#committed.timeMs);
  }

  /** What others have as well cannot be taken back. */
  async cut(): Promise<undefined> {}

  /** This node is about to stop: another one leads from now on. */
  leave(): void {
    this.#agreement?.leave();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#link?.close();
    await this.#own?.close();
  }

  /**
   * Settles when everything has been applied here that any node had answered when this was called. A command is answered when a quorum of
   * nodes has it on its disk, so among all but so many as a quorum less one there is one that has it: they are asked. Rejects where too few answer.
   */
  fence(): Promise<void> {
    // Whoever comes before the question goes out is served by its answer.
    this.#fencing ??= new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        this.#fencing = undefined;
        this.#ask().then((seq) => this.#applied(seq).then(resolve, reject), reject);
      });
    });
    return this.#fencing;
  }

  async #ask(): Promise<number> {
    const { nodes, node } = this.#options;
    const agreement = this.#agreement as Agreement;
    const quorum = Math.floor(nodes.length / 2) + 1;
    const needed = nodes.length - quorum;
    const own = agreement.syncedSeq;
    if (needed === 0) return own;
    const question = encodeQuestion({ kind: "where" });
    const others = nodes.filter((name) => name !== node);
    return await new Promise((resolve, reject) => {
      let most = own;
      let answered = 0;
      let open = others.length;
      for (const other of others) {
        void this.#askAgain(other, question).then((answer) => {
          open--;
          const seq = answer && this.#read(() => decodeWhere(answer));
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
  async #askAgain(node: string, question: Uint8Array): Promise<Uint8Array | undefined> {
    for (let tries = 0; tries < FENCE_TRIES; tries++) {
      const sinceMs = performance.now();
      const answer = await this.#link?.ask(node, question, FENCE_MS);
      if (answer !== undefined) return answer;
      // Nobody listens there: that is known at once.
      if (performance.now() - sinceMs < FENCE_MS / 2) await pause(FENCE_MS / 2);
    }
    return undefined;
  }

  async #applied(seq: number): Promise<void> {
    if (this.#committed.seq >= seq) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { seq, resolve };
    this.#reached.push(waiting);
    const late = setTimeout(() => {
      this.#reached.splice(this.#reached.indexOf(waiting), 1);
      reject(new NodesAway());
    }, STUCK_MS);
    await promise.finally(() => clearTimeout(late));
  }

  /** What this node says of itself to operators. */
  describeBy(describe: () => Described): void {
    this.#describe = describe;
  }

  /** How each node stands; undefined of those that do not answer. */
  async standings(): Promise<{ readonly node: string; readonly standing: NodeStanding | undefined }[]> {
    const question = encodeQuestion({ kind: "standing" });
    return await Promise.all(
      this.#options.nodes.map(async (node) => {
        if (node === this.#options.node) return { node, standing: this.#standing() };
        const answer = await this.#link?.ask(node, question, STATUS_TIMEOUT_MS);
        return { node, standing: answer && this.#read(() => decodeStanding(answer)) };
      }),
    );
  }

  /** The newest rules of each node's program; undefined of those that do not answer. */
  async rules(): Promise<{ readonly node: string; readonly rules: number | undefined }[]> {
    const question = encodeQuestion({ kind: "rules" });
    return await Promise.all(
      this.#options.nodes.map(async (node) => {
        if (node === this.#options.node) return { node, rules: this.#options.rules };
        const answer = await this.#link?.ask(node, question, STATUS_TIMEOUT_MS);
        return { node, rules: answer && this.#read(() => decodeRules(answer)) };
      }),
    );
  }

  #standing(): NodeStanding | undefined {
    const own = this.#describe?.();
    if (own === undefined) return undefined;
    const { generation, term } = this.#agreement as Agreement;
    return { node: this.#options.node, isLeader: this.#isLeading, lagMs: this.#lagMs, generation, term, ...own };
  }

  #every(ms: number, run: () => void): void {
    this.#timers.push(setInterval(run, ms));
  }

  async #makeStreams(link: NatsLink): Promise<void> {
    while (!this.#isClosed && !(await link.makeStreams())) await pause(STREAMS_MS);
  }

  /** A frame that cannot be read comes from elsewhere, or from a program of another time: it is told of, and nothing comes of it. */
  #read<Result>(run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.#options.onNote(error.message);
      return undefined;
    }
  }

  #enter(slot: number, { streamSeq, bytes }: StoredEntry): void {
    const entry = this.#read(() => decodeEntry(bytes));
    if (entry !== undefined) this.#agreement?.entered(slot, streamSeq, entry);
  }

  #answer(bytes: Uint8Array): Uint8Array | undefined {
    const own = this.#own as OwnLog;
    const agreement = this.#agreement;
    const question: Question = decodeQuestion(bytes);
    if (question.kind === "rules") return encodeAnswer({ rules: this.#options.rules });
    if (agreement === undefined || own.checked === undefined || this.#isClosed) return undefined;
    switch (question.kind) {
      case "groups": {
        const groups = own.groupsBehind(question, question.toSeq, (firstSeq) => agreement.originOf(firstSeq));
        return groups && encodeGroups(groups);
      }
      case "snapshot":
        return encodeAnswer({ offered: own.offeredSnapshot() });
      case "piece":
        return own.snapshotPiece(question.name, question.at);
      case "where":
        return encodeAnswer({ seq: agreement.syncedSeq });
      case "standing": {
        const standing = this.#standing();
        return standing && encodeAnswer(standing);
      }
    }
  }

  #portsOf(own: OwnLog, link: NatsLink): AgreementPorts {
    const { dataDir, onNote } = this.#options;
    return {
      now: () => performance.now(),
      timeMs: () => this.#clock.now(),
      send: (message) => link.send("to" in message ? message.to : undefined, encodeMessage(message)),
      publish: (slot, entry, expected) => {
        void link.publish(slot, encodeEntry(entry), expected).then((came) => {
          if (came !== true) this.#agreement?.refused(slot, came);
        });
      },
      seed: (slot, entry) => void this.#seed(link, slot, entry),
      readEntries: (slot, from, to) => void this.#readEntries(link, slot, from, to),
      readGroups: (tail, toSeq) => void this.#readGroups(link, tail, toSeq),
      begin: (venueId, seq) =>
        void this.#begin(own, link, venueId, seq).catch((error: Error) => this.#fail(faultOf(error))),
      cut: (seq) => {
        if (this.#opening === undefined) return false;
        onNote(
          `Commands behind seq ${seq} that no quorum of nodes had, and nobody was told of, are taken out of the log.`,
        );
        own.cut(seq).then(
          () => this.#agreement?.began(own.checked?.venueId as string, own.tail),
          (error: Error) => this.#fail(faultOf(error)),
        );
        return true;
      },
      store: (group) => {
        this.#storedAt.push(performance.now());
        own.store(group);
      },
      promise: (standing) => writeStanding(dataDir.path, standing),
      commit: (group, token) => this.#commit(group, token),
      leads: (isLeader) => {
        this.#leadsFrom = isLeader ? (this.#agreement as Agreement).tail.seq : undefined;
        if (!isLeader) this.#lead(false);
      },
      note: onNote,
      fail: (error) => this.#fail(faultOf(error)),
    };
  }

  #commit(group: LogGroup, token: number | undefined): void {
    const lastSeq = lastSeqOf(group);
    this.#committed = { seq: lastSeq, timeMs: group.timeMs };
    this.#lagMs = Math.max(0, this.#clock.now() - group.timeMs);
    const tookMs = performance.now() - (this.#storedAt.shift() ?? performance.now());
    this.#movedAt = performance.now();
    if (token !== undefined) this.#underWay--;
    this.#follower?.onCommitted({ ...group, token }, tookMs);
    for (let at = this.#reached.length - 1; at >= 0; at--) {
      const waiting = this.#reached[at] as Waiting;
      if (waiting.seq > lastSeq) continue;
      this.#reached.splice(at, 1);
      waiting.resolve();
    }
  }

  /** Whether the start is over, or this node leads by now. */
  #look(): void {
    const agreement = this.#agreement as Agreement;
    const { committedSeq } = agreement;
    if (agreement.isAligned) this.#openAt ??= agreement.tail.seq;
    // What lies behind what a quorum holds must not be seen; and views may hold everything that this log held before.
    if (this.#opening !== undefined && this.#openAt !== undefined && (committedSeq ?? -1) >= this.#openAt) {
      this.#committed = { seq: committedSeq as number, timeMs: agreement.tail.timeMs };
      this.#opening.resolve();
    }
    if (this.#leadsFrom !== undefined && this.#follower !== undefined && this.#committed.seq >= this.#leadsFrom)
      this.#lead(true);
  }

  #lead(isLeader: boolean): void {
    if (this.#isLeading === isLeader) return;
    this.#isLeading = isLeader;
    this.#onLeading?.(isLeader);
  }

  async #seed(link: NatsLink, slot: number, entry: Parameters<AgreementPorts["seed"]>[1]): Promise<void> {
    const end = await link.endOf(slot);
    if (end === undefined) return;
    const { bytes } = end;
    const there = bytes && this.#read(() => decodeEntry(bytes));
    if (there !== undefined && there.generation >= entry.generation) {
      await this.#findSeed(link, slot, entry.generation);
      return;
    }
    await link.publish(slot, encodeEntry(entry), end.last);
  }

  /** Somebody's seed of this generation is in the stream already, and was missed here. */
  async #findSeed(link: NatsLink, slot: number, generation: number): Promise<void> {
    const [first, end] = await Promise.all([link.firstOf(slot), link.endOf(slot)]);
    if (first === undefined || end === undefined) return;
    for (let to = end.last; to >= first; to -= READ_AT_ONCE) {
      let isBefore = false;
      for (const { streamSeq, bytes } of await link.read(slot, Math.max(first, to - READ_AT_ONCE + 1), to)) {
        const entry = this.#read(() => decodeEntry(bytes));
        if (entry === undefined) continue;
        if (entry.kind === "seed" && entry.generation === generation) this.#agreement?.entered(slot, streamSeq, entry);
        if (entry.generation < generation) isBefore = true;
      }
      if (isBefore) return;
    }
  }

  async #readEntries(link: NatsLink, slot: number, from: number, to: number): Promise<void> {
    const entries = await link.read(slot, from, to);
    for (const entry of entries) this.#enter(slot, entry);
    if (entries[0]?.streamSeq === from) return;
    const first = await link.firstOf(slot);
    if (first !== undefined && first > from) this.#agreement?.missing(slot);
  }

  /** The leader first: it has what it speaks of. */
  async #readGroups(link: NatsLink, tail: Tail, toSeq: number): Promise<void> {
    const { nodes, node } = this.#options;
    const { leader } = this.#agreement as Agreement;
    const others = nodes.filter((name) => name !== node && name !== leader);
    const asked = leader === undefined || leader === node ? others : [leader, ...others];
    const hash = Buffer.from(tail.hash).toString("hex");
    const question = encodeQuestion({ kind: "groups", seq: tail.seq, hash, toSeq });
    for (const other of asked) {
      const answer = await link.ask(other, question);
      const groups = answer && this.#read(() => decodeGroups(answer));
      if (groups === undefined) continue;
      // Another one's tail may have strayed itself; the leader's has not.
      if (groups === "strayed" && other === leader) this.#agreement?.strayed(tail.seq);
      if (groups === "strayed" || groups.length === 0) continue;
      this.#agreement?.fetched(groups);
      return;
    }
  }

  /** A new node takes over a snapshot where that saves it much, or where the beginning of the log is in an archive. */
  async #begin(own: OwnLog, link: NatsLink, venueId: string, seq: number): Promise<void> {
    const { nodes, node, onNote } = this.#options;
    for (const other of seq === 0 ? [] : nodes.filter((name) => name !== node)) {
      const answer = await link.ask(other, encodeQuestion({ kind: "snapshot" }));
      const offered = answer && this.#read(() => decodeSnapshotOffer(answer));
      if (offered === undefined || (offered.seq < SNAPSHOT_FROM && !(await this.#isArchived(link, other, venueId))))
        continue;
      onNote(`The snapshot of node ${other} at seq ${offered.seq} is taken over: ${offered.bytes} bytes.`);
      const file = await own.receive(offered, async (at) => {
        const piece = await link.ask(other, encodeQuestion({ kind: "piece", name: offered.name, at }));
        if (piece === undefined) throw new Error(`Node ${other} gives no more of its snapshot.`);
        return piece;
      });
      await own.begin(venueId, { offered, file });
      this.#agreement?.began(venueId, own.tail);
      return;
    }
    await own.begin(venueId);
    this.#agreement?.began(venueId, own.tail);
  }

  /** Whether a node no longer holds the beginning of the log. */
  async #isArchived(link: NatsLink, other: string, venueId: string): Promise<boolean> {
    const hash = Buffer.from(OwnLog.genesisOf(venueId)).toString("hex");
    return (await link.ask(other, encodeQuestion({ kind: "groups", seq: 0, hash, toSeq: 1 }))) === undefined;
  }

  #fail(fault: LogFault): void {
    if (this.#fault !== undefined || this.#isClosed) return;
    this.#fault = fault;
    for (const timer of this.#timers) clearInterval(timer);
    this.#lead(false);
    if (this.#opening !== undefined) this.#opening.reject(fault);
    else this.#follower?.onFault(fault);
  }
}

/** Too few of the other nodes answer: what they have told others of cannot be known. */
export class NodesAway extends Error {
  constructor() {
    super("Too few nodes of the venue answer.");
    this.name = "NodesAway";
  }
}

function faultOf(error: Error): LogFault {
  return error instanceof LogFault ? error : new LogFault("agreement", "CLUSTER", error.message, { cause: error });
}
