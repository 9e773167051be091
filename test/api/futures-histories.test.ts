import assert from "node:assert/strict";
import { test } from "node:test";
import { contract, futuresApiVenue } from "../support/served-venue.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "FUTURES" };
const EVERY_MS = 8 * 3_600_000;

test("a settlement that was missed is told as of when it was due, as a collection of funding is", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const maker = await venue.addTrader("maker", { USDT: "100000" });
  const { client } = await venue.addTrader("trader", { USDT: "10000" });
  await maker.client.act("/v2/futures/order", contract("sell", "0.5", "30000"));
  await client.act("/v2/futures/order", contract("buy", "0.5", "30000"));
  await venue.index("30100");
  const dueAt = Math.ceil(venue.control.timeMs / EVERY_MS) * EVERY_MS;

  await venue.wait(2 * EVERY_MS);
  await venue.index("30100");
  await venue.wait(5_000);
  await venue.index("30100");

  const [{ position_id }] = await client.read("/v2/futures/pending-position", OF_BTCUSDT);
  const settlements = (query: object) =>
    client.read("/v2/futures/position-settle-history", { ...OF_BTCUSDT, position_id, ...query });
  const rows = await settlements({ start_time: dueAt, end_time: dueAt });
  assert.deepEqual(
    rows.map(({ margin_change, created_at }: { margin_change: string; created_at: number }) => [
      margin_change,
      created_at,
    ]),
    [["50.00000000", dueAt]],
  );
  assert.deepEqual(await settlements({ start_time: dueAt + 1 }), []);
  assert.deepEqual(await settlements({ end_time: dueAt - 1 }), []);
});

test("who traded in a market finds what came of it by its name after it has been delisted", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const maker = await venue.addTrader("maker", { USDT: "100000" });
  const { client } = await venue.addTrader("trader", { USDT: "10000" });
  await maker.client.act("/v2/futures/order", contract("sell", "0.5", "30000"));
  const { order_id } = await client.act("/v2/futures/order", contract("buy", "0.5", "30000"));
  const change = { kind: "change_market", market: "BTCUSDT", marketType: "FUTURES" } as const;
  await venue.operate({ ...change, delistedAt: venue.control.timeMs + 1_000 });
  await venue.wait(1_000);

  const [position] = await client.read("/v2/futures/finished-position", OF_BTCUSDT);
  assert.equal(position.finished_type, "sys");
  for (const [path, query] of [
    ["order-status", { order_id }],
    ["finished-order", {}],
    ["user-deals", {}],
    ["order-deals", { order_id }],
  ] as const) {
    const found = await client.read(`/v2/futures/${path}`, { ...OF_BTCUSDT, ...query });
    assert.equal([found].flat()[0].order_id, order_id, path);
  }
  for (const kind of ["margin", "funding", "settle", "adl"]) {
    const query = { ...OF_BTCUSDT, position_id: position.position_id };
    assert.deepEqual(await client.read(`/v2/futures/position-${kind}-history`, query), []);
  }
  for (const path of ["pending-order", "pending-position", "finished-stop-order", "finished-position"]) {
    const { message } = await client.get(`/v2/futures/${path}`, { ...OF_BTCUSDT, market: "NONE" });
    assert.equal(message, "Invalid Parameter: market NONE not found");
  }
  assert.equal((await client.get("/v2/futures/pending-position", OF_BTCUSDT)).code, 3639);
});
