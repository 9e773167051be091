/** Orders over the TypeScript client's sockets, and what becomes of them when the line breaks. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { type Answer, Client, type LineState, type MethodOf } from "../../client/index.ts";
import { METHODS } from "../../client/sockets.generated.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";

const SPOT = { market: "BTCUSDT", market_type: "SPOT" } as const;
const BID = { ...SPOT, side: "buy", type: "limit", amount: "0.1", price: "20000" } as const;

let venue: ApiVenue;
let user: ApiUser;
let client: Client;

before(async () => {
  venue = await bitcoinApiVenue();
  user = await venue.addUser("user", { USDT: "1000000" });
  client = clientOf(user);
});
afterEach(async () => {
  venue.faults.end();
  await user.client.act("/v2/spot/cancel-all-order", SPOT);
});
after(async () => {
  client?.close();
  await venue?.close();
});

function clientOf({ client: { key } }: ApiUser): Client {
  const [accessId, secretKey] = [key?.accessId ?? "", key?.secret ?? ""];
  return new Client({ url: venue.base, key: { accessId, secretKey } });
}

function must<T>(answer: Answer<T>): T {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.data;
}

async function pending(): Promise<number> {
  return (await user.client.read("/v2/spot/pending-order", { market_type: "SPOT" })).length;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}

test("every method of orders does what its call over HTTP does, logged in by itself", async () => {
  const socket = client.socket("spot");
  const asked = new Set<MethodOf<"spot">>();
  const call: typeof socket.call = (method, params) => {
    asked.add(method);
    return socket.call(method, params);
  };
  const placed = must(await call("order.place", { ...BID, client_id: "mine" }));
  assert.equal(placed.unfilled_amount, "0.100000");
  const { order_id } = placed;
  assert.equal(must(await call("order.modify", { ...SPOT, order_id, price: "19000" })).price, "19000.00");
  assert.equal(must(await call("order.cancel", { ...SPOT, order_id })).order_id, order_id);
  const [first, refused] = must(await call("order.batch_place", { orders: [BID, { ...BID, amount: "0" }] }));
  assert.ok(first?.ok && refused?.ok === false && refused.code === 3127, JSON.stringify(refused));
  const orders = [{ ...SPOT, order_id: first.data.order_id, price: "18000" }];
  assert.ok(must(await call("order.batch_modify", { ...SPOT, orders })).every(({ ok }) => ok));
  assert.ok(
    must(await call("order.batch_cancel", { ...SPOT, order_ids: [first.data.order_id] })).every(({ ok }) => ok),
  );
  for (let count = 0; count < 2; count++) must(await call("order.place", { ...BID, client_id: "both" }));
  assert.equal(must(await call("order.cancel_by_client_id", { market_type: "SPOT", client_id: "both" })).length, 2);
  const limit = { side: "buy", type: "limit", amount: "0.1", price: "20000" } as const;
  const loss = { side: "buy", type: "market", amount: "0.1", trigger_price: "40000" } as const;
  const pair = must(await call("order.place_oco", { ...SPOT, orders: [limit, loss] }));
  assert.ok(pair.group_id > 0 && pair.order_id > 0 && pair.stop_ids.length === 1);
  must(await call("order.cancel_group", { group_id: pair.group_id }));
  const protectedBid = { ...BID, take_profit_price: "40000", stop_loss_price: "10000" };
  const bracket = must(await call("order.place_bracket", protectedBid));
  assert.equal(bracket.stop_ids.length, 2);
  must(await call("order.cancel_group", { group_id: bracket.group_id }));
  const trail = must(await call("order.place_trailing_stop", { ...SPOT, side: "buy", amount: "0.1", trail: "500" }));
  assert.equal(trail.stop_ids.length, 1);
  const iceberg = must(await call("order.place_iceberg", { ...BID, amount: "0.2", display_amount: "0.1" }));
  assert.ok(iceberg.order_id > 0);
  must(await call("order.cancel", { ...SPOT, order_id: iceberg.order_id }));
  must(await call("market_maker.protect", { ...SPOT, window_ms: 1_000, max_fills: 2 }));
  assert.equal(must(await call("market_maker.protections", {})).length, 1);
  must(await call("market_maker.reset", SPOT));
  const quoted = must(await call("order.mass_quote", { quotes: [{ ...SPOT, bid_price: "20000", bid_amount: "0.1" }] }));
  assert.equal(quoted[0]?.code, 0);
  must(await call("order.place", BID));
  must(await call("order.cancel_all", SPOT));
  assert.equal(await pending(), 0);
  assert.deepEqual([...asked].sort(), Object.keys(METHODS.spot).sort());
  assert.equal(socket.connections, 1);
});

test("a refusal is an answer with its reason, and what cannot be right is not sent", async () => {
  const socket = client.socket("spot");
  const refused = await socket.call("order.place", { ...BID, amount: "1000" });
  assert.ok(!refused.ok && refused.code === 3109 && refused.outcome === "not_done", JSON.stringify(refused));
  assert.match(refused.reason ?? "", /available=/);
  assert.ok(refused.requestId);
  const fraction = await socket.call("order.place", { ...BID, amount: 0.1 as never });
  assert.ok(!fraction.ok && fraction.code === -4);
  const anybody = new Client({ url: venue.base });
  const barred = await anybody.socket("spot").call("order.place", BID);
  assert.ok(!barred.ok && barred.code === -2);
  anybody.close();
  const nowhere = new Client({ url: "http://127.0.0.1:1", key: { accessId: "A", secretKey: "B" } });
  const unreached = await nowhere.socket("spot").call("order.place", BID);
  assert.ok(!unreached.ok && unreached.code === -1 && unreached.outcome === "not_done");
  nowhere.close();
});

test("a line that breaks behind an order leaves its outcome unknown, and the next call has a line of its own", async () => {
  const socket = client.socket("spot");
  const before = socket.connections;
  venue.fault({ fault: "drop", when: "after", match: "order.place", count: 1 });
  const lost = await socket.call("order.place", BID);
  assert.ok(!lost.ok && lost.code === -1 && lost.outcome === "unknown", JSON.stringify(lost));
  assert.equal(await pending(), 1, "it was done");
  must(await socket.call("order.place", BID));
  assert.equal(socket.connections, before + 1);
  assert.equal(await pending(), 2);
});

test("an order that was refused for want of quota is sent again: it was not done", async () => {
  venue.fault({ fault: "limited", match: "order.place", count: 2 });
  must(await client.socket("spot").call("order.place", BID));
  assert.equal(await pending(), 1);
});

test("many orders are under way at once, each with its own answer", async () => {
  const socket = client.socket("spot");
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => socket.call("order.place", { ...BID, client_id: `c${at}` })),
  );
  assert.deepEqual(
    answers.map((answer) => must(answer).client_id),
    answers.map((_, at) => `c${at}`),
  );
});

test("the end of the client cancels its orders, and nothing once it was stopped", async () => {
  const bot = clientOf(user);
  const watched = must(await bot.socket("spot").cancelOnDisconnect());
  must(await bot.socket("spot").call("order.place", BID));
  watched.stop();
  await bot.socket("spot").ask("server.ping");
  bot.close();
  const next = clientOf(user);
  must(await next.socket("spot").cancelOnDisconnect({ scope: "SPOT", markets: ["BTCUSDT"] }));
  assert.equal(await pending(), 1);
  next.close();
  await until(async () => (await pending()) === 0);
});

test("a line that broke is watched again by itself, so that a grace keeps the orders and the next end takes them", async () => {
  const lines: LineState[] = [];
  const bot = clientOf(user);
  const socket = bot.socket("spot");
  must(await socket.cancelOnDisconnect({ graceMs: 5_000, onLine: (state) => lines.push(state) }));
  must(await socket.call("order.place", BID));
  venue.fault({ fault: "close_sockets", match: `user_id=${user.userId}` });
  await until(() => lines.length === 3);
  assert.deepEqual(lines, ["followed", "lost", "followed"]);
  await venue.wait(60_000);
  assert.equal(await pending(), 1);
  bot.close();
  await until(() => venue.engine.state.nextDueMs <= venue.control.timeMs + 5_000);
  await venue.wait(5_000);
  assert.equal(await pending(), 0);
});
