/** What a node that is gone has left behind, and how one joins when the log of the others no longer reaches back. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ApiKeyPair } from "../support/api-client.ts";
import { Cluster, served } from "../support/cluster.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const WITH_ETCD = { skip: withoutEtcd() };
const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const SNAPSHOT_EVERY = 1_000;
const BATCH = 20;
const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.001", price: "10000" };
/** Of 50 ms each. */
const TRIES = 3_000;

let cluster: Cluster;
let key: ApiKeyPair;

before(async () => {
  if (withoutEtcd() !== false) return;
  const options = ["--makers", "off", "--snapshot-every", String(SNAPSHOT_EVERY)];
  cluster = await Cluster.start({ options, servers: await EtcdServers.start(1) });
  ({ key } = await cluster.node(0).trader("nina", { USDT: "10000000" }));
});
after(async () => await cluster?.close());

/** Places and cancels orders until the log has gone on by so many commands. */
async function goOn(index: number, commands: number): Promise<void> {
  const client = cluster.node(index).client(key);
  for (let done = 0; done < commands; done += BATCH + 1) {
    const orders = Array.from({ length: BATCH }, () => ORDER);
    await served(() => client.post("/v2/spot/batch-order", { orders }));
    await served(() => client.post("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" }));
  }
}

async function until(holds: () => Promise<boolean> | boolean, what: () => string): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    assert.ok(tries < TRIES, what());
    await pause(50);
  }
}

async function baseSeq(): Promise<number> {
  return (await cluster.withStore((store) => store.venue()))?.base.seq ?? 0;
}

const names = async () => (await cluster.rows()).map(({ node }) => node);

test(
  "a node with an empty folder joins with a snapshot when groups have left etcd and no other log reaches back",
  WITH_ETCD,
  async () => {
    await cluster.kill(2);
    rmSync(cluster.dataOf(2), { recursive: true });
    await goOn(0, 3 * SNAPSHOT_EVERY);
    await until(
      async () => (await baseSeq()) > SNAPSHOT_EVERY,
      () => "etcd keeps all groups",
    );
    // The others move the beginning of their logs away.
    for (const index of [0, 1]) {
      const args = ["archive", "--before", String(SNAPSHOT_EVERY), "--to", `${cluster.dataOf(index)}-archive`];
      const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args, "--data", cluster.dataOf(index)], {
        encoding: "utf8",
      });
      assert.equal(status, 0, stderr);
    }
    const joining = await cluster.run(2);
    assert.match(joining.complaints(), /The snapshot of node [ab] at seq \d+ is taken over: \d+ bytes/);
    await goOn(2, 2 * BATCH);
    await cluster.agreed();
    assert.equal((await cluster.node(2).admin("/admin/audit")).ok, true);
  },
);

test("a node that was away while its groups left etcd is brought up by the others", WITH_ETCD, async () => {
  await cluster.kill(1);
  const before = await baseSeq();
  await goOn(0, 2 * SNAPSHOT_EVERY);
  await until(
    async () => (await baseSeq()) > before + SNAPSHOT_EVERY,
    () => "etcd keeps all groups",
  );
  await cluster.run(1);
  await goOn(1, 2 * BATCH);
  await cluster.agreed();
});

test(
  "a node that never returns is forgotten by a command, one that runs is not, and it may come again",
  WITH_ETCD,
  async () => {
    assert.throws(() => cluster.command("forget", 0, "x"), /etcd knows of no node x, but of a, b, c\./);
    assert.throws(() => cluster.command("forget", 0, "c"), /Node c runs: it has just told of itself\. Stop it first\./);
    await cluster.kill(2);
    assert.deepEqual(await names(), ["a", "b", "c"]);
    assert.deepEqual(JSON.parse(cluster.command("forget", 0, "c")).nodes, ["a", "b"]);
    assert.deepEqual(await names(), ["a", "b"]);
    await goOn(0, BATCH);
    await cluster.run(2);
    assert.deepEqual(await names(), ["a", "b", "c"]);
    await goOn(2, BATCH);
    await cluster.agreed();
  },
);

test("a node that was forgotten while it slept ends with a sentence, and joins anew", WITH_ETCD, async () => {
  const sleeper = cluster.node(2);
  process.kill(sleeper.pid, "SIGSTOP");
  assert.deepEqual(JSON.parse(cluster.command("forget", 0, "c")).nodes, ["a", "b"]);
  process.kill(sleeper.pid, "SIGCONT");
  assert.notEqual(await sleeper.exited, 0);
  assert.match(
    sleeper.complaints(),
    /Node c was taken for lost while it was silent, and is forgotten\. Start it again/,
  );
  await cluster.run(2);
  await goOn(2, BATCH);
  await cluster.agreed();
});
