import assert from "node:assert/strict";
import { cpSync, renameSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import type { ApiKeyPair } from "../support/api-client.ts";
import { Cluster, served } from "../support/cluster.ts";
import { withoutEtcd } from "../support/etcd-servers.ts";

const WITH_ETCD = { skip: withoutEtcd() };
const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "50000" };

let cluster: Cluster;
let key: ApiKeyPair;

before(async () => {
  if (withoutEtcd() !== false) return;
  cluster = await Cluster.start({ options: ["--makers", "off"] });
  ({ key } = await cluster.node(0).trader("nina", { BTC: "10", USDT: "10000000" }));
});
after(async () => await cluster?.close());

async function place(index: number, clientId: string): Promise<number> {
  const client = cluster.node(index).client(key);
  const { order_id } = await served(() => client.post("/v2/spot/order", { ...ORDER, client_id: clientId }));
  return order_id;
}

async function openOrders(index: number): Promise<string[]> {
  const query = { market: "BTCUSDT", market_type: "SPOT", limit: "100" };
  const client = cluster.node(index).client(key);
  const orders = await served(() => client.get("/v2/spot/pending-order", query));
  return orders.map((order: { client_id: string }) => order.client_id).sort();
}

test("what one node has answered is seen at once at each other one, and all come to one state", WITH_ETCD, async () => {
  const placed: string[] = [];
  for (let at = 0; at < 12; at++) {
    placed.push(`seen-${String(at).padStart(2, "0")}`);
    await place(at % 3, placed.at(-1) as string);
    assert.deepEqual(await openOrders((at + 1) % 3), placed);
  }
  await cluster.agreed();
});

test("what a stranger says at the address of a node does no harm", WITH_ETCD, async () => {
  const known = await openOrders(0);
  for (const { address } of await cluster.records()) {
    const [host, port] = address.split(":") as [string, string];
    for (const bytes of [
      new Uint8Array(),
      new Uint8Array([0, 0, 0, 1, 7]),
      Buffer.from("GET / HTTP/1.1\r\n\r\n"),
      Buffer.alloc(2_000),
    ]) {
      const socket = connect(Number(port), host);
      socket.on("error", () => {});
      await new Promise((resolve) => socket.once("connect", resolve));
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.end(bytes);
      socket.resume();
      await closed;
    }
  }
  for (const index of [0, 1, 2]) assert.deepEqual(await openOrders(index), known);
  await cluster.agreed();
});

test(
  "a leader that is killed is followed by another node, and comes back with what was done without it",
  WITH_ETCD,
  async () => {
    const known = await openOrders(0);
    const leader = await cluster.leader();
    const other = (leader + 1) % 3;
    const placing = Array.from({ length: 6 }, (_, at) => place(other, `over-${at}`));
    await cluster.kill(leader);
    await Promise.all(placing);
    await place((leader + 2) % 3, "over-6");
    const expected = [...known, ...Array.from({ length: 7 }, (_, at) => `over-${at}`)].sort();
    assert.deepEqual(await openOrders(other), expected);
    await cluster.run(leader);
    assert.deepEqual(await openOrders(leader), expected);
    await cluster.agreed();
    const audit = await cluster.node(leader).admin("/admin/audit");
    assert.equal(audit.ok, true);
  },
);

test("a process that takes the name of a node ends the one that had it, and the rest goes on", WITH_ETCD, async () => {
  await cluster.kill(2);
  const before = cluster.node(1);
  await cluster.run(2, { name: "b" });
  assert.notEqual(await before.exited, 0);
  assert.match(before.complaints(), /Another process has started as node b: each node needs a name of its own/);
  await place(0, "named-alike");
  await cluster.kill(2);
  await cluster.run(1);
  await cluster.run(2);
  assert.ok((await openOrders(1)).includes("named-alike"));
  await cluster.agreed();
});

test("an older copy of a node's folder is brought up, and so is an empty one", WITH_ETCD, async () => {
  await cluster.node(2).end("SIGTERM");
  cpSync(cluster.dataOf(2), `${cluster.dataOf(2)}-copy`, { recursive: true });
  await cluster.run(2);
  await place(2, "after-the-copy");
  const known = await openOrders(2);
  await cluster.kill(2);
  rmSync(cluster.dataOf(2), { recursive: true });
  renameSync(`${cluster.dataOf(2)}-copy`, cluster.dataOf(2));
  await cluster.run(2);
  assert.deepEqual(await openOrders(2), known);
  await cluster.agreed();
  await cluster.kill(2);
  rmSync(cluster.dataOf(2), { recursive: true });
  await cluster.run(2);
  assert.deepEqual(await openOrders(2), known);
  await cluster.agreed();
});

test(
  "where etcd has lost its data the nodes end, refuse to begin anew, and go on from one node's log when told to",
  WITH_ETCD,
  async () => {
    const known = await openOrders(0);
    const running = [0, 1, 2].map((index) => cluster.node(index));
    for (let index = 0; index < cluster.servers.count; index++) {
      await cluster.servers.kill(index);
      cluster.servers.wipe(index);
    }
    for (let index = 0; index < cluster.servers.count; index++) cluster.servers.run(index);
    for (const node of running) {
      assert.notEqual(await node.exited, 0);
      assert.match(node.complaints(), /The store has lost what it had acknowledged|Another process has started/);
    }
    await assert.rejects(
      cluster.run(0),
      /The store holds no log, this folder that of venue [0-9a-f]{32} up to seq \d+\..*bourse cluster adopt/,
    );
    assert.match(cluster.command("adopt", 1), /"venue_id":"[0-9a-f]{32}"/);
    await cluster.runAll();
    assert.deepEqual(await openOrders(1), known);
    await place(2, "after");
    assert.deepEqual(await openOrders(0), [...known, "after"].sort());
    await cluster.agreed();
  },
);
