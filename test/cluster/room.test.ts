/**
 * The room that the log takes in etcd: bounded by the distance of snapshots, however long the venue runs. An hour of
 * 20,000 commands a second is 72 snapshots of a million commands each; here it is as many snapshots of fewer commands,
 * with the store and the retention of a node at work.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Base, type GroupEntry, hexOf, type Tail } from "../../src/cluster/entry.ts";
import { EtcdClient } from "../../src/cluster/etcd/client.ts";
import { EtcdStore } from "../../src/cluster/etcd/etcd-store.ts";
import { Sealer } from "../../src/cluster/frame.ts";
import { endOf } from "../../src/cluster/missing-groups.ts";
import { Retention } from "../../src/cluster/retention.ts";
import type { NodeRecord, Page, PlacedGroup, PutOutcome } from "../../src/cluster/store.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const HOUR_SNAPSHOTS = (3_600 * 20_000) / 1_000_000;
const COMMAND_BYTES = 56;
/** A small group for that rate, so that heads weigh much. */
const GROUP_COMMANDS = 20;
const HEAD_BYTES = 400;
/** Pages of etcd's database that are half full, and what was deleted and not yet forgotten. */
const SLACK = 2;
/** What a database takes with nothing in it, and one put at once. */
const LEAST_BYTES = 2 * 1024 * 1024;
/** Places between two at which the store may begin, and commands that come while a snapshot is written and told of. */
const MARK_GROUPS = 64;
const GIB = 1024 ** 3;

/** The most that the store holds: what came since the snapshot that two nodes have, until the next one is told of. */
function roomOf(snapshotEvery: number, lateCommands: number): number {
  const commands = snapshotEvery + lateCommands + MARK_GROUPS * GROUP_COMMANDS;
  return LEAST_BYTES + SLACK * commands * (COMMAND_BYTES + HEAD_BYTES / GROUP_COMMANDS);
}

interface Used {
  readonly inUse: number;
  readonly file: number;
}

/**
 * An hour's snapshots, each `every` commands behind the one before. Gives what was used before each of them was told
 * of.
 */
async function hourOf(every: number): Promise<readonly Used[]> {
  const servers = await EtcdServers.start(1);
  const client = new EtcdClient({ servers: servers.addresses() });
  const store = new EtcdStore({
    ...{ servers: servers.addresses(), sealer: new Sealer(new Uint8Array(32)), onNote: () => {} },
    ...{ node: "a", boot: "a1", address: "127.0.0.1:1" },
    onFault: (error) => {
      throw error;
    },
  });
  try {
    await store.open();
    const genesis: Base = { place: 0, seq: 0, hash: "00", timeMs: 1 };
    await store.found("venue", genesis);
    await new Promise<void>((resolve) => store.lead(0, resolve));
    const page = await new Promise<Page | undefined>((resolve) => store.read(1, resolve));
    const { term } = page?.leader ?? assert.fail("nobody leads");
    const retention = new Retention();
    const payload = new Uint8Array(GROUP_COMMANDS * COMMAND_BYTES);
    const used: Used[] = [];
    let tail: Tail = { seq: 0, hash: Uint8Array.of(0), timeMs: 1 };
    let place = 0;
    const put = async (): Promise<void> => {
      const groups = Array.from({ length: 50 }, (): PlacedGroup => {
        // Bytes that do not repeat, as those of commands.
        crypto.getRandomValues(payload);
        const origin = { node: "a", boot: "a1", token: place };
        const group = { firstSeq: tail.seq + 1, count: GROUP_COMMANDS, timeMs: 1, payload: payload.slice() };
        const entry: GroupEntry = { ...group, prevHash: hexOf(tail.hash), origin };
        tail = endOf(tail, group);
        retention.passed(++place, tail);
        return { place, entry };
      });
      for (let outcome: PutOutcome = "unknown"; outcome === "unknown"; )
        outcome = await new Promise((resolve) => store.put(term, groups, resolve));
    };
    for (let snapshots = 1; snapshots <= HOUR_SNAPSHOTS; snapshots++) {
      while (tail.seq < snapshots * every) await put();
      const { dbSize, dbSizeInUse } = await client.call<Record<"dbSize" | "dbSizeInUse", string>>(
        "Maintenance",
        "Status",
        {},
      );
      used.push({ inUse: Number(dbSizeInUse), file: Number(dbSize) });
      const held = { boot: "", address: "", rules: 5, version: "", syncedSeq: tail.seq, snapshotSeq: tail.seq };
      const nodes: NodeRecord[] = ["a", "b", "c"].map((node) => ({
        node,
        ...held,
        ...(node === "c" ? { snapshotSeq: 0 } : {}),
      }));
      const due = retention.due(nodes);
      if (due === undefined) continue;
      assert.equal(await store.takeOut(term, due), true);
      retention.began(due);
    }
    return used;
  } finally {
    await store.close();
    client.close();
    await servers.close();
  }
}

test("an hour at 20,000 commands a second leaves etcd under 2 GB: what it holds depends on the distance of snapshots alone", {
  skip: withoutEtcd(),
}, async (t) => {
  const peaks: number[] = [];
  for (const every of [10_000, 30_000]) {
    const used = await hourOf(every);
    const peak = Math.max(...used.map(({ inUse }) => inUse));
    const largest = Math.max(...used.map(({ file }) => file));
    const bound = roomOf(every, 50 * GROUP_COMMANDS);
    t.diagnostic(
      `a snapshot every ${every} commands: at most ${peak} bytes in use, ${largest} in the file, ${bound} allowed`,
    );
    assert.ok(peak < bound, `${peak} bytes are in use, and ${bound} are the most`);
    // The file never shrinks, and grows no more once it holds the most that is in use.
    const [before, after] = [used[HOUR_SNAPSHOTS / 3], used.at(-1)] as [Used, Used];
    assert.ok(after.file <= before.file * 1.25, `the file grows: from ${before.file} to ${after.file} bytes`);
    assert.ok(after.file < bound, `the file has ${after.file} bytes, and ${bound} are the most`);
    peaks.push(peak);
  }
  // It does hold what came since: the longer the distance, the more.
  const [one, other] = peaks as [number, number];
  assert.ok(other - one > (20_000 * COMMAND_BYTES) / 2, `${one} and ${other} bytes`);
  // A snapshot of a million commands may take a minute at that rate until two nodes tell of it.
  assert.ok(roomOf(1_000_000, 60 * 20_000) < 2 * GIB);
});
