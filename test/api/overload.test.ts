import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };

test("a venue that is busy refuses commands before anything is done, and still answers queries", async () => {
  const venue = await bitcoinApiVenue();
  const { client } = await venue.addUser("user", { USDT: "1000" });
  const { order_id } = await client.act(ORDER, limitOrder("buy", "0.01", "20000"));
  const before = venue.stateHash();
  venue.control.busy = true;
  const commands: readonly (readonly [string, object])[] = [
    [ORDER, limitOrder("buy", "0.01", "20000")],
    ["/v2/spot/batch-order", { orders: [limitOrder("buy", "0.01", "20000"), {}] }],
    ["/v2/spot/modify-order", { ...OF_BTCUSDT, order_id, price: "20001" }],
    ["/v2/spot/batch-modify-order", { orders: [{ ...OF_BTCUSDT, order_id, price: "20001" }] }],
    ["/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id }],
    ["/v2/spot/cancel-batch-order", { ...OF_BTCUSDT, order_ids: [order_id] }],
    ["/v2/spot/cancel-all-order", OF_BTCUSDT],
    ["/v2/spot/cancel-order-by-client-id", { market_type: "SPOT", client_id: "x" }],
  ];
  for (const [path, body] of commands) {
    const answer = await client.post(path, body);
    assert.deepEqual([answer.code, answer.data], [3008, {}], path);
  }
  assert.equal((await client.read("/v2/spot/pending-order", { market_type: "SPOT" })).length, 1);
  venue.control.busy = false;
  assert.equal(venue.stateHash(), before);
  await venue.close();
});

test("a client that is gone before its answer disturbs nobody, and its order stands", async () => {
  const venue = await bitcoinApiVenue();
  const { client } = await venue.addUser("user", { USDT: "1000" });
  for (let round = 0; round < 20; round++) await sendAndLeave(venue, client.headersFor.bind(client));
  const deadline = Date.now() + 5_000;
  let total = 0;
  while (total < 20 && Date.now() < deadline) {
    total = (await client.get("/v2/spot/pending-order", { market_type: "SPOT" })).pagination?.total ?? 0;
  }
  assert.equal(total, 20);
  await venue.close();
});

/** Sends an order and tears the connection as soon as the last byte is out. */
function sendAndLeave(
  venue: ApiVenue,
  headersFor: (method: string, target: string, body: string) => Record<string, string>,
): Promise<void> {
  const body = JSON.stringify(limitOrder("buy", "0.001", "20000"));
  return new Promise((resolve, reject) => {
    const call = request(venue.base + ORDER, {
      method: "POST",
      agent: false,
      headers: headersFor("POST", ORDER, body),
    });
    call.on("error", () => {});
    call.on("socket", (socket) => {
      socket.on("error", reject);
      socket.on("close", () => resolve());
    });
    call.end(body, () => setImmediate(() => call.destroy()));
  });
}

test("many requests on one connection are answered in order", async () => {
  const venue = await bitcoinApiVenue();
  const { client } = await venue.addUser("user", { USDT: "1000" });
  const bodies = Array.from({ length: 30 }, (_, index) =>
    JSON.stringify(limitOrder("buy", "0.001", "20000", { client_id: `n-${index}` })),
  );
  const text = bodies
    .map((body) => {
      const head = Object.entries(client.headersFor("POST", ORDER, body)).map(([name, value]) => `${name}: ${value}`);
      return [`POST ${ORDER} HTTP/1.1`, "Host: venue", `Content-Length: ${body.length}`, ...head, "", body].join(
        "\r\n",
      );
    })
    .join("");
  const answer = await new Promise<string>((resolve, reject) => {
    let received = "";
    const socket = connect(Number(new URL(venue.base).port), "127.0.0.1", () => socket.write(text));
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.split("client_id").length > 30) socket.destroy();
    });
    socket.on("close", () => resolve(received));
  });
  const ids = [...answer.matchAll(/"client_id":"n-(\d+)"/g)].map(([, number]) => Number(number));
  assert.deepEqual(ids, [...bodies.keys()]);
  await venue.close();
});

test("a venue in which something does not add up takes cancels only, until an operator lifts it", async () => {
  const venue = await bitcoinApiVenue();
  const { client } = await venue.addUser("user", { USDT: "1000" });
  const { order_id } = await client.act(ORDER, limitOrder("buy", "0.01", "20000"));
  await venue.operate({ kind: "set_cancel_only", cancelOnly: true, reason: "a test" });
  assert.equal((await client.post(ORDER, limitOrder("buy", "0.01", "20000"))).code, 4001);
  assert.equal((await client.post("/v2/spot/modify-order", { ...OF_BTCUSDT, order_id, price: "20001" })).code, 4001);
  await client.act("/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id });
  await venue.operate({ kind: "set_cancel_only", cancelOnly: false, reason: "looked into" });
  await client.act(ORDER, limitOrder("buy", "0.01", "20000"));
  await venue.close();
});
