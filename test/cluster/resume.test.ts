/**
 * The TypeScript client over two nodes behind one address, with a session that it resumes: lines break at random, and
 * the next one comes to the same node or to the other one, which does not know the session. Nothing is missing then,
 * and nothing is told twice.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, Book, Client, followOrders, type LineState } from "../../client/index.ts";
import type { Change } from "../../client/tracker.ts";
import { Random } from "../../src/lab/market/random.ts";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import { Balancer } from "../support/balancer.ts";
import { Cluster, served } from "../support/cluster.ts";
import { withoutEtcd } from "../support/etcd-servers.ts";

const ORDERS = 240;
const SPOT = { market: "BTCUSDT", market_type: "SPOT" };
/** Of 20 ms: generous, because test machines are slow and shared. */
const TRIES = 6_000;

let cluster: Cluster;
let balancer: Balancer;
let key: ApiKeyPair;
/** The nodes that the address leads to. */
let open: readonly number[] = [0, 1];

before(async () => {
  if (withoutEtcd() !== false) return;
  cluster = await Cluster.start({ count: 2, options: ["--makers", "off"] });
  balancer = await Balancer.start(() => open.map((index) => cluster.node(index).url));
  ({ key } = await cluster.node(0).trader("nina", { BTC: "10", USDT: "10000000" }));
});
after(async () => {
  await balancer?.close();
  await cluster?.close();
});

function must<T>(answer: Answer<T>): T {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.data;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await holds()) return;
    await pause(20);
  }
  assert.fail(`never came: ${what}`);
}

/** What the client was told of orders, and whether it was told in an order that can be. */
class Told {
  /** With the time of what was told last. */
  readonly begun = new Map<number, number>();
  readonly ended = new Set<number>();

  note({ row, event, isGone }: Change<{ readonly order_id: number; readonly updated_at: number }>): void {
    const { order_id: id, updated_at: updatedAt } = row;
    const before = this.begun.get(id);
    assert.ok(!this.ended.has(id), `${event} of order ${id} is told after its end`);
    assert.ok(event !== "put" || before === undefined, `order ${id} is put twice`);
    assert.ok(event !== "read" || isGone || before !== updatedAt, `order ${id} is read without news`);
    this.begun.set(id, updatedAt);
    if (isGone) this.ended.add(id);
  }
}

/** Places and cancels orders directly at the nodes, in turn, and keeps who is there. */
class Trader {
  readonly resting = new Set<number>();
  readonly cancelled = new Set<number>();
  readonly #nodes: readonly ApiClient[];
  readonly #random: Random;
  #turn = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#nodes = [0, 1].map((index) => cluster.node(index).client(key));
  }

  async act(): Promise<void> {
    const node = this.#nodes[this.#turn++ % 2] as ApiClient;
    const [victim] = this.resting;
    if (victim !== undefined && this.#random.below(3) === 0) {
      await served(() => node.post("/v2/spot/cancel-order", { ...SPOT, order_id: victim }));
      this.resting.delete(victim);
      this.cancelled.add(victim);
      return;
    }
    const price = String(20_000 - this.#random.below(50));
    const order = { ...SPOT, side: "buy", type: "limit", amount: "0.001", price };
    const { order_id: id } = await served(() => node.post("/v2/spot/order", order));
    this.resting.add(id);
  }
}

test(`over ${ORDERS} orders lines break and come back at either of two nodes: no order is missing, none is told twice`, {
  skip: withoutEtcd(),
}, async (t) => {
  const random = new Random(10);
  const trader = new Trader(random);
  const told = new Told();
  const lines: LineState[] = [];
  open = [0];
  const client = new Client({
    ...{ url: balancer.url, key: { accessId: key.accessId, secretKey: key.secret }, resume: true },
  });
  t.after(() => client.close());
  const socket = client.socket("spot");
  must(await socket.follow("order", [], () => {}, { onLine: (state) => lines.push(state) }));
  const orders = must(await followOrders(client, "spot", [], (change) => told.note(change)));
  const book = must(await Book.follow(socket, "BTCUSDT", { limit: 20 }));
  /** Those that the client knew before the line broke last. */
  const known = new Set<number>();
  for (let at = 0; at < ORDERS; at++) {
    await trader.act();
    const dice = random.below(24);
    if (dice > 2) continue;
    for (const id of orders.rows.keys()) known.add(id);
    // One time in three the way leads to both: what is read may come from another node than what is pushed.
    open = dice === 0 ? [0, 1] : [random.below(2)];
    const before = lines.length;
    balancer.cut();
    for (let more = random.below(4); more > 0; more--) await trader.act();
    const hasGoneOn = () => ["followed", "resumed"].includes(lines.at(-1) as string) && lines.length > before;
    await until("the line is back", () => hasGoneOn() && orders.isCurrent);
  }
  const ids = (set: Iterable<number>) => [...set].sort((one, other) => one - other);
  await until("the orders", () => String(ids(orders.rows.keys())) === String(ids(trader.resting)));
  for (const id of trader.resting) assert.ok(told.begun.has(id), `order ${id} was never told of`);
  for (const id of trader.cancelled) {
    // One that came and went while there was no line is none that the client ever had.
    if (known.has(id) || told.begun.has(id)) assert.ok(told.ended.has(id), `the end of order ${id} was never told of`);
  }
  for (const id of told.ended) assert.ok(trader.cancelled.has(id), `order ${id} has not ended`);
  assert.ok(lines.includes("resumed"), "a session went on at its own node");
  assert.ok(lines.includes("lost"), "a session began anew at the other node");
  t.diagnostic(`${socket.connections} connections: ${lines.filter((state) => state === "resumed").length} went on`);
  // Answers and pushes write numbers in two ways.
  const sizes = (levels: readonly (readonly [string, string])[]) =>
    JSON.stringify(levels.map((level) => level.map(Number)));
  const node = cluster.node(1).client(key);
  await until("the book", async () => {
    const { depth } = await served(() => node.get("/v2/spot/depth", { market: "BTCUSDT", limit: "20", interval: "0" }));
    return book.isSound && sizes(book.bids) === sizes(depth.bids);
  });
});
