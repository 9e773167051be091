/**
 * Nodes, streams and disks without a machine: everything that may go wrong between nodes goes wrong here, by a seed. After each step what
 * nodes took for final is held against each other; at the end all is well again, and they must come to one log.
 */
import assert from "node:assert/strict";
import { Agreement } from "../../src/cluster/agreement/agreement.ts";
import type { AgreementPorts, FetchedGroup, Standing, Tail } from "../../src/cluster/agreement/ports.ts";
import type { Entry, Origin } from "../../src/cluster/entry.ts";
import type { Message } from "../../src/cluster/message.ts";
import { chainHash, genesisHash, type LogGroup, lastSeqOf } from "../../src/log/chain.ts";
import { xorshift } from "../support/xorshift.ts";

const STEP_MS = 10;
const GENESIS_SEQ = 0;

/** What a planted fault changes in the world around the rules; those in the rules are planted in their text. */
export interface WorldOptions {
  readonly seed: number;
  readonly steps: number;
  readonly AgreementClass?: typeof Agreement;
}

interface StoredGroup {
  readonly group: LogGroup;
  readonly end: Tail;
}

/** What is left of a node when its process ends. */
interface Disk {
  standing: Standing;
  venueId: string | undefined;
  readonly groups: StoredGroup[];
}

interface Running {
  readonly agreement: Agreement;
  readonly boot: string;
  /** Handed to the disk and not there yet. */
  readonly storing: StoredGroup[];
  /** How far it has applied: a log is not cut behind it. */
  appliedSeq: number;
  nextToken: number;
  /** Committed by tokens of this process: who waited was told. */
  readonly told: Set<number>;
  readonly origins: Map<number, Origin>;
}

interface Due {
  readonly at: number;
  readonly run: () => void;
}

export interface WorldReport {
  readonly committed: number;
  readonly acknowledged: number;
  readonly generations: number;
  readonly terms: number;
}

class Node {
  readonly name: string;
  readonly disk: Disk = { standing: { promised: 0, adopted: 0 }, venueId: undefined, groups: [] };
  running: Running | undefined;
  pausedUntil = 0;
  readonly inbox: (() => void)[] = [];
  startAt = 0;

  constructor(name: string) {
    this.name = name;
  }
}

export class World {
  readonly #random: () => number;
  readonly #names = ["a", "b", "c"];
  readonly #nodes: readonly Node[];
  readonly #AgreementClass: typeof Agreement;
  /** Entries by slot; the first has number 1. */
  #streams: Entry[][] = [[], [], []];
  readonly #stuckUntil = [0, 0, 0];
  readonly #due: Due[] = [];
  #now = 0;
  #boots = 0;
  #isCalm = false;
  /** What nodes took for final, by first seq: the hash behind it and who proposed it. */
  readonly #final = new Map<number, { readonly hash: string; readonly by: string }>();
  readonly #finalBy = new Map<string, number>();
  /** What proposers were told. */
  readonly #acknowledged = new Map<string, number>();
  #terms = 0;

  constructor({ seed, AgreementClass = Agreement }: WorldOptions) {
    this.#random = xorshift(seed);
    this.#AgreementClass = AgreementClass;
    this.#nodes = this.#names.map((name) => new Node(name));
  }

  static run(options: WorldOptions): WorldReport {
    const world = new World(options);
    for (let step = 0; step < options.steps; step++) world.#step();
    world.#heal();
    return world.#report();
  }

  #step(): void {
    this.#now += STEP_MS;
    if (!this.#isCalm) this.#trouble();
    for (const node of this.#nodes) if (node.running === undefined && node.startAt <= this.#now) this.#start(node);
    const due = this.#due.filter(({ at }) => at <= this.#now).sort((one, other) => one.at - other.at);
    for (const one of due) {
      this.#due.splice(this.#due.indexOf(one), 1);
      one.run();
    }
    for (const node of this.#nodes) {
      if (node.pausedUntil > this.#now) continue;
      for (const hear of node.inbox.splice(0)) hear();
      if (node.running !== undefined && this.#now % 30 === 0) node.running.agreement.tick();
      if (this.#random() < 0.1) this.#propose(node);
    }
  }

  /** Any of what can happen to machines. */
  #trouble(): void {
    const pick = () => this.#nodes[Math.floor(this.#random() * this.#nodes.length)] as Node;
    const chance = (share: number) => this.#random() < share;
    if (chance(0.002)) this.#kill(pick(), 200 + this.#random() * 3_000);
    if (chance(0.002)) pick().pausedUntil = this.#now + 100 + this.#random() * 4_000;
    if (chance(0.0015)) this.#stuckUntil[Math.floor(this.#random() * 3)] = this.#now + this.#random() * 8_000;
    if (chance(0.0002)) for (const node of this.#nodes) this.#kill(node, 100 + this.#random() * 1_000);
    if (chance(0.0002)) this.#streams = [[], [], []];
  }

  #heal(): void {
    this.#isCalm = true;
    this.#stuckUntil.fill(0);
    for (const node of this.#nodes) {
      node.pausedUntil = 0;
      node.startAt = 0;
    }
    for (let waited = 0; waited < 3_000; waited++) {
      this.#step();
      const seqs = this.#nodes.map(({ running }) => running?.agreement.committedSeq ?? -1);
      const areIdle = this.#nodes.every(({ running }) => running !== undefined && running.storing.length === 0);
      if (waited > 1_500 && areIdle && Math.max(...seqs) - Math.min(...seqs) < 4) break;
      assert.ok(waited < 2_999, `the nodes do not come together again: ${seqs.join(" ")}`);
    }
    this.#checkLogs();
  }

  /** Everything that was final stands on the disks, and nothing twice. */
  #checkLogs(): void {
    for (const { name, disk } of this.#nodes) {
      const hashes = new Map(disk.groups.map(({ group, end }) => [group.firstSeq, hexOf(end.hash)]));
      const last = disk.groups.at(-1)?.end.seq ?? 0;
      for (const [firstSeq, { hash }] of this.#final) {
        if (firstSeq <= last - 20)
          assert.equal(hashes.get(firstSeq), hash, `node ${name} lost the group at seq ${firstSeq}`);
      }
    }
    for (const [by, firstSeq] of this.#acknowledged) {
      assert.equal(this.#final.get(firstSeq)?.by, by, `what ${by} was told of is not in the log`);
    }
  }

  #report(): WorldReport {
    return {
      committed: this.#final.size,
      acknowledged: this.#acknowledged.size,
      generations: Math.max(...this.#nodes.map(({ disk }) => disk.standing.adopted)),
      terms: this.#terms,
    };
  }

  #kill(node: Node, downMs: number): void {
    node.running = undefined;
    node.inbox.length = 0;
    node.pausedUntil = 0;
    node.startAt = this.#now + downMs;
  }

  #start(node: Node): void {
    const { disk } = node;
    const boot = (this.#boots++).toString(16).padStart(32, "0");
    const ports = this.#portsOf(node, boot);
    const agreement = new this.#AgreementClass(
      {
        ...{ node: node.name, nodes: this.#names, boot, standing: disk.standing, venueId: disk.venueId },
        tail: tailOf(disk),
        genesisOf: (venueId) => genesisHash(1, venueId),
      },
      ports,
    );
    const own = { storing: [], appliedSeq: 0, nextToken: 1, told: new Set<number>(), origins: new Map() };
    node.running = { agreement, boot, ...own };
  }

  #propose(node: Node): void {
    const { running } = node;
    if (running === undefined || running.nextToken - 1 - running.told.size >= 2) return;
    const payload = new Uint8Array(8);
    payload.set([...running.boot.slice(-4)].map((char) => char.charCodeAt(0)));
    new DataView(payload.buffer).setUint32(4, running.nextToken);
    running.agreement.propose(payload, 1 + Math.floor(this.#random() * 3), running.nextToken++);
  }

  #later(ms: number, run: () => void): void {
    this.#due.push({ at: this.#now + ms, run });
  }

  /** To the process that runs now, when it is not paused. */
  #tell(node: Node, ms: number, hear: (running: Running) => void): void {
    const { running } = node;
    if (running === undefined) return;
    this.#later(ms, () => {
      if (node.running === running) node.inbox.push(() => node.running === running && hear(running));
    });
  }

  #portsOf(node: Node, boot: string): AgreementPorts {
    const { disk, name } = node;
    const isOwn = () => node.running?.boot === boot;
    const delay = () => this.#random() * 30;
    const self = () => node.running as Running;
    return {
      now: () => this.#now,
      timeMs: () => 1_000_000 + this.#now + Math.floor(this.#random() * 40),
      send: (message) => {
        for (const other of this.#nodes) {
          if (other === node || ("to" in message && message.to !== other.name)) continue;
          if (!this.#isCalm && this.#random() < 0.02) continue;
          const copy = copyOf(message);
          this.#tell(other, delay(), ({ agreement }) => agreement.received(copy));
        }
      },
      publish: (slot, entry, expected) => {
        const copy = copyOf(entry);
        // A publication may be long on its way, and reach a stream when its sender is no more.
        this.#later(this.#random() < 0.05 ? this.#random() * 3_000 : delay(), () =>
          this.#enter(node, boot, slot, copy, expected),
        );
      },
      seed: (slot, entry) => {
        const stream = this.#streams[slot] as Entry[];
        const expected = stream.length;
        const last = stream.at(-1);
        if (last !== undefined && last.generation >= entry.generation) {
          this.#readEntries(node, slot, 1, expected);
          return;
        }
        this.#later(delay(), () => this.#enter(node, boot, slot, entry, expected));
      },
      readEntries: (slot, from, to) => this.#readEntries(node, slot, from, to),
      readGroups: ({ seq, hash }, toSeq) => {
        for (const other of this.#nodes) {
          if (other === node || other.running === undefined || other.pausedUntil > this.#now) continue;
          const { groups } = other.disk;
          if ((groups.at(-1)?.end.seq ?? 0) < seq) continue;
          const before = seq === GENESIS_SEQ ? undefined : groups.find(({ end }) => end.seq === seq);
          const fits = seq === GENESIS_SEQ || (before !== undefined && hexOf(before.end.hash) === hexOf(hash));
          const { agreement } = other.running;
          const found = groups
            .filter(({ group }) => group.firstSeq > seq && lastSeqOf(group) <= toSeq)
            .slice(0, 50)
            .map(({ group }): FetchedGroup => ({ ...group, origin: agreement.originOf(group.firstSeq) }));
          this.#tell(node, delay(), (running) =>
            fits ? running.agreement.fetched(found) : running.agreement.strayed(seq),
          );
        }
      },
      begin: (venueId) => {
        disk.venueId = venueId;
        this.#tell(node, delay(), ({ agreement }) => agreement.began(venueId, tailOf(disk)));
      },
      cut: (seq) => {
        if (self().appliedSeq > seq || self().storing.length > 0) return false;
        while ((disk.groups.at(-1)?.end.seq ?? 0) > seq) disk.groups.pop();
        this.#tell(node, delay(), ({ agreement }) => agreement.began(disk.venueId as string, tailOf(disk)));
        return true;
      },
      store: (group) => {
        const before = self().storing.at(-1)?.end ?? tailOf(disk);
        const end = { seq: lastSeqOf(group), hash: chainHash(before.hash, group), timeMs: group.timeMs };
        assert.equal(group.firstSeq, before.seq + 1);
        assert.ok(group.timeMs >= before.timeMs, "time fell");
        self().storing.push({ group, end });
        this.#tell(node, this.#random() * 20, (running) => {
          disk.groups.push(running.storing.shift() as StoredGroup);
          running.agreement.stored((disk.groups.at(-1) as StoredGroup).end.seq);
        });
      },
      promise: (standing) => {
        if (isOwn()) disk.standing = standing;
        else disk.standing = standing;
      },
      commit: (group, token) => this.#finish(node, group, token),
      leads: (isLeader) => {
        if (isLeader) this.#terms++;
      },
      note: () => {},
      fail: (error) => {
        if (error.name === "LogsDiffer") throw error;
        assert.ok(["TailStrayed", "FateUnknown"].includes(error.name), `${name}: ${error.message}`);
        this.#later(0, () => isOwn() && this.#kill(node, 500));
      },
    };
  }

  #enter(node: Node, boot: string, slot: number, entry: Entry, expected: number): void {
    if ((this.#stuckUntil[slot] as number) > this.#now) return;
    const stream = this.#streams[slot] as Entry[];
    const last = stream.length;
    if (last !== expected) {
      if (node.running?.boot === boot) this.#tell(node, 5, ({ agreement }) => agreement.refused(slot, last));
      return;
    }
    stream.push(entry);
    for (const each of this.#nodes) {
      if (this.#random() < 0.03 && !this.#isCalm) continue;
      this.#tell(each, this.#random() * 30, ({ agreement }) => agreement.entered(slot, last + 1, copyOf(entry)));
    }
  }

  #readEntries(node: Node, slot: number, from: number, to: number): void {
    if ((this.#stuckUntil[slot] as number) > this.#now) return;
    const found = (this.#streams[slot] as Entry[]).slice(from - 1, to);
    if (found.length === 0) {
      this.#tell(node, 5, ({ agreement }) => agreement.missing(slot));
      return;
    }
    for (const [at, entry] of found.entries()) {
      this.#tell(node, 5, ({ agreement }) => agreement.entered(slot, from + at, copyOf(entry)));
    }
  }

  /** A node takes a group for final, and tells who proposed it. */
  #finish(node: Node, group: LogGroup, token: number | undefined): void {
    const running = node.running as Running;
    const stored = node.disk.groups.find(({ group: { firstSeq } }) => firstSeq === group.firstSeq);
    assert.ok(stored, `node ${node.name} took seq ${group.firstSeq} for final before it was on its disk`);
    const hash = hexOf(stored.end.hash);
    const by = `${String.fromCharCode(...group.payload.slice(0, 4))}-${new DataView(group.payload.buffer, group.payload.byteOffset).getUint32(4)}`;
    const known = this.#final.get(group.firstSeq);
    if (known === undefined) {
      const holders = this.#nodes.filter(({ disk }) => disk.groups.some(({ end }) => hexOf(end.hash) === hash));
      assert.ok(holders.length >= 2, `seq ${group.firstSeq} was final on one disk alone`);
      this.#final.set(group.firstSeq, { hash, by });
      const twice = this.#finalBy.get(by);
      assert.equal(twice, undefined, `${by} is in the log at seq ${twice} and at seq ${group.firstSeq}`);
      this.#finalBy.set(by, group.firstSeq);
    } else assert.equal(hash, known.hash, `node ${node.name} has another group at seq ${group.firstSeq}`);
    assert.ok(group.firstSeq > running.appliedSeq, `node ${node.name} applied seq ${group.firstSeq} twice`);
    running.appliedSeq = lastSeqOf(group);
    if (token === undefined) return;
    assert.equal(by, `${running.boot.slice(-4)}-${token}`, "an answer went to the wrong request");
    running.told.add(token);
    this.#acknowledged.set(by, group.firstSeq);
  }
}

function tailOf({ venueId, groups }: Disk): Tail {
  const end = groups.at(-1)?.end;
  if (end !== undefined) return end;
  return { seq: GENESIS_SEQ, hash: venueId === undefined ? new Uint8Array(0) : genesisHash(1, venueId), timeMs: 0 };
}

function copyOf<One extends Entry | Message>(one: One): One {
  return structuredClone(one);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
