import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect } from "@nats-io/transport-node";
import type { ApiKeyPair } from "../support/api-client.ts";
import { Cluster, served } from "../support/cluster.ts";
import { withoutNats } from "../support/nats-servers.ts";

const WITH_NATS = { skip: withoutNats() };
const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "50000" };

let cluster: Cluster;
let key: ApiKeyPair;

before(async () => {
  if (withoutNats() !== false) return;
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

test("what one node has answered is seen at once at each other one, and all come to one state", WITH_NATS, async () => {
  const placed: string[] = [];
  for (let at = 0; at < 12; at++) {
    placed.push(`seen-${String(at).padStart(2, "0")}`);
    await place(at % 3, placed.at(-1) as string);
    assert.deepEqual(await openOrders((at + 1) % 3), placed);
  }
  await cluster.agreed();
});

test("what is no frame of a node's does no harm, wherever it is said", WITH_NATS, async () => {
  const known = await openOrders(0);
  const stranger = await connect({ servers: cluster.servers.addresses() });
  for (const subject of [
    "bourse.node.a",
    "bourse.nodes",
    "bourse.ask.a",
    "bourse.ask.b",
    "bourse.out.0",
    "bourse.in.1",
  ]) {
    for (const bytes of [new Uint8Array(), new Uint8Array([7]), new TextEncoder().encode("{}".repeat(300))]) {
      stranger.publish(subject, bytes, { reply: "nobody.listens" });
    }
  }
  await stranger.flush();
  await stranger.close();
  for (const index of [0, 1, 2]) assert.deepEqual(await openOrders(index), known);
  await cluster.agreed();
});

test(
  "a leader that is killed is followed by another node, and comes back with what was done without it",
  WITH_NATS,
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

test(
  "a node that was told of other nodes than the rest ends with a sentence, and the rest goes on",
  WITH_NATS,
  async () => {
    await cluster.kill(2);
    const other =
      "Node [ab] was started with the nodes a,b,c, this one with c: all nodes of a venue need the same list";
    await assert.rejects(cluster.run(2, { nodes: ["c"] }), new RegExp(other));
    await place(0, "told-alike");
    assert.ok((await openOrders(1)).includes("told-alike"));
    await cluster.run(2);
    assert.ok((await openOrders(2)).includes("told-alike"));
    await cluster.agreed();
  },
);

test(
  "of a venue that has lost all its NATS data nothing is missing: the nodes' own logs hold it",
  WITH_NATS,
  async () => {
    const known = await openOrders(0);
    for (let index = 0; index < cluster.count; index++) await cluster.kill(index);
    for (let index = 0; index < cluster.servers.count; index++) {
      await cluster.servers.kill(index);
      cluster.servers.wipe(index);
    }
    for (let index = 0; index < cluster.servers.count; index++) cluster.servers.run(index);
    await cluster.runAll();
    assert.deepEqual(await openOrders(1), known);
    await place(2, "after");
    assert.deepEqual(await openOrders(0), [...known, "after"].sort());
    await cluster.agreed();
  },
);
