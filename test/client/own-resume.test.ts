/** The TypeScript client goes on without a gap after lines that broke, and begins anew where the venue cannot. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answer, Book, Client, followOrders, type LineState, type Pushes } from "../../client/index.ts";
import { Random } from "../../src/lab/market/random.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDERS = 400;
const SPOT = { market: "BTCUSDT", market_type: "SPOT" };

let venue: ApiVenue;
let user: ApiUser;
const clients: Client[] = [];

before(async () => {
  venue = await bitcoinApiVenue();
  user = await venue.addUser("user", { USDT: "10000000", BTC: "100" });
});
after(async () => {
  for (const client of clients) client.close();
  await venue?.close();
});

function clientOf({ client: { key } }: ApiUser, resume: boolean): Client {
  const [accessId, secretKey] = [key?.accessId ?? "", key?.secret ?? ""];
  const made = new Client({ url: venue.base, key: { accessId, secretKey }, resume });
  clients.push(made);
  return made;
}

function must<T>(answer: Answer<T>): T {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.data;
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 6_000, `never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Lets every line of the user break. */
function cut(): void {
  venue.fault({ fault: "close_sockets", match: `user_id=${user.userId}` });
}

const place = (price: string, more: object = {}) =>
  user.client.act("/v2/spot/order", limitOrder("buy", "0.001", price, more));

test(`lines that break at random over ${ORDERS} orders cost no push, and none comes twice`, async () => {
  const random = new Random(7);
  const heard: string[] = [];
  const lines: LineState[] = [];
  const client = clientOf(user, true);
  const socket = client.socket("spot");
  const hear = ({ event, order }: Pushes.SpotOrderUpdate) => heard.push(`${event} ${order.client_id}`);
  must(await socket.follow("order", [], hear, { onLine: (state) => lines.push(state) }));
  const book = must(await Book.follow(socket, "BTCUSDT", { limit: 10 }));
  const expected: string[] = [];
  for (let at = 0; at < ORDERS; at++) {
    await place(String(20_000 - random.below(50)), { client_id: `c${at}` });
    expected.push(`put c${at}`);
    if (random.below(3) === 0) {
      await user.client.act("/v2/spot/cancel-all-order", SPOT);
      const open = expected.filter((text) => text.startsWith("put")).map((text) => text.slice(4));
      for (const id of open) if (!expected.includes(`finish ${id}`)) expected.push(`finish ${id}`);
    }
    if (random.below(20) === 0) cut();
    if (random.below(10) === 0) venue.beat();
    // Some breaks last for several orders, others for none.
    if (random.below(40) === 0)
      await until("the line is back", () => socket.connections > 0 && lines.at(-1) !== "paused");
  }
  await until("everything", () => heard.length === expected.length);
  assert.deepEqual(heard, expected);
  assert.ok(socket.connections > 2, `${socket.connections} connections`);
  assert.deepEqual(new Set(lines), new Set(["followed", "paused", "resumed"]));
  venue.beat();
  const { bids } = (await user.client.read("/v2/spot/depth", { market: "BTCUSDT", limit: 10, interval: "0" })).depth;
  await until("the book", () => book.isSound && JSON.stringify(book.bids) === JSON.stringify(bids));
  assert.equal(book.resyncs, 0);
  client.close();
});

test("a session that cannot go on is lost and followed anew, and a tracker reads again", async () => {
  const lines: LineState[] = [];
  const client = clientOf(user, true);
  const socket = client.socket("spot");
  must(await socket.follow("deals", [], () => {}, { onLine: (state) => lines.push(state) }));
  const orders = must(await followOrders(client, "spot", []));
  cut();
  await until("it is told", () => lines.includes("paused"));
  assert.ok(!orders.isCurrent || lines.includes("resumed"));
  await until("it goes on", () => lines.at(-1) === "resumed" && orders.isCurrent);
  const { order_id } = await place("15000");
  await until("the order", () => orders.rows.has(order_id));
  // The venue forgets who is away for longer than a minute, of its own time.
  cut();
  await until("it is told again", () => lines.filter((state) => state === "paused").length === 2);
  venue.control.evenMs += 61_000;
  venue.control.beat();
  await until("it begins anew", () => lines.at(-1) === "followed" && orders.isCurrent);
  assert.deepEqual(lines, ["followed", "paused", "resumed", "paused", "lost", "followed"]);
  assert.ok(orders.rows.has(order_id));
  client.close();
});

test("what is stopped while the line is broken is not followed by the session that goes on", async () => {
  const lines: LineState[] = [];
  let deals = 0;
  const client = clientOf(user, true);
  const socket = client.socket("spot");
  must(await socket.follow("order", [], () => {}, { onLine: (state) => lines.push(state) }));
  const following = must(await socket.follow("deals", ["BTCUSDT"], () => deals++));
  cut();
  await until("it is told", () => lines.at(-1) === "paused");
  following.stop();
  await until("it goes on", () => lines.at(-1) === "resumed");
  must(await socket.ask("server.ping"));
  venue.beat();
  await user.client.act("/v2/spot/order", limitOrder("sell", "0.001", "14000", { stp_mode: "ct" }));
  venue.beat();
  must(await socket.ask("server.ping"));
  assert.equal(deals, 0);
  client.close();
});
