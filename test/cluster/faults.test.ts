/** Nodes over etcd servers as deploy/etcd has them: folders that are not what they were, and nodes that come and go. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ApiKeyPair } from "../support/api-client.ts";
import { Cluster, served } from "../support/cluster.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";
import { type BeginningVenue, VenueProcess } from "../support/venue-process.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const WITH_ETCD = { skip: hasOpenssl ? withoutEtcd() : "openssl is not installed here." };
const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.001", price: "50000" };
/** Of 20 to 50 ms each. */
const TRIES = 6_000;

let cluster: Cluster;
let key: ApiKeyPair;
let placed = 0;
/** Client ids of the orders that were answered. */
const answered = new Set<string>();
/** Nodes that are asked. */
let asked = [0, 1, 2];

before(async () => {
  if (WITH_ETCD.skip !== false) return;
  const servers = await EtcdServers.startSecured(3);
  cluster = await Cluster.start({ servers, options: ["--makers", "off", "--snapshot-every", "1000"] });
  ({ key } = await cluster.node(0).trader("nina", { BTC: "10", USDT: "10000000" }));
});
after(async () => await cluster?.close());

/** Places an order at one of the nodes that are asked; whether it was taken is known only when that was answered. */
async function place(): Promise<void> {
  const clientId = `order-${placed++}`;
  const client = cluster.node(asked[placed % asked.length] as number).client(key);
  const answer = await client.post("/v2/spot/order", { ...ORDER, client_id: clientId }).catch(() => undefined);
  if (answer?.code === 0) answered.add(clientId);
}

/** Orders flow while `run` goes on. */
async function whileOrdersFlow(run: () => Promise<void>): Promise<void> {
  let isOver = false;
  const before = answered.size;
  const flowing = (async () => {
    while (!isOver) {
      await place();
      await pause(50);
    }
  })();
  try {
    await run();
    for (let tries = 0; answered.size < before + 10; tries++) {
      assert.ok(tries < TRIES, "no orders are answered");
      await pause(20);
    }
  } finally {
    isOver = true;
    await flowing;
  }
}

/** Each order that was answered is there once, at a node. */
async function allThere(index: number): Promise<void> {
  const client = cluster.node(index).client(key);
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const query = { market: "BTCUSDT", market_type: "SPOT", limit: "100", page: `${page}` };
    const rows = await served(() => client.get("/v2/spot/pending-order", query));
    ids.push(...rows.map((order: { client_id: string }) => order.client_id));
    if (rows.length < 100) break;
  }
  assert.equal(new Set(ids).size, ids.length);
  const there = new Set(ids);
  assert.deepEqual(
    [...answered].filter((id) => !there.has(id)),
    [],
  );
}

async function says({ complaints, ready }: BeginningVenue, sentence: RegExp): Promise<void> {
  let hasEnded = false;
  ready.catch(() => {
    hasEnded = true;
  });
  for (let tries = 0; !sentence.test(complaints()); tries++) {
    assert.ok(tries < TRIES && !hasEnded, complaints());
    await pause(50);
  }
}

test(
  "over TLS, with certificates of nodes and a user of etcd, a leader that is lost is followed",
  WITH_ETCD,
  async () => {
    await place();
    const leader = await cluster.leader();
    asked = [0, 1, 2].filter((index) => index !== leader);
    await whileOrdersFlow(() => cluster.kill(leader));
    await cluster.run(leader);
    asked = [0, 1, 2];
    await cluster.agreed();
    for (const index of asked) await allThere(index);
  },
);

test(
  "a node without a certificate says what the servers say, and one with another password ends",
  WITH_ETCD,
  async () => {
    const { servers } = cluster;
    const options = servers.clientOptions;
    servers.clientOptions = options.slice(0, 2);
    const stranger = cluster.begin(3);
    await says(
      stranger,
      /waits for the etcd servers 127\.0\.0\.1:\d+.*more than half of them must answer\. No etcd server answers: /,
    );
    stranger.kill();
    servers.clientOptions = options;
    const log = [
      "--log",
      servers
        .addresses()
        .join(",")
        .replaceAll(/bourse:[^@]*@/g, "bourse:wrong@"),
    ];
    await assert.rejects(
      cluster.run(3, { options: log }),
      /ended with 2.*do not let this node in: the user or the password in the setting log is not theirs/s,
    );
    rmSync(cluster.dataOf(3), { recursive: true, force: true });
  },
);

test(
  "a copy of a node's folder under another name joins, and the folder of another venue is refused",
  WITH_ETCD,
  async () => {
    await cluster.node(2).end("SIGTERM");
    cpSync(cluster.dataOf(2), cluster.dataOf(3), { recursive: true });
    await cluster.run(2);
    asked = [0, 1];
    await whileOrdersFlow(async () => {
      await cluster.run(3);
    });
    cluster.count = 4;
    await cluster.agreed();
    await allThere(3);

    const other = await VenueProcess.start(cluster.dataOf(4), "--makers", "off");
    await other.end("SIGTERM");
    await assert.rejects(
      cluster.run(4),
      /ended with 3.*The store holds the log of venue [0-9a-f]{32}, this folder that of venue [0-9a-f]{32}\./s,
    );
    rmSync(cluster.dataOf(4), { recursive: true });
  },
);

test("three nodes become five and three again, two of them others, while orders flow", WITH_ETCD, async () => {
  asked = [0, 1, 2, 3];
  await whileOrdersFlow(async () => {
    await cluster.run(4);
  });
  cluster.count = 5;
  await cluster.agreed();
  const leader = await cluster.leader();
  // Two of the first three go, the leader among them if it is one.
  const going = [leader, 0, 1, 2].filter((index, at, all) => index < 3 && all.indexOf(index) === at).slice(0, 2);
  asked = [0, 1, 2, 3, 4].filter((index) => !going.includes(index));
  await whileOrdersFlow(async () => {
    for (const index of going) assert.equal(await cluster.node(index).end("SIGTERM"), 0);
  });
  cluster.count = 3;
  await cluster.agreed(asked[0]);
  for (const index of asked) await allThere(index);
  // Those that went come back, for what follows.
  for (const index of going) await cluster.run(index);
  asked = [0, 1, 2, 3, 4];
  cluster.count = 5;
  await cluster.agreed();
});
