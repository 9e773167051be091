import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type LogGroup, lastSeqOf } from "../log/chain.ts";
import type { DataDir } from "../log/data-dir.ts";
import { LogFault } from "../log/errors.ts";
import type { Log, LogClock, LogFollower } from "../log/log.ts";
import { checkProposal } from "../log/log-writer.ts";
import type { CheckedLog } from "../log/start-check.ts";
import { Archiving } from "./archiving.ts";
import { refuseClockAhead } from "./clocks.ts";
import type { Base } from "./entry.ts";
import type { EtcdAccess } from "./etcd/client.ts";
import { EtcdStore } from "./etcd/etcd-store.ts";
import { type Frame, Sealer } from "./frame.ts";
import { type Joined, join } from "./joining.ts";
import { LogArchive } from "./log-archive.ts";
import { missingGroups } from "./missing-groups.ts";
import type { Made } from "./ordering/leadership.ts";
import { Ordering } from "./ordering/ordering.ts";
import type { Forward, OrderingPorts } from "./ordering/ports.ts";
import { OtherNodes } from "./other-nodes.ts";
import { OwnLog } from "./own-log.ts";
import { type Peer, Peers, type Said } from "./peers.ts";
import { groupsSaid, type NodeStatus, type Question } from "./questions.ts";
import { ReadBarrier } from "./read-barrier.ts";
import { Retention } from "./retention.ts";
import { type NodeRecord, type StoreStatus, StoreWentBack } from "./store.ts";
import { StoreReader } from "./store-reader.ts";

const TICK_MS = 25;
/** Nothing became final for so long although something was proposed: more would only wait. */
const STUCK_MS = 3_000;
/** A start that waits says so this often. */
const WAITING_MS = 10_000;
/**
 * A node tells the others how far its copy is this often, and the leader takes out of the store what is no longer
 * needed there.
 */
const RECORD_MS = 3_000;
const FETCH_AGAIN_MS = 500;
const BOOT_BYTES = 16;

export interface ReplicatedLogOptions extends EtcdAccess {
  readonly dataDir: DataDir;
  readonly node: string;
  /** Where other nodes reach this one; port 0 takes a free one. */
  readonly address: { readonly host: string; readonly port: number };
  /** The same at all nodes of the venue. */
  readonly secret: Uint8Array;
  /** The newest rules that this program has, and which program it is. */
  readonly rules: number;
  readonly version: string;
  /** Whether what a node lists is kept elsewhere, so that a new node need not replay what a snapshot holds. */
  readonly isHistoryShared: boolean;
  /**
   * Whether an empty store and an empty folder make a new venue; otherwise the start waits until somebody makes one.
   */
  readonly foundsVenue: boolean;
  /** So far the machine's clock may be ahead of the other nodes' at the start, ms. */
  readonly clockJumpMs: number;
  /** The folder that all nodes share, where sealed log goes; undefined: there is none. */
  readonly archive: string | undefined;
  readonly onNote: (text: string) => void;
}

/** The fields of a standing that only the venue around the log knows. */
type Described = Omit<NodeStatus, "node" | "isLeader" | "lagMs" | "term">;

/** The parts that an open log works with. */
interface Parts {
  readonly own: OwnLog;
  readonly store: EtcdStore;
  readonly peers: Peers;
  readonly others: OtherNodes;
  readonly ordering: Ordering;
  readonly reader: StoreReader;
}

/**
 * A log whose order several nodes keep in etcd. What is committed is what stands there; the file of this node is a copy
 * of it.
 */
export class ReplicatedLog implements Log {
  readonly #options: ReplicatedLogOptions;
  readonly #boot = randomBytes(BOOT_BYTES).toString("hex");
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #retention = new Retention();
  readonly #barrier: ReadBarrier;
  #own: OwnLog | undefined;
  #store: EtcdStore | undefined;
  #peers: Peers | undefined;
  #parts: Parts | undefined;
  #opening: PromiseWithResolvers<never> | undefined = Promise.withResolvers();
  #follower: LogFollower | undefined;
  #clock: LogClock = { now: () => Date.now() };
  #committed: { seq: number; timeMs: number } = { seq: 0, timeMs: 0 };
  #lagMs = 0;
  /** When this node last knew that it hears of what comes into the store. */
  #followedAt = performance.now();
  #fault: LogFault | undefined;
  #isClosed = false;
  #onLeading: ((isLeader: boolean) => void) | undefined;
  #isLeading = false;
  #describe: (() => Described) | undefined;
  /** Revision of what the store has of this node. */
  #recordRevision: number | undefined;
  #isRecording = false;
  #archiving: Archiving | undefined;
  /** Sentence about what the start waits for besides the store's servers; undefined: nothing else. */
  #waitsFor: string | undefined;

  private constructor(options: ReplicatedLogOptions) {
    this.#options = options;
    this.#barrier = new ReadBarrier({
      store: { endFrom: (from, done) => (this.#store as EtcdStore).endFrom(from, done) },
      place: () => (this.#parts as Parts).ordering.place,
      later: (ms, run) => (ms === 0 ? setImmediate(run) : setTimeout(run, ms).unref()),
    });
  }

  /**
   * Settles when this node's copy is what stood in the store at some moment of the start: it may be applied then. That
   * may take as long as the store is away. Rejects with what ends it.
   */
  static async open(options: ReplicatedLogOptions): Promise<ReplicatedLog> {
    const log = new ReplicatedLog(options);
    const { onNote } = options;
    const waiting = setInterval(() => onNote(log.#whatIsMissing()), WAITING_MS);
    try {
      await Promise.race([log.#open(), (log.#opening as PromiseWithResolvers<never>).promise]);
      return log;
    } catch (error) {
      await log.close();
      throw error;
    } finally {
      clearInterval(waiting);
      log.#opening = undefined;
    }
  }

  async #open(): Promise<void> {
    const { dataDir, node, address, secret, servers, tls, archive: folder, onNote } = this.#options;
    // Who is asked nothing yet has nothing to reject.
    this.#opening?.promise.catch(() => {});
    const own = await OwnLog.open(dataDir, { onStored: () => {}, onFault: (fault) => this.#fail(fault) });
    this.#own = own;
    const sealer = new Sealer(secret);
    const peers = await Peers.listen(address.host, address.port, {
      ...{ boot: this.#boot, sealer, onNote },
      onSaid: (frame, reply) => this.#said(frame, reply),
      onAsked: (question) => this.#answerSafely(question as Question),
      onReached: (peer) => this.#ofLeader(peer, ({ ordering }, term) => ordering.reached(term)),
      onGone: (peer) => this.#ofLeader(peer, ({ ordering }, term) => ordering.isGone(term)),
    });
    this.#peers = peers;
    const reached = `${address.host.includes(":") ? `[${address.host}]` : address.host}:${peers.port}`;
    const store = new EtcdStore({
      ...{ servers, tls, sealer, node, boot: this.#boot, address: reached, onNote },
      onFault: (error) => this.#fail(faultOf(error)),
    });
    this.#store = store;
    await store.open();
    const archive = folder === undefined ? undefined : new LogArchive({ folder, node, sealer, onNote });
    if (archive !== undefined) this.#archiving = new Archiving({ own, archive, onNote });
    const others = new OtherNodes({ peers, node, archive, records: () => store.patiently(() => store.nodes()) });
    const { isHistoryShared: prefersSnapshot, foundsVenue } = this.#options;
    const joined = await join({
      ...{ own, store, others, prefersSnapshot, foundsVenue, onNote },
      onWait: (sentence) => {
        this.#waitsFor = sentence;
        if (sentence !== undefined) onNote(sentence);
      },
    });
    refuseClockAhead(await others.clocks(), this.#options.clockJumpMs);
    await store.patiently(() => this.#tellRecord(reached));
    const parts = this.#assemble({ own, store, peers, others }, joined);
    this.#parts = parts;
    await this.#readAll(parts);
    this.#timers.push(setInterval(() => void this.#keepRecord(reached), RECORD_MS));
  }

  #assemble(made: Pick<Parts, "own" | "store" | "peers" | "others">, { tail, place }: Joined): Parts {
    const { own, store, peers, others } = made;
    const { node } = this.#options;
    this.#committed = { seq: tail.seq, timeMs: tail.timeMs };
    const ports: OrderingPorts = {
      ...{ now: () => performance.now(), timeMs: () => this.#clock.now(), store, note: this.#options.onNote },
      forward: (to, { payload, ...head }) => peers.say(to, { head: { kind: "forward", ...head }, body: payload }),
      ask: (leader) => peers.say(leader, { head: { kind: "leads?", term: leader.term } }),
      commit: (group, at, token) => this.#commit(group, at, token),
      leads: (isLeader) => this.#lead(isLeader),
      fail: (error) => this.#fail(faultOf(error)),
    };
    const ordering = new Ordering({ node, boot: this.#boot, tail, place }, ports);
    const reader: StoreReader = new StoreReader(place, store, () => performance.now(), {
      group: (group) => ordering.group(group),
      leader: (leader) => {
        if (leader !== undefined && leader.term !== ordering.leader?.term)
          this.#options.onNote(`Node ${leader.node} leads from now on (term ${leader.term}).`);
        ordering.leads(leader);
      },
      missing: (base) => void this.#fetch(base).catch((error: Error) => this.#fail(faultOf(error))),
      fail: (error) => this.#fail(faultOf(error)),
      isFull: () => own.isFull,
    });
    return { own, store, peers, others, ordering, reader };
  }

  /** Reads to where the store ends, and stops there: what comes later is read when somebody follows. */
  async #readAll({ own, ordering, reader }: Parts): Promise<void> {
    reader.start();
    while (!reader.isFollowing) {
      reader.tick();
      await pause(TICK_MS / 5);
    }
    reader.stop();
    // The start may take longer than groups stay in the store.
    ordering.rest();
    await own.settled();
  }

  /** Returns the sentence about what a start waits for. */
  #whatIsMissing(): string {
    if (this.#waitsFor !== undefined) return this.#waitsFor;
    const hosts = this.#options.servers.map((server) => new URL(server).host).join(", ");
    if (this.#parts === undefined)
      return (
        `This node waits for the etcd servers ${hosts}: more than ` +
        `half of them must answer. ${this.#store?.trouble ?? ""}`
      ).trim();
    return `This node reads the log from the etcd servers ${hosts}: it is at seq ${this.#committed.seq}.`;
  }

  /** The log as it was at the start, to be replayed up to its end. */
  get checked(): CheckedLog {
    const checked = (this.#own as OwnLog).checked as CheckedLog;
    return { ...checked, end: { ...checked.end, lastSeq: this.#committed.seq } };
  }

  get committedSeq(): number {
    return this.#committed.seq;
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
    return this.#parts?.ordering.leader?.node;
  }

  /** Nothing that was proposed here is committed at the moment: anyone who proposes more would wait. */
  get isStuck(): boolean {
    return (this.#parts?.ordering.waitsMs ?? 0) > STUCK_MS;
  }

  /** Why this node can neither take nor prove anything at the moment, as a sentence; undefined: it goes on. */
  get trouble(): string | undefined {
    if (performance.now() - this.#followedAt > STUCK_MS)
      return "This node does not hear of what is in the store: etcd does not answer.";
    return this.isStuck ? "Nothing of what was proposed on this node comes into the log." : undefined;
  }

  /** How it goes on, for who watches it. */
  get progress(): {
    readonly waitsMs: number;
    readonly lagMs: number;
    readonly silentMs: number;
    readonly term: number;
  } {
    const { waitsMs = 0, leader } = this.#parts?.ordering ?? {};
    const silentMs = performance.now() - this.#followedAt;
    return { waitsMs, lagMs: this.#lagMs, silentMs, term: leader?.term ?? 0 };
  }

  propose(payload: Uint8Array, count: number, token: number): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isClosed) throw new Error("The log is closed.");
    checkProposal(payload, count);
    (this.#parts as Parts).ordering.propose(payload, count, token);
  }

  /** As Ordering.orderAlone: `make` is called when all that was ordered before has been applied here. */
  orderAlone(make: () => Made | undefined): void {
    this.#parts?.ordering.orderAlone(make);
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
    const fault = this.#fault;
    if (fault !== undefined) {
      setImmediate(() => follower.onFault(fault));
      return;
    }
    const { ordering, reader } = this.#parts as Parts;
    reader.start();
    this.#followedAt = performance.now();
    const tick = () => {
      reader.tick();
      // Who does not follow the store knows neither who leads nor what is in the log.
      if (!reader.isFollowing) return;
      this.#followedAt = performance.now();
      ordering.tick();
    };
    this.#timers.push(setInterval(tick, TICK_MS));
  }

  read(fromSeq: number): Iterable<LogGroup> {
    return (this.#own as OwnLog).groups(fromSeq, this.#committed.seq);
  }

  now(): number {
    return Math.max(this.#clock.now(), this.#committed.timeMs);
  }

  /** Does nothing: groups that other nodes have as well cannot be taken back. */
  async cut(): Promise<undefined> {}

  /** This node is about to stop: another one leads from now on. */
  leave(): void {
    this.#parts?.ordering.leave();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#parts?.reader.stop();
    await this.#store?.close();
    await this.#peers?.close();
    await this.#own?.close();
  }

  /** As ReadBarrier.pass. */
  readBarrier(): Promise<void> {
    return this.#barrier.pass();
  }

  /** Sets what this node says of itself to operators. */
  describeBy(describe: () => Described): void {
    this.#describe = describe;
  }

  /** How each node stands; undefined of those that do not answer. */
  async standings(): Promise<{ readonly node: string; readonly standing: NodeStatus | undefined }[]> {
    const { others } = this.#parts as Parts;
    return await this.#ofEach(
      await (this.#store as EtcdStore).nodes().catch(() => []),
      () => this.#standing(),
      (record) => others.statusOf(record),
    ).then((rows) => rows.map(({ node, answer }) => ({ node, standing: answer })));
  }

  /**
   * The newest rules of each node's program; undefined of those that do not answer. Undefined: which nodes there are
   * cannot be told.
   */
  async rules(): Promise<{ readonly node: string; readonly rules: number | undefined }[] | undefined> {
    const { others } = this.#parts as Parts;
    const records = await (this.#store as EtcdStore).nodes().catch(() => undefined);
    if (records === undefined) return undefined;
    return await this.#ofEach(
      records,
      () => this.#options.rules,
      (record) => others.rulesOf(record),
    ).then((rows) => rows.map(({ node, answer }) => ({ node, rules: answer })));
  }

  async #ofEach<Answer>(
    records: readonly NodeRecord[],
    ofOwn: () => Answer | undefined,
    ofOther: (record: NodeRecord) => Promise<Answer | undefined>,
  ): Promise<{ readonly node: string; readonly answer: Answer | undefined }[]> {
    const others = records.filter(({ node }) => node !== this.#options.node);
    const rows = others.map(async (record) => ({ node: record.node, answer: await ofOther(record) }));
    const all = [{ node: this.#options.node, answer: ofOwn() }, ...(await Promise.all(rows))];
    return all.toSorted((one, other) => (one.node < other.node ? -1 : 1));
  }

  /** How the archive stands; undefined: there is none. */
  get archived(): Pick<Archiving, "missing" | "isUp"> | undefined {
    return this.#archiving;
  }

  /** How the servers of the store stand. */
  async storeStatus(): Promise<StoreStatus> {
    return await (this.#store as EtcdStore).status();
  }

  #standing(): NodeStatus | undefined {
    const own = this.#describe?.();
    if (own === undefined) return undefined;
    const term = this.#parts?.ordering.leader?.term ?? 0;
    return { node: this.#options.node, isLeader: this.#isLeading, lagMs: this.#lagMs, term, ...own };
  }

  // --- Other nodes
  // ------------------------------------------------------------------------------------------------------------

  #ofLeader(peer: Peer, run: (parts: Parts, term: number) => void): void {
    const leader = this.#parts?.ordering.leader;
    if (leader !== undefined && leader.boot === peer.boot) run(this.#parts as Parts, leader.term);
  }

  #said({ head, body }: Frame, reply: (said: Said) => void): void {
    const ordering = this.#parts?.ordering;
    if (ordering === undefined || this.#isClosed) return;
    const { kind, term } = head as { kind: string; term: number };
    if (kind === "forward") ordering.forwarded({ ...(head as Omit<Forward, "payload">), payload: body });
    else if (kind === "leads?" && ordering.leadsBy(term)) reply({ head: { kind: "leads", term } });
    else if (kind === "leads") ordering.heard(term);
  }

  /**
   * Answers a question of another node; undefined, with a note, where that fails: another node's question must not end
   * this node.
   */
  #answerSafely(question: Question): Said | undefined {
    try {
      return this.#answer(question);
    } catch (error) {
      this.#options.onNote(`Another node's question could not be answered: ${(error as Error).message}`);
      return undefined;
    }
  }

  #answer(question: Question): Said | undefined {
    const kind = "answer";
    const own = this.#own;
    if (question.kind === "rules") return { head: { kind, rules: this.#options.rules, timeMs: Date.now() } };
    if (own?.checked === undefined || this.#isClosed) return undefined;
    switch (question.kind) {
      case "groups": {
        const groups = own.groupsBehind(question, question.toSeq);
        return groups && groupsSaid(groups);
      }
      case "snapshot":
        return { head: { kind, offered: own.offeredSnapshot() } };
      case "piece": {
        const body = own.snapshotPiece(question.name, question.at);
        return body && { head: { kind }, body };
      }
      case "standing": {
        const standing = this.#standing();
        return standing && { head: { kind, standing } };
      }
      default:
        return undefined;
    }
  }

  /** Groups that the store no longer has come from another node's log. The hashes say whether they are the ones. */
  async #fetch(base: Base): Promise<void> {
    const { ordering, reader, others } = this.#parts as Parts;
    while (!this.#isClosed && this.#fault === undefined && ordering.tail.seq < base.seq) {
      const groups = missingGroups(others, ordering.tail, base);
      let next = await groups.next();
      for (; next.done !== true; next = await groups.next()) ordering.fetched(next.value);
      if (next.value === "strayed") throw new Error("The log of this node goes another way than the others'.");
      if (next.value === "nobody") await pause(FETCH_AGAIN_MS);
    }
    ordering.goOn(base.place);
    this.#barrier.reached(base.place);
    reader.goOn(base.place);
  }

  // --- What this node tells of itself
  // -----------------------------------------------------------------------------------------

  async #tellRecord(address: string): Promise<void> {
    const { node, rules, version } = this.#options;
    const own = this.#own as OwnLog;
    const offered = own.checked === undefined ? undefined : own.offeredSnapshot();
    const record = {
      ...{ node, boot: this.#boot, address, rules, version, syncedSeq: own.syncedSeq },
      ...{ snapshotSeq: offered?.seq ?? 0, snapshotState: offered?.stateHash },
    };
    const revision = await (this.#store as EtcdStore).tell(record, this.#recordRevision);
    if (revision === undefined) {
      if ((await (this.#store as EtcdStore).venue()) === undefined) throw new StoreWentBack();
      const records = await (this.#store as EtcdStore).nodes();
      if (!records.some((other) => other.node === node))
        throw new Error(
          `Node ${node} was taken for lost while it was silent, and is forgotten. Start it again: it joins anew.`,
        );
      throw new Error(`Another process has started as node ${node}: each node needs a name of its own.`);
    }
    this.#recordRevision = revision;
  }

  async #keepRecord(address: string): Promise<void> {
    if (this.#isClosed || this.#fault !== undefined) return;
    // A share that hangs must hold up nothing else.
    void this.#archiving?.round(this.#isLeading);
    if (this.#isRecording) return;
    this.#isRecording = true;
    try {
      await this.#tellRecord(address);
      if (this.#isLeading) await this.#takeOut();
    } catch (error) {
      if (!["ETCD_AWAY", "ETCD_FULL"].includes((error as { code?: string }).code ?? ""))
        this.#fail(faultOf(error as Error));
    } finally {
      this.#isRecording = false;
    }
  }

  async #takeOut(): Promise<void> {
    const { store, ordering } = this.#parts as Parts;
    const due = this.#retention.due(await store.nodes(), this.#archiving?.wholeSeq);
    const { leader } = ordering;
    if (due === undefined || leader === undefined) return;
    if (await store.takeOut(leader.term, due)) this.#retention.began(due);
  }

  // --- What the rules do
  // ------------------------------------------------------------------------------------------------------

  #commit(group: LogGroup, place: number | undefined, token: number | undefined): void {
    const { own, ordering } = this.#parts as Parts;
    const lastSeq = lastSeqOf(group);
    own.store(group);
    this.#committed = { seq: lastSeq, timeMs: group.timeMs };
    if (place !== undefined) this.#retention.passed(place, ordering.tail);
    if (this.#follower === undefined) return;
    this.#lagMs = Math.max(0, this.#clock.now() - group.timeMs);
    this.#follower.onCommitted({ ...group, token }, this.#lagMs);
    if (place !== undefined) this.#barrier.reached(place);
  }

  #lead(isLeader: boolean): void {
    if (this.#isLeading === isLeader) return;
    this.#isLeading = isLeader;
    this.#onLeading?.(isLeader);
  }

  #fail(fault: LogFault): void {
    if (this.#fault !== undefined || this.#isClosed) return;
    this.#fault = fault;
    for (const timer of this.#timers) clearInterval(timer);
    this.#parts?.reader.stop();
    this.#lead(false);
    if (this.#opening !== undefined) this.#opening.reject(fault);
    else this.#follower?.onFault(fault);
  }
}

function faultOf(error: Error): LogFault {
  return error instanceof LogFault ? error : new LogFault("agreement", "CLUSTER", error.message, { cause: error });
}
