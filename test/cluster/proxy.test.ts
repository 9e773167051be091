/**
 * Three nodes behind nginx with the configuration that is shipped, and what its clients meet while nodes die and sleep.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ApiClient, type ApiKeyPair, type Envelope } from "../support/api-client.ts";
import { Cluster } from "../support/cluster.ts";
import { withoutEtcd } from "../support/etcd-servers.ts";
import { Nginx, NO_NGINX } from "../support/nginx.ts";

const WITHOUT = withoutEtcd() || NO_NGINX;
const WITH_NGINX = { skip: WITHOUT };
const MARKET = { market: "BTCUSDT", market_type: "SPOT" };
const ORDER = { ...MARKET, side: "buy", type: "limit", amount: "0.001", price: "10000" };
/** Placed after each thing that happens; all of them fit into one page of a list. */
const ORDERS_EACH = 12;
const HANDED_ON_MS = 3_000;
/** Of 20 ms each. */
const TRIES = 6_000;

const folder = mkdtempSync(join(tmpdir(), "bourse-proxy-"));
let cluster: Cluster;
let nginx: Nginx;
let key: ApiKeyPair;

before(async () => {
  if (WITHOUT !== false) return;
  cluster = await Cluster.start({ options: ["--makers", "off", "--trusted-proxies", "127.0.0.1"] });
  nginx = await Nginx.start(folder, ...(cluster.urls as [string, ...string[]]));
  ({ key } = await cluster.node(0).trader("nina", { USDT: "10000000" }));
});
after(async () => {
  await nginx?.end();
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

/** What a node answered; undefined: nginx had no answer of one. */
async function ask(method: string, path: string, body?: object): Promise<Envelope | undefined> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = new ApiClient("", Date.now, key).headersFor(method, path, text);
  const length: Record<string, string> =
    body === undefined ? {} : { "content-type": "application/json", "content-length": String(text.length) };
  try {
    const answer = await nginx.ask(path, { method, headers: { ...headers, ...length }, body: text });
    return answer.status === 200 ? (answer.body as Envelope) : undefined;
  } catch {
    // Its page for a node that is gone is no JSON.
    return undefined;
  }
}

async function standing(): Promise<string[]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await ask("GET", "/v2/spot/pending-order?market=BTCUSDT&market_type=SPOT&limit=100");
    if (answer?.code === 0) return answer.data.map((order: { client_id: string }) => order.client_id).sort();
    await pause(20);
  }
  return assert.fail("no node answers");
}

const placed: string[] = [];

/** Places orders as a careful client does: without an answer it looks whether the order stands before it asks again. */
async function place(t: TestContext, what: string): Promise<void> {
  let [longest, unanswered] = [0, 0];
  for (let count = 0; count < ORDERS_EACH; count++) {
    const id = `order-${String(placed.length).padStart(3, "0")}`;
    const from = performance.now();
    for (let tries = 0; ; tries++) {
      assert.ok(tries < TRIES, `${id} is taken by nobody`);
      const answer = await ask("POST", "/v2/spot/order", { ...ORDER, client_id: id });
      if (answer?.code === 0) break;
      if (answer !== undefined) {
        assert.ok([3008, 4001, 4010].includes(answer.code), answer.message);
        await pause(20);
        continue;
      }
      unanswered++;
      // What a node that died had handed on may still be under way to the leader.
      await pause(HANDED_ON_MS);
      if ((await standing()).includes(id)) break;
    }
    longest = Math.max(longest, performance.now() - from);
    placed.push(id);
    const seen = await standing();
    assert.ok(seen.includes(id), `${id} was answered, and is not there`);
  }
  t.diagnostic(`${what}: an order took ${Math.round(longest)} ms at most, ${unanswered} requests had no answer`);
}

test(
  "each node in turn dies and comes back: no order is lost or there twice, and each is seen at once",
  WITH_NGINX,
  async (t) => {
    await place(t, "all are there");
    const settings = cluster.urls.map((url) => new URL(url).port);
    for (let index = 0; index < cluster.count; index++) {
      await Promise.all([place(t, `node ${index} dies`), cluster.kill(index)]);
      // At the address that nginx knows.
      await cluster.run(index, { options: ["--port", settings[index] as string, "--admin-port", "0"] });
      await place(t, `node ${index} is back`);
    }
    assert.deepEqual(await standing(), placed);
    await cluster.agreed();
  },
);
