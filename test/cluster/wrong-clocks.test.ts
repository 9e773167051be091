/**
 * A node whose machine's clock is wrong by hours: it does not start, or does not take the others along while it runs.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { programHere } from "../../scripts/cluster/programs.ts";
import type { ApiKeyPair } from "../support/api-client.ts";
import { Cluster, served } from "../support/cluster.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const clocks = programHere("clocks");
const WITHOUT = withoutEtcd() || ("missing" in clocks ? clocks.missing : false);
const WITH_CLOCKS = { skip: WITHOUT };
const HOURS = 5;
const HOUR_MS = 3_600_000;
const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "10000" };
/** Of 50 ms each. */
const TRIES = 3_000;

const folder = mkdtempSync(join(tmpdir(), "bourse-clocks-"));
const clockFile = join(folder, "clock");
let cluster: Cluster;
let key: ApiKeyPair;

/** The environment of a process whose clock can be set. */
function clocked(): NodeJS.ProcessEnv {
  if ("missing" in clocks) return process.env;
  return {
    ...process.env,
    LD_PRELOAD: clocks.path,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

function setClock(hours: number): void {
  writeFileSync(clockFile, `${hours < 0 ? "" : "+"}${hours * 3_600}\n`);
}

before(async () => {
  if (WITHOUT !== false) return;
  setClock(0);
  cluster = await Cluster.start({ options: ["--makers", "off"], servers: await EtcdServers.start(1) });
  ({ key } = await cluster.node(0).trader("nina", { USDT: "10000000" }));
});
after(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

async function says(index: number, sentence: RegExp): Promise<void> {
  for (let tries = 0; !sentence.test(cluster.node(index).complaints()); tries++) {
    assert.ok(tries < TRIES, cluster.node(index).complaints());
    await pause(50);
  }
}

/** Lets others die until a node leads, which on a slow machine may not do so for long. */
async function letLead(index: number): Promise<void> {
  for (let leader = await cluster.leader(index); leader !== index; leader = await cluster.leader(index)) {
    await cluster.kill(leader);
    await cluster.run(leader);
  }
}

/** When an order was placed, by the venue's time. */
async function placedAt(index: number): Promise<number> {
  const client = cluster.node(index).client(key);
  const { created_at } = await served(() => client.post("/v2/spot/order", ORDER));
  return Number(created_at);
}

test(
  "a node is not started with a clock that is hours ahead of the others' or behind the log",
  WITH_CLOCKS,
  async () => {
    await cluster.kill(2);
    setClock(HOURS);
    await assert.rejects(
      cluster.run(2, { env: clocked() }),
      /is at least 1[78]\d{3} s ahead of that of nodes a, b\. Set it right, then start this node again\./,
    );
    setClock(-HOURS);
    await assert.rejects(
      cluster.run(2, { env: clocked() }),
      /The last command of the log is of .* [45] hours ahead of this machine's clock .*Set the clock right\./,
    );
    setClock(0);
    await cluster.run(2, { env: clocked() });
    await placedAt(2);
    await cluster.agreed();
  },
);

test("a leader whose clock is set hours ahead says so, and stamps as if it had not been", WITH_CLOCKS, async () => {
  await letLead(2);
  setClock(HOURS);
  await says(2, /the machine's clock has jumped ahead and is not followed: set it right/);
  const at = await placedAt(0);
  assert.ok(Math.abs(at - Date.now()) < HOUR_MS, `the order is of ${at}`);
  setClock(0);
  await says(2, /the machine's clock is where it should be again/);
  await cluster.agreed();
});

test(
  "a leader whose clock falls back says so; its log's time never falls, and another leader goes on with a right clock",
  WITH_CLOCKS,
  async () => {
    await letLead(2);
    const before = await placedAt(0);
    setClock(-HOURS);
    await says(2, /the machine's clock has fallen back: venue time stands still/);
    assert.ok((await placedAt(0)) >= before);
    const from = Date.now();
    await cluster.kill(2);
    await cluster.leader(0);
    assert.ok((await placedAt(1)) >= from - 1_000);
  },
);
