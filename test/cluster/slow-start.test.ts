/**
 * A start takes as long as the log is to replay, and etcd may be away for a moment at any of its steps: neither ends a
 * node.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type GroupEntry, hexOf, type Leader, type Tail } from "../../src/cluster/entry.ts";
import { EtcdAway, EtcdClient } from "../../src/cluster/etcd/client.ts";
import { endOf } from "../../src/cluster/missing-groups.ts";
import { Ordering } from "../../src/cluster/ordering/ordering.ts";
import type { Forward, OrderingPorts } from "../../src/cluster/ordering/ports.ts";
import { ReplicatedLog } from "../../src/cluster/replicated-log.ts";
import type { Page, PlacedGroup } from "../../src/cluster/store.ts";
import { StoreReader } from "../../src/cluster/store-reader.ts";
import { genesisHash, type LogGroup } from "../../src/log/chain.ts";
import { openDataDir } from "../../src/log/data-dir.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const LEADER: Leader = { node: "b", boot: "b1", address: "b", term: 7 };
const GENESIS: Tail = { seq: 0, hash: genesisHash(1, "slow"), timeMs: 0 };
const PAYLOAD = new Uint8Array(8);

/** Groups of one command each, with what stands in the store of them. */
function groupsOf(count: number): readonly PlacedGroup[] {
  let tail = GENESIS;
  return Array.from({ length: count }, (_, at) => {
    const group = { firstSeq: at + 1, count: 1, timeMs: at + 1, payload: PAYLOAD };
    const origin = { node: "b", boot: "b1", token: at + 1 };
    const entry: GroupEntry = { ...group, prevHash: hexOf(tail.hash), origin };
    tail = endOf(tail, group);
    return { place: at + 1, entry };
  });
}

/** A node's ordering and reader over a store that answers at once, with `groups` behind the first `gone` of them. */
function nodeOver(groups: readonly PlacedGroup[]) {
  const forwarded: Forward[] = [];
  const failed: Error[] = [];
  const store = { gone: 0, end: 0 };
  const ports = {
    ...{ now: () => 0, timeMs: () => 0, note: () => {}, ask: () => {}, leads: () => {}, commit: () => {}, store: {} },
    forward: (_: Leader, forward: Forward) => forwarded.push(forward),
    fail: (error: Error) => failed.push(error),
  } as unknown as OrderingPorts;
  const ordering = new Ordering({ node: "a", boot: "a1", tail: GENESIS, place: 0 }, ports);
  const calls = {
    read: (from: number, done: (page: Page) => void) => {
      const base = { place: store.gone, seq: store.gone, hash: "", timeMs: 0 };
      const there = groups.slice(Math.max(store.gone, from - 1), store.end);
      done({ revision: store.end, base, groups: there, isWhole: true, leader: LEADER });
    },
    watch: () => () => {},
    endFrom: () => {},
  };
  const reader: StoreReader = new StoreReader(0, calls as never, () => 0, {
    group: (group) => ordering.group(group),
    leader: (leader) => ordering.leads(leader),
    missing: ({ place }) => {
      const missing = groups.slice(ordering.tail.seq, place).map(({ entry }): LogGroup => entry);
      ordering.fetched(missing);
      if (failed.length > 0) return;
      ordering.goOn(place);
      reader.goOn(place);
    },
    fail: (error) => failed.push(error),
    isFull: () => false,
  });
  return { forwarded, failed, store, ordering, reader };
}

test("what is proposed while the log is replayed waits, and goes to the leader when the node has caught up", () => {
  const { forwarded, failed, store, ordering, reader } = nodeOver(groupsOf(30));
  store.end = 10;
  reader.start();
  assert.equal(ordering.leader?.term, LEADER.term);
  reader.stop();
  ordering.rest();
  // Meanwhile the venue replays; others write snapshots, and groups leave the store.
  Object.assign(store, { gone: 20, end: 30 });
  ordering.propose(PAYLOAD, 1, 1);
  assert.equal(forwarded.length, 0);
  reader.start();
  assert.deepEqual(failed, []);
  assert.equal(ordering.tail.seq, 30);
  assert.deepEqual(
    forwarded.map(({ token, term }) => [token, term]),
    [[1, LEADER.term]],
  );
});

test("what was put before groups had to come from another node ends the node: it may be in the log or not", () => {
  const { forwarded, failed, store, ordering, reader } = nodeOver(groupsOf(30));
  store.end = 10;
  reader.start();
  ordering.propose(PAYLOAD, 1, 1);
  assert.equal(forwarded.length, 1);
  reader.stop();
  Object.assign(store, { gone: 20, end: 30 });
  reader.start();
  assert.deepEqual(
    failed.map(({ name }) => name),
    ["FateUnknown"],
  );
});

const STEPS_MAX = 60;

test("etcd may be away for a moment at any step of a start", { skip: withoutEtcd() }, async (t) => {
  const servers = await EtcdServers.start(1);
  t.after(() => servers.close());
  const call = EtcdClient.prototype.call;
  t.after(() => (EtcdClient.prototype.call = call));
  let steps = 0;
  for (let away = 1; away <= STEPS_MAX; away++) {
    let asked = 0;
    EtcdClient.prototype.call = function (this: EtcdClient, ...given: never) {
      // Keeping the lease is no step: it comes when it is due.
      if (++asked === away) return Promise.reject(new EtcdAway(new Error("planted")));
      return call.apply(this, given);
    } as typeof call;
    const log = await startAt(t, servers, `${away}`);
    await log.close();
    if (asked < away) break;
    steps = away;
  }
  t.diagnostic(`${steps} calls`);
  assert.ok(steps >= 8 && steps < STEPS_MAX, `${steps} calls`);
});

async function startAt(t: TestContext, servers: EtcdServers, venue: string): Promise<ReplicatedLog> {
  const dir = mkdtempSync(join(tmpdir(), "bourse-start-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return await ReplicatedLog.open({
    ...{ dataDir: openDataDir(dir), node: "a", address: { host: "127.0.0.1", port: 0 }, secret: randomBytes(32) },
    ...{ servers: servers.addresses().map((address) => `${address}/${venue}`), rules: 5, version: "test" },
    ...{ isHistoryShared: false, foundsVenue: true, clockJumpMs: 60_000, archive: undefined, onNote: () => {} },
  });
}
