import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type LogGroup, lastSeqOf } from "../log/chain.ts";
import type { DataDir } from "../log/data-dir.ts";
import { LogFault } from "../log/errors.ts";
import type { Log, LogClock, LogFollower } from "../log/log.ts";
import { checkProposal } from "../log/log-writer.ts";
import type { CheckedLog } from "../log/start-check.ts";
import { Agreement } from "./agreement/agreement.ts";
import type { Made } from "./agreement/leadership.ts";
import { type AgreementPorts, SLOTS, type Tail } from "./agreement/ports.ts";
import { Fence } from "./fence.ts";
import { type ReadFrame, tellingOfBadFrames } from "./frame.ts";
import { decodeMessage, encodeMessage } from "./message.ts";
import { NatsLink } from "./nats-link.ts";
import { OtherNodes } from "./other-nodes.ts";
import { OwnLog } from "./own-log.ts";
import { decodeQuestion, encodeAnswer, encodeGroups, type NodeStanding, type Question } from "./questions.ts";
import { readStanding, writeStanding } from "./standing-file.ts";
import { Streams } from "./streams.ts";

const TICK_MS = 25;
/** Streams that could not be made are tried again this often. */
const STREAMS_MS = 1_000;
/** Nothing became final for so long although something was proposed: more would only wait. */
const STUCK_MS = 3_000;
/** A start that waits says so this often. */
const WAITING_MS = 10_000;
const BOOT_BYTES = 16;
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

/** What an agreement works through. */
interface Parts {
  readonly own: OwnLog;
  readonly link: NatsLink;
  readonly streams: Streams;
  readonly others: OtherNodes;
}

/** A log whose order several nodes agree on: in a stream of NATS, and on the disks of a quorum of them before anything is committed. */
export class ReplicatedLog implements Log {
  readonly #options: ReplicatedLogOptions;
  readonly #boot = randomBytes(BOOT_BYTES).toString("hex");
  #own: OwnLog | undefined;
  #link: NatsLink | undefined;
  #others: OtherNodes | undefined;
  readonly #read: ReadFrame;
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
  readonly #fence: Fence;

  private constructor(options: ReplicatedLogOptions) {
    this.#options = options;
    this.#read = tellingOfBadFrames(options.onNote);
    this.#fence = new Fence({
      node: options.node,
      nodes: options.nodes,
      ask: async (node, question, decode, timeoutMs) => await this.#others?.ask(node, question, decode, timeoutMs),
      syncedSeq: () => (this.#agreement as Agreement).syncedSeq,
      appliedSeq: () => this.#committed.seq,
    });
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
    const waiting = setInterval(() => onNote(this.#whatIsMissing()), WAITING_MS);
    this.#timers.push(waiting);
    let streams: Streams | undefined;
    const link = await NatsLink.open({
      servers,
      node,
      handlers: {
        onMessage: (bytes) => this.#read(() => this.#agreement?.received(decodeMessage(bytes))),
        onEntry: (slot, entry) => streams?.enter(slot, entry),
        onAsked: (bytes) => this.#answerSafely(bytes),
        onConnection: (isUp) => {
          onNote(isUp ? "The NATS servers answer again." : "The connection to the NATS servers is lost.");
          this.#agreement?.connection(isUp);
        },
        onEnd: (reason) => this.#fail(faultOf(new Error(`The connection to the NATS servers has ended: ${reason}`))),
      },
    });
    this.#link = link;
    streams = new Streams(link, this.#read, {
      entered: (slot, streamSeq, entry) => this.#agreement?.entered(slot, streamSeq, entry),
      refused: (slot, last) => this.#agreement?.refused(slot, last),
      missing: (slot) => this.#agreement?.missing(slot),
    });
    const others = new OtherNodes({ link, node, nodes, read: this.#read });
    this.#others = others;
    void this.#makeStreams(link);
    const { checked } = own;
    const options = { node, nodes, boot: this.#boot, standing: readStanding(dataDir.path), venueId: checked?.venueId };
    this.#committed = { seq: 0, timeMs: own.tail.timeMs };
    this.#agreement = new Agreement(
      { ...options, tail: own.tail, genesisOf: OwnLog.genesisOf },
      this.#portsOf({ own, link, streams, others }),
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
    clearInterval(waiting);
  }

  /** What a start waits for, as a sentence. */
  #whatIsMissing(): string {
    const { servers, nodes } = this.#options;
    if (this.#link === undefined) {
      const hosts = servers.map((server) => new URL(server).host).join(", ");
      return `No NATS server answers yet of ${hosts}: this node waits for one.`;
    }
    const first = this.#own?.checked === undefined ? ", and for all of them if the venue is new" : "";
    return `This node waits for more than half of the nodes ${nodes.join(", ")}${first}.`;
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
  orderAlone(make: () => Made | undefined): void {
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

  /** As Fence.pass. */
  fence(): Promise<void> {
    return this.#fence.pass();
  }

  /** What this node says of itself to operators. */
  describeBy(describe: () => Described): void {
    this.#describe = describe;
  }

  /** How each node stands; undefined of those that do not answer. */
  async standings(): Promise<{ readonly node: string; readonly standing: NodeStanding | undefined }[]> {
    const own = this.#standing();
    return await this.#ofEach(async (node) => ({
      node,
      standing: node === this.#options.node ? own : await this.#others?.standingOf(node),
    }));
  }

  /** The newest rules of each node's program; undefined of those that do not answer. */
  async rules(): Promise<{ readonly node: string; readonly rules: number | undefined }[]> {
    const { node: own, rules } = this.#options;
    return await this.#ofEach(async (node) => ({
      node,
      rules: node === own ? rules : await this.#others?.rulesOf(node),
    }));
  }

  async #ofEach<Row>(rowOf: (node: string) => Promise<Row>): Promise<Row[]> {
    return await Promise.all(this.#options.nodes.map(rowOf));
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

  /** What cannot be answered is none of the asking node's business to end this one by. */
  #answerSafely(bytes: Uint8Array): Uint8Array | undefined {
    try {
      return this.#read(() => this.#answer(bytes));
    } catch (error) {
      this.#options.onNote(`Another node's question could not be answered: ${(error as Error).message}`);
      return undefined;
    }
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

  #portsOf({ own, link, streams, others }: Parts): AgreementPorts {
    const { dataDir, onNote } = this.#options;
    return {
      now: () => performance.now(),
      timeMs: () => this.#clock.now(),
      send: (message) => link.send("to" in message ? message.to : undefined, encodeMessage(message)),
      publish: (slot, entry, expected) => void streams.publish(slot, entry, expected),
      seed: (slot, entry) => void streams.seed(slot, entry),
      readEntries: (slot, from, to) => void streams.readEntries(slot, from, to),
      readGroups: (tail, toSeq) => void this.#readGroups(others, tail, toSeq),
      begin: (venueId, seq) =>
        void this.#begin({ own, others }, venueId, seq).catch((error: Error) => this.#fail(faultOf(error))),
      cut: (seq) => {
        if (this.#opening === undefined) return false;
        // What is taken out is not waited for any more.
        this.#storedAt.length = 0;
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
    this.#fence.reached(lastSeq);
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

  async #readGroups(others: OtherNodes, tail: Tail, toSeq: number): Promise<void> {
    const groups = await others.groupsBehind(tail, toSeq, this.leader);
    if (groups === "strayed") this.#agreement?.strayed(tail.seq);
    else if (groups !== undefined) this.#agreement?.fetched(groups);
  }

  /** A new node takes over a snapshot where there is one that is worth it. */
  async #begin({ own, others }: Pick<Parts, "own" | "others">, venueId: string, seq: number): Promise<void> {
    const found = seq === 0 ? undefined : await others.snapshot(venueId);
    if (found !== undefined) {
      const { offered, node } = found;
      this.#options.onNote(`The snapshot of node ${node} at seq ${offered.seq} is taken over: ${offered.bytes} bytes.`);
      const file = await own.receive(offered, (at) => others.piece(node, offered, at));
      await own.begin(venueId, { offered, file });
    } else await own.begin(venueId);
    this.#agreement?.began(venueId, own.tail);
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

function faultOf(error: Error): LogFault {
  return error instanceof LogFault ? error : new LogFault("agreement", "CLUSTER", error.message, { cause: error });
}
