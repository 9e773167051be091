/**
 * Nodes and the store in a world made of a seed: calls are late, lost before or behind their effect, and come twice;
 * watches lag, fall silent and end; leases run out; nodes die, sleep, lose their disks and the way to each other; what
 * two of them hold leaves the store. Afterwards nothing that was answered may be missing or be there twice, no read may
 * have missed what was answered before, and when the faults end, everything must be answered within a bound.
 */
import assert from "node:assert/strict";
import type { Base, Tail } from "../../src/cluster/entry.ts";
import { Ordering } from "../../src/cluster/ordering/ordering.ts";
import type { Forward, OrderingPorts } from "../../src/cluster/ordering/ports.ts";
import { ReadBarrier } from "../../src/cluster/read-barrier.ts";
import type { OrderStore, PlacedGroup, StoreEvent, WatchHandlers } from "../../src/cluster/store.ts";
import { StoreReader } from "../../src/cluster/store-reader.ts";
import { chainHash, genesisHash, type LogGroup, lastSeqOf } from "../../src/log/chain.ts";
import { xorshift } from "../support/xorshift.ts";
import { ModelStore } from "./model-store.ts";

const STEP_MS = 10;
const TICK_MS = 30;
const CALL_MS = 500;
const LEASE_MS = 3_000;
/** When the faults are over everything must be answered within this time. */
const BOUND_MS = 30_000;
const UNDER_WAY_MAX = 2;
const GENESIS: Tail = { seq: 0, hash: genesisHash(1, "world"), timeMs: 0 };

export interface WorldOptions {
  readonly seed: number;
  readonly steps: number;
}

export interface WorldReport {
  readonly committed: number;
  readonly acknowledged: number;
  readonly reads: number;
  readonly terms: number;
}

interface StoredGroup {
  readonly group: LogGroup;
  readonly end: Tail;
  /** Undefined: it came from another node, behind which the store had taken it out. */
  readonly place: number | undefined;
}

/** What is left of a node when its process ends. */
interface Disk {
  groups: StoredGroup[];
  /** So many of them are there for good. */
  synced: number;
}

interface Running {
  readonly boot: string;
  readonly ordering: Ordering;
  readonly reader: StoreReader;
  readonly barrier: ReadBarrier;
  nextToken: number;
  readonly told: Set<number>;
  leaseUntil: number;
  isLeaving: boolean;
  /** Whether it gave a leader anything to order, itself or another node. */
  hasPut: boolean;
}

interface Watch {
  readonly node: Node;
  readonly handlers: WatchHandlers;
  next: number;
  silentUntil: number;
  isOver: boolean;
}

interface Due {
  readonly at: number;
  readonly run: () => void;
}

class Node {
  readonly name: string;
  disk: Disk = { groups: [], synced: 0 };
  running: Running | undefined;
  pausedUntil = 0;
  /** It does not reach the store. */
  cutUntil = 0;
  readonly inbox: (() => void)[] = [];
  startAt = 0;

  constructor(name: string) {
    this.name = name;
  }

  get tail(): Tail {
    return this.disk.groups.at(-1)?.end ?? GENESIS;
  }
}

export class World {
  readonly #random: () => number;
  readonly #nodes: readonly Node[] = ["a", "b", "c"].map((name) => new Node(name));
  readonly #store = new ModelStore({ place: 0, seq: 0, hash: hexOf(GENESIS.hash), timeMs: 0 });
  readonly #due: Due[] = [];
  #watches: Watch[] = [];
  #now = 0;
  #boots = 0;
  #isCalm = false;
  /** The store has no quorum; it has no room. */
  #awayUntil = 0;
  #fullUntil = 0;
  /** Ways between nodes that nothing comes over, as `from to`. */
  readonly #cutWays = new Map<string, number>();
  /** What nodes took for final, by first seq: the hash behind it and who proposed it. */
  readonly #final = new Map<number, { readonly hash: string; readonly by: string }>();
  readonly #finalBy = new Map<string, number>();
  readonly #acknowledged = new Map<string, number>();
  /** The last seq that anybody was answered for. */
  #answeredSeq = 0;
  #reads = 0;
  #alone = 0;
  #terms = 0;

  private constructor(seed: number) {
    this.#random = xorshift(seed);
  }

  static run({ seed, steps }: WorldOptions): WorldReport {
    const world = new World(seed);
    for (let step = 0; step < steps; step++) world.#step();
    world.#heal();
    return {
      committed: world.#final.size,
      acknowledged: world.#acknowledged.size,
      reads: world.#reads,
      terms: world.#terms,
    };
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick(): Node {
    return this.#nodes[Math.floor(this.#random() * this.#nodes.length)] as Node;
  }

  #step(): void {
    this.#now += STEP_MS;
    if (!this.#isCalm) this.#trouble();
    for (const node of this.#nodes) if (node.running === undefined && node.startAt <= this.#now) this.#start(node);
    const due = this.#due.filter(({ at }) => at <= this.#now).sort((one, other) => one.at - other.at);
    for (const one of due) this.#due.splice(this.#due.indexOf(one), 1);
    for (const one of due) one.run();
    if (this.#awayUntil <= this.#now) this.#expire();
    this.#tellWatches();
    for (const node of this.#nodes) this.#live(node);
  }

  #live(node: Node): void {
    if (node.pausedUntil > this.#now) return;
    for (const hear of node.inbox.splice(0)) hear();
    const { running, disk } = node;
    if (running === undefined) return;
    if (disk.synced < disk.groups.length && this.#chance(0.3)) disk.synced = disk.groups.length;
    if (this.#now % TICK_MS === 0) {
      running.reader.tick();
      if (running.reader.isFollowing) running.ordering.tick();
    }
    // The lease is kept while the node is there and reaches the store.
    if (this.#reaches(node)) running.leaseUntil = this.#now + LEASE_MS;
    if (this.#chance(0.1)) this.#propose(running);
    if (this.#chance(0.05)) this.#ask(node, running);
  }

  #expire(): void {
    const alive = (boot: string) =>
      this.#nodes.some(({ running }) => running?.boot === boot && running.leaseUntil > this.#now);
    const { leader } = this.#store;
    if (leader === undefined || alive(leader.boot)) return;
    // The process of a node that has ended keeps its lease until that runs out.
    if (this.#chance(0.01)) this.#store.drop(({ boot }) => boot === leader.boot);
  }

  #reaches(node: Node): boolean {
    return node.cutUntil <= this.#now && this.#awayUntil <= this.#now;
  }

  // --- What goes wrong
  // --------------------------------------------------------------------------------------------------------

  #trouble(): void {
    if (this.#chance(0.003)) this.#kill(this.#pick(), 100 + this.#random() * 3_000);
    if (this.#chance(0.003)) this.#pick().pausedUntil = this.#now + 50 + this.#random() * 5_000;
    if (this.#chance(0.003)) this.#pick().cutUntil = this.#now + this.#random() * 3_000;
    if (this.#chance(0.001)) this.#awayUntil = this.#now + this.#random() * 3_000;
    if (this.#chance(0.0005)) this.#fullUntil = this.#now + this.#random() * 3_000;
    if (this.#chance(0.0003)) for (const node of this.#nodes) this.#kill(node, 100 + this.#random() * 1_000);
    if (this.#chance(0.002)) this.#store.drop(() => true);
    if (this.#chance(0.002))
      this.#cutWays.set(`${this.#pick().name} ${this.#pick().name}`, this.#now + this.#random() * 4_000);
    if (this.#chance(0.01)) this.#takeOut();
    for (const watch of this.#watches) {
      // Some never say anything again, nor end.
      if (this.#chance(0.001))
        watch.silentUntil = this.#chance(0.5) ? Number.POSITIVE_INFINITY : this.#now + this.#random() * 5_000;
      if (this.#chance(0.002)) this.#endWatch(watch);
    }
    if (this.#chance(0.0005)) this.#loseDisk();
    if (this.#chance(0.0005)) this.#leave(this.#pick());
    if (this.#chance(0.005)) this.#orderAlone();
  }

  /** What the leader orders by itself goes by a state in which all that was ordered before has been applied. */
  #orderAlone(): void {
    const node = this.#nodes.find(({ running }) => running?.ordering.isLeader);
    node?.running?.ordering.orderAlone(() => {
      const { ordering } = node.running as Running;
      const leads = this.#store.leader?.term === ordering.leader?.term;
      assert.ok(!leads || ordering.place === this.#store.last, "what is ordered alone was not ordered behind all else");
      return { payload: Buffer.from(`alone-${this.#alone++}`), count: 1 };
    });
  }

  /** It hands over what it leads, and ends when the faults do. */
  #leave({ running }: Node): void {
    if (running === undefined) return;
    running.isLeaving = true;
    running.ordering.leave();
  }

  /** Takes out of the store what two disks hold, as the leader does. */
  #takeOut(): void {
    const held = this.#nodes.map(({ disk }) =>
      disk.groups.slice(0, disk.synced).findLast(({ place }) => place !== undefined),
    );
    const [, second] = held.toSorted((one, other) => (other?.end.seq ?? 0) - (one?.end.seq ?? 0));
    if (second?.place === undefined) return;
    const { seq, hash, timeMs } = second.end;
    this.#store.takeOut({ place: second.place, seq, hash: hexOf(hash), timeMs });
  }

  /** One node at a time, and only where another one has all that has left the store. */
  #loseDisk(): void {
    const node = this.#pick();
    const { base } = this.#store;
    const holds = ({ disk }: Node) =>
      (disk.groups[disk.synced - 1]?.end.seq ?? 0) >= base.seq && disk.groups[0]?.group.firstSeq === 1;
    if (!this.#nodes.some((other) => other !== node && (base.seq === 0 || holds(other)))) return;
    this.#kill(node, 100);
    node.disk = { groups: [], synced: 0 };
  }

  #heal(): void {
    this.#isCalm = true;
    this.#awayUntil = 0;
    this.#fullUntil = 0;
    this.#cutWays.clear();
    for (const node of this.#nodes) {
      if (node.running?.isLeaving) this.#kill(node, 0);
      node.pausedUntil = 0;
      node.cutUntil = 0;
      node.startAt = 0;
    }
    const until = this.#now + BOUND_MS;
    const since = this.#terms;
    while (!this.#isSettled()) {
      this.#step();
      assert.ok(this.#now < until, `the nodes do not come together: ${this.#whereTheyAre()}`);
    }
    assert.ok(this.#terms - since < 40, `the nodes lead in turns: ${this.#terms - since} terms`);
    this.#checkLogs();
  }

  #isSettled(): boolean {
    const { leader } = this.#store;
    if (leader === undefined) return false;
    return this.#nodes.every(({ running, tail }) => {
      if (running === undefined || !running.reader.isFollowing) return false;
      const waits = running.nextToken - 1 - running.told.size;
      if (running.ordering.leader?.term !== leader.term) return false;
      return waits === 0 && running.ordering.place === this.#store.last && tail.seq === running.ordering.tail.seq;
    });
  }

  #whereTheyAre(): string {
    const each = this.#nodes.map(({ name, running }) => {
      if (running === undefined) return `${name} is down`;
      const { ordering, reader, nextToken, told } = running;
      return (
        `${name} is at ${ordering.place}, ${reader.isFollowing ? "follows" : "does not follow"}, waits for ` +
        `${nextToken - 1 - told.size}, knows ${ordering.leader?.node}`
      );
    });
    return `${each.join("; ")}; the store ends at ${this.#store.last}, ${this.#store.leader?.node} leads`;
  }

  /** Everything that was final stands on the disks, and everything that was acknowledged is final. */
  #checkLogs(): void {
    for (const { name, disk } of this.#nodes) {
      const hashes = new Map(disk.groups.map(({ group, end }) => [group.firstSeq, hexOf(end.hash)]));
      const first = disk.groups[0]?.group.firstSeq ?? 0;
      for (const [firstSeq, { hash }] of this.#final) {
        if (firstSeq >= first)
          assert.equal(hashes.get(firstSeq), hash, `node ${name} lost the group at seq ${firstSeq}`);
      }
    }
    for (const [by, firstSeq] of this.#acknowledged)
      assert.equal(this.#final.get(firstSeq)?.by, by, `what ${by} was told of is not in the log`);
  }

  // --- Nodes
  // ------------------------------------------------------------------------------------------------------------------

  #kill(node: Node, downMs: number): void {
    for (const watch of this.#watches) if (watch.node === node) watch.isOver = true;
    node.running = undefined;
    node.inbox.length = 0;
    node.pausedUntil = 0;
    node.startAt = this.#now + downMs;
    node.disk.groups.length = Math.min(node.disk.groups.length, node.disk.synced);
  }

  #start(node: Node): void {
    const boot = `${node.name}${this.#boots++}`;
    const { tail } = node;
    const place = this.#placeOf(node);
    const isOwn = () => node.running?.boot === boot;
    const store = this.#storeOf(node, boot);
    const ports: OrderingPorts = {
      now: () => this.#now,
      timeMs: () => 1_000_000 + this.#now + Math.floor(this.#random() * 400 - 200),
      store,
      forward: (to, forward) => {
        if (node.running?.boot === boot) node.running.hasPut = true;
        this.#forward(node, to.boot, forward);
      },
      ask: (leader) =>
        this.#say(
          node,
          leader.boot,
          (other, running) => {
            if (!running.ordering.leadsBy(leader.term)) return;
            this.#say(other, boot, (_, own) => own.ordering.heard(leader.term));
          },
          () => this.#tell(node, 5, (own) => own.ordering.isGone(leader.term)),
        ),
      commit: (group, at, token) => isOwn() && this.#commit(node, group, at, token),
      leads: (isLeader) => {
        if (isLeader) this.#terms++;
        if (isLeader && node.running?.boot === boot) node.running.hasPut = true;
      },
      note: () => {},
      fail: (error) => {
        if (error.name !== "FateUnknown") throw error;
        assert.ok(node.running?.hasPut, `node ${node.name} ended over proposals that it had put nowhere`);
        this.#later(0, () => isOwn() && this.#kill(node, 300));
      },
    };
    const ordering = new Ordering({ node: node.name, boot, tail, place }, ports);
    const reader: StoreReader = new StoreReader(place, store, () => this.#now, {
      group: (group) => ordering.group(group),
      leader: (leader) => ordering.leads(leader),
      missing: (base) => this.#fetch(node, base),
      fail: (error) => {
        throw error;
      },
      isFull: () => node.disk.groups.length - node.disk.synced > 40,
    });
    const barrier = new ReadBarrier({
      store,
      place: () => ordering.place,
      later: (ms, run) => this.#tell(node, ms, run),
    });
    node.running = {
      ...{ boot, ordering, reader, barrier, nextToken: 1, told: new Set<number>() },
      ...{ leaseUntil: this.#now + LEASE_MS, isLeaving: false, hasPut: false },
    };
    reader.start();
  }

  /** Where the copy of a node ends in the store: as joining finds out. */
  #placeOf({ disk }: Node): number {
    const last = disk.groups.at(-1);
    if (last === undefined) return 0;
    return last.place ?? (last.end.seq === this.#store.base.seq ? this.#store.base.place : 0);
  }

  /** Groups that have left the store come from the disk of another node. */
  #fetch(node: Node, base: Base): void {
    this.#tell(node, 20 + this.#random() * 100, ({ ordering, reader, barrier }) => {
      const other = this.#nodes.find(
        ({ disk }) => disk.groups.some(({ end }) => end.seq === base.seq) && disk.groups[0]?.group.firstSeq === 1,
      );
      if (other === undefined || other === node) {
        this.#fetch(node, base);
        return;
      }
      const missing = other.disk.groups.filter(({ end }) => end.seq > ordering.tail.seq && end.seq <= base.seq);
      ordering.fetched(missing.map(({ group }) => group));
      // It failed: what was under way there cannot be known.
      if (ordering.tail.seq !== base.seq) return;
      assert.equal(hexOf(ordering.tail.hash), base.hash);
      ordering.goOn(base.place);
      barrier.reached(base.place);
      reader.goOn(base.place);
    });
  }

  #propose(running: Running): void {
    if (running.nextToken - 1 - running.told.size >= UNDER_WAY_MAX || this.#isCalm) return;
    const text = `${running.boot}-${running.nextToken}`;
    running.ordering.propose(Buffer.from(text), 1 + Math.floor(this.#random() * 3), running.nextToken++);
  }

  /** A client that asks a node must find what anybody was answered before. */
  #ask(node: Node, { ordering, barrier, reader }: Running): void {
    if (!reader.isFollowing && this.#chance(0.5)) return;
    const answered = this.#answeredSeq;
    barrier.ask((isCurrent) => {
      if (!isCurrent) return;
      this.#reads++;
      assert.ok(
        ordering.tail.seq >= answered,
        `node ${node.name} served seq ${ordering.tail.seq} after seq ${answered} was answered`,
      );
    });
  }

  #commit(node: Node, group: LogGroup, place: number | undefined, token: number | undefined): void {
    const running = node.running as Running;
    const before = node.tail;
    assert.equal(group.firstSeq, before.seq + 1, `node ${node.name} has a gap or a group twice`);
    assert.ok(group.timeMs >= before.timeMs, "time fell");
    const end = { seq: lastSeqOf(group), hash: chainHash(before.hash, group), timeMs: group.timeMs };
    node.disk.groups.push({ group, end, place });
    const by = Buffer.from(group.payload).toString();
    const known = this.#final.get(group.firstSeq);
    if (known === undefined) {
      const twice = this.#finalBy.get(by);
      assert.equal(twice, undefined, `${by} is in the log at seq ${twice} and at seq ${group.firstSeq}`);
      this.#final.set(group.firstSeq, { hash: hexOf(end.hash), by });
      this.#finalBy.set(by, group.firstSeq);
    } else assert.equal(hexOf(end.hash), known.hash, `node ${node.name} has another group at seq ${group.firstSeq}`);
    if (place !== undefined) running.barrier.reached(place);
    if (token === undefined) return;
    assert.equal(by, `${running.boot}-${token}`, "an answer went to the wrong request");
    running.told.add(token);
    this.#acknowledged.set(by, group.firstSeq);
    this.#answeredSeq = Math.max(this.#answeredSeq, end.seq);
  }

  // --- Between nodes
  // ----------------------------------------------------------------------------------------------------------

  #forward(from: Node, boot: string, forward: Forward): void {
    const copy = { ...forward, payload: new Uint8Array(forward.payload) };
    this.#say(from, boot, (_, { ordering }) => ordering.forwarded(copy));
  }

  #say(from: Node, boot: string, hear: (node: Node, running: Running) => void, ifGone?: () => void): void {
    const to = this.#nodes.find(({ running }) => running?.boot === boot);
    if (to === undefined) {
      ifGone?.();
      return;
    }
    if (!this.#isCalm && this.#chance(0.03)) return;
    if ((this.#cutWays.get(`${from.name} ${to.name}`) ?? 0) > this.#now) return;
    this.#tell(to, this.#random() * 30, (running) => hear(to, running));
  }

  #later(ms: number, run: () => void): void {
    this.#due.push({ at: this.#now + ms, run });
  }

  /** To the process that runs now, when it is not paused. */
  #tell(node: Node, ms: number, hear: (running: Running) => void): void {
    const boot = node.running?.boot;
    if (boot === undefined) return;
    this.#later(ms, () => {
      if (node.running?.boot !== boot) return;
      node.inbox.push(() => {
        if (node.running?.boot === boot) hear(node.running);
      });
    });
  }

  // --- The store as a node reaches it
  // -----------------------------------------------------------------------------------------

  /** A call: has its effect or not, late, and its answer comes or not. `undefined` stands for no answer. */
  #call<Answer>(node: Node, boot: string, effect: () => Answer, done: (answer: Answer | undefined) => void): void {
    let isDone = false;
    const answer = (value: Answer | undefined) => {
      if (isDone) return;
      isDone = true;
      if (node.running?.boot === boot || node.running === undefined) this.#answer(node, boot, () => done(value));
    };
    const lateMs = !this.#isCalm && this.#chance(0.03) ? this.#random() * 2_000 : 1 + this.#random() * 15;
    const isCut = () => !this.#reaches(node);
    if (!isCut() || this.#chance(0.3)) {
      this.#later(lateMs, () => {
        // What was on its way when the store lost its quorum may come in when it has one again.
        if (this.#awayUntil > this.#now) {
          if (this.#chance(0.5)) this.#later(this.#awayUntil - this.#now, effect);
          return;
        }
        const value = effect();
        if (!isCut() && (this.#isCalm || !this.#chance(0.02)))
          this.#later(1 + this.#random() * 15, () => answer(value));
      });
      // A network that has swallowed nothing may still hand something over twice.
      if (!this.#isCalm && this.#chance(0.05))
        this.#later(lateMs + this.#random() * 3_000, () => this.#awayUntil <= this.#now && effect());
    }
    this.#later(CALL_MS, () => answer(undefined));
  }

  #answer(node: Node, boot: string, run: () => void): void {
    node.inbox.push(() => {
      if (node.running?.boot === boot) run();
    });
  }

  #storeOf(node: Node, boot: string): OrderStore {
    const { name } = node;
    return {
      put: (term, groups, done) => {
        const copy = groups.map(copyOf);
        const put = () => (this.#fullUntil > this.#now ? "full" : this.#store.put(term, copy));
        this.#call(node, boot, put, (outcome) => done(outcome ?? "unknown"));
      },
      lead: (over, done) => {
        const lead = () => {
          // The lease of a process that has ended is revoked with it, or runs out.
          if (node.running?.boot === boot) this.#store.lead(over, { node: name, boot, address: boot });
        };
        this.#call(node, boot, lead, () => done());
      },
      resign: (term) =>
        this.#call(
          node,
          boot,
          () => this.#store.drop((leader) => leader.term === term),
          () => {},
        ),
      read: (from, done) => this.#call(node, boot, () => this.#store.read(from), done),
      endFrom: (from, done) => this.#call(node, boot, () => this.#store.endFrom(from), done),
      watch: (revision, handlers) => {
        const watch: Watch = { node, handlers, next: revision, silentUntil: 0, isOver: false };
        this.#watches.push(watch);
        return () => {
          watch.isOver = true;
        };
      },
    };
  }

  #tellWatches(): void {
    this.#watches = this.#watches.filter(({ isOver }) => !isOver);
    for (const watch of this.#watches) {
      if (watch.silentUntil > this.#now || !this.#reaches(watch.node) || !this.#chance(0.7)) continue;
      const events = this.#store.eventsFrom(watch.next);
      if (events === undefined) {
        this.#endWatch(watch);
        continue;
      }
      if (events.length === 0) continue;
      // All of one revision come together, as etcd hands them out.
      const upTo = (events[Math.floor(this.#random() * Math.min(events.length, 6))] as StoreEvent).revision;
      const told = events.filter(({ revision }) => revision <= upTo);
      watch.next = upTo + 1;
      const { boot } = watch.node.running as Running;
      this.#answer(watch.node, boot, () => {
        if (!watch.isOver) watch.handlers.onEvents(told);
      });
    }
  }

  #endWatch(watch: Watch): void {
    const { boot } = watch.node.running ?? {};
    if (boot === undefined) return;
    this.#answer(watch.node, boot, () => {
      if (watch.isOver) return;
      watch.isOver = true;
      watch.handlers.onEnd();
    });
  }
}

/** The payload of a group is lent to the store for as long as the call lasts. */
function copyOf({ place, entry }: PlacedGroup): PlacedGroup {
  return { place, entry: { ...entry, payload: new Uint8Array(entry.payload) } };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
