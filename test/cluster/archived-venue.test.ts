/** Nodes with a shared archive: what lies there is enough where no other node's log reaches back any more. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ApiKeyPair } from "../support/api-client.ts";
import { Cluster, served } from "../support/cluster.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";

const MAIN = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
/** As archiving.ts has it. */
const SPAN = 65_536;
const BATCH = 20;
const LOOPS = 8;
/** Of 100 ms each. */
const TRIES = 3_000;

const folder = mkdtempSync(join(tmpdir(), "bourse-shared-"));
let cluster: Cluster;
let keys: readonly ApiKeyPair[];

before(async () => {
  if (withoutEtcd() !== false) return;
  const options = ["--makers", "off", "--snapshot-every", "10000", "--log-archive", folder];
  cluster = await Cluster.start({ options, servers: await EtcdServers.start(1) });
  keys = await Promise.all(
    Array.from({ length: LOOPS }, async (_, at) => {
      const { key } = await cluster.node(0).trader(`trader-${at}`, { USDT: "10000000" });
      return key;
    }),
  );
});
after(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

async function seqOf(index: number): Promise<number> {
  return (await cluster.rows(index)).find(({ seq }) => seq !== null)?.seq ?? 0;
}

/** Orders that come and go at once, until the log has come so far. */
async function goOnTo(seq: number): Promise<void> {
  let isThere = false;
  const order = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "ioc", amount: "0.001", price: "10000" };
  const loops = keys.map(async (key, at) => {
    const client = cluster.node(at % 2).client(key);
    const orders = Array.from({ length: BATCH }, () => order);
    while (!isThere) await served(() => client.post("/v2/spot/batch-order", { orders }));
  });
  while (!isThere) {
    await pause(100);
    isThere = (await seqOf(0)) >= seq;
  }
  await Promise.all(loops);
}

test("a node with an empty folder takes the beginning of the log from the archive, and the rest from another node", {
  skip: withoutEtcd(),
}, async () => {
  await cluster.kill(2);
  rmSync(cluster.dataOf(2), { recursive: true });
  await goOnTo(SPAN + 20_000);
  const until = async (holds: () => boolean | Promise<boolean>, what: string) => {
    for (let tries = 0; !(await holds()); tries++) {
      assert.ok(tries < TRIES, what);
      await pause(100);
    }
  };
  await until(() => readdirSync(folder).some((name) => name.endsWith(".bourse")), "nothing comes into the archive");
  await until(
    async () => ((await cluster.withStore((store) => store.venue()))?.base.seq ?? 0) > SPAN,
    "etcd keeps all groups",
  );
  const [file] = readdirSync(folder);
  assert.match(file as string, /^log-0{16}-\d{16}-[0-9a-f]{64}\.bourse$/);
  for (const index of [0, 1]) {
    const args = ["archive", "--before", "60000", "--to", `${cluster.dataOf(index)}-archive`];
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args, "--data", cluster.dataOf(index)], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
  }
  const joining = await cluster.run(2);
  assert.doesNotMatch(joining.complaints(), /snapshot of node/);
  await cluster.agreed();
  // From the first command on: nothing of the log was left out.
  const { ok, seq } = await joining.admin("/admin/audit");
  assert.ok(ok && seq > SPAN);
  const { stdout } = spawnSync(process.execPath, [MAIN, "log", "--data", cluster.dataOf(2), "--json"], {
    encoding: "utf8",
    maxBuffer: 2 ** 20,
  });
  assert.match(stdout.slice(0, 100), /"seq":1\b/);
});
