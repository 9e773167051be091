import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";

const STOP = "/v2/spot/stop-order";
const BATCH = "/v2/spot/batch-stop-order";
const MODIFY = "/v2/spot/modify-stop-order";
const CANCEL = "/v2/spot/cancel-stop-order";
const CANCEL_BATCH = "/v2/spot/cancel-batch-stop-order";
const BY_CLIENT_ID = "/v2/spot/cancel-stop-order-by-client-id";
const PENDING = "/v2/spot/pending-stop-order";
const FINISHED = "/v2/spot/finished-stop-order";
const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };

function stopOrder(side: "buy" | "sell", amount: string, price: string, trigger_price: string, more: object = {}) {
  return limitOrder(side, amount, price, { trigger_price, ...more });
}

describe("stop orders", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100000", BTC: "10" });
    other = await venue.addUser("other", { USDT: "10000000", BTC: "1000" });
    await dealAt("30000");
  });
  after(() => venue.close());

  async function dealAt(price: string): Promise<void> {
    await other.client.act("/v2/spot/order", limitOrder("sell", "0.001", price));
    await other.client.act("/v2/spot/order", limitOrder("buy", "0.001", price, { type: "ioc" }));
  }

  async function pending(more: object = {}, client = user.client) {
    return await client.read(PENDING, { market_type: "SPOT", ...more });
  }

  async function finished(more: object = {}, client = user.client) {
    return await client.read(FINISHED, { market_type: "SPOT", ...more });
  }

  test("one waits as it was placed, fires, becomes an order and is found as finished", async () => {
    const { stop_id } = await user.client.act(STOP, stopOrder("buy", "0.5", "31000", "31000", { client_id: "mine" }));
    const expected = {
      stop_id,
      ...OF_BTCUSDT,
      ccy: "BTC",
      side: "buy",
      type: "limit",
      amount: "0.500000",
      price: "31000.00",
      trigger_price: "31000.00",
      trigger_direction: "lower",
      trigger_price_type: "latest_price",
      client_id: "mine",
      created_at: venue.control.timeMs,
      updated_at: venue.control.timeMs,
    };
    assert.deepEqual(await pending(), [expected]);
    const [, usdt] = await user.client.read("/v2/assets/spot/balance");
    assert.deepEqual(usdt, { ccy: "USDT", available: "100000.00000000", frozen: "0.00000000" });

    await venue.wait(2_000);
    await dealAt("31000");
    assert.deepEqual(await pending(), []);
    assert.deepEqual(await finished(), [{ ...expected, updated_at: venue.control.timeMs }]);
    const [order] = await user.client.read("/v2/spot/pending-order", { market_type: "SPOT" });
    assert.deepEqual([order.amount, order.price, order.client_id], ["0.500000", "31000.00", "mine"]);
    await user.client.act("/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id: order.order_id });
    await dealAt("30000");
  });

  test("one whose order is refused is finished as well, and one that is cancelled is kept nowhere", async () => {
    const before = (await finished()).length;
    const poor = await user.client.act(STOP, stopOrder("buy", "50", "30000", "29000"));
    const gone = await user.client.act(STOP, stopOrder("buy", "0.1", "30000", "29000"));
    const cancelled = await user.client.act(CANCEL, { ...OF_BTCUSDT, stop_id: gone.stop_id });
    assert.equal(cancelled.stop_id, gone.stop_id);
    await dealAt("29000");
    await dealAt("30000");
    const rows = await finished();
    assert.equal(rows.length, before + 1);
    assert.equal(rows[0].stop_id, poor.stop_id);
    assert.deepEqual(await user.client.read("/v2/spot/pending-order", { market_type: "SPOT" }), []);
  });

  test("one of a market order counts its amount in either currency and has no price", async () => {
    const [spend, buy, sell] = await user.client.act(BATCH, {
      orders: [
        marketOrder("buy", "300", { trigger_price: "31000" }),
        marketOrder("buy", "0.01", { trigger_price: "31000", ccy: "BTC" }),
        marketOrder("sell", "0.01", { trigger_price: "29000", price: "1" }),
      ],
    });
    const rows = await pending();
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row["stop_id"], row["ccy"], row["amount"], row["price"]]),
      [
        [sell.data.stop_id, "BTC", "0.010000", "0"],
        [buy.data.stop_id, "BTC", "0.010000", "0"],
        [spend.data.stop_id, "USDT", "300.00000000", "0"],
      ],
    );
    await user.client.act(MODIFY, { ...OF_BTCUSDT, stop_id: spend.data.stop_id, amount: "400.5" });
    assert.equal((await pending()).at(-1).amount, "400.50000000");
    const refused = await user.client.post(MODIFY, { ...OF_BTCUSDT, stop_id: spend.data.stop_id, price: "30000" });
    assert.equal(refused.code, 3639);
    await cancelAll();
  });

  test("a batch places each alone", async () => {
    const answer = await user.client.act(BATCH, {
      orders: [
        stopOrder("buy", "0.1", "30000", "29000"),
        stopOrder("buy", "0.1", "50000", "29000"),
        stopOrder("buy", "0.1", "30000", "29000.001"),
        { ...stopOrder("buy", "0.1", "30000", "29000"), market: "NOPE" },
        stopOrder("sell", "0.1", "30000", "29000"),
      ],
    });
    assert.deepEqual(
      answer.map((element: { code: number }) => element.code),
      [0, 3619, 3639, 3639, 0],
    );
    await cancelAll();
  });

  test("a new trigger turns the direction, and only what is given changes", async () => {
    const { stop_id } = await user.client.act(STOP, stopOrder("sell", "0.1", "30000", "29000"));
    assert.equal((await pending())[0].trigger_direction, "higher");
    assert.deepEqual(await user.client.act(MODIFY, { ...OF_BTCUSDT, stop_id, trigger_price: "31000" }), { stop_id });
    const [row] = await pending();
    assert.deepEqual(
      [row.trigger_price, row.trigger_direction, row.price, row.amount],
      ["31000.00", "lower", "30000.00", "0.100000"],
    );
    const nothing = await user.client.post(MODIFY, { ...OF_BTCUSDT, stop_id });
    assert.deepEqual(
      [nothing.code, nothing.message],
      [3639, "Invalid Parameter: amount, price or trigger_price must be given."],
    );
    await cancelAll();
  });

  test("another's, another market's, margin's and one that never was answer alike", async () => {
    const { stop_id } = await user.client.act(STOP, stopOrder("sell", "0.1", "30000", "29000"));
    for (const [client, more] of [
      [other.client, {}],
      [user.client, { market: "ETHUSDT" }],
      [user.client, { market_type: "MARGIN" }],
      [user.client, { stop_id: stop_id + 1_000 }],
      [user.client, { stop_id: Number.MAX_SAFE_INTEGER }],
    ] as const) {
      const absent = { code: 3600, data: {}, message: "There is no such order." };
      assert.deepEqual(await client.post(CANCEL, { ...OF_BTCUSDT, stop_id, ...more }), absent);
      assert.deepEqual(await client.post(MODIFY, { ...OF_BTCUSDT, stop_id, amount: "1", ...more }), absent);
    }
    assert.deepEqual(await pending({}, other.client), []);
    const foreign = await other.client.act(CANCEL_BATCH, { market: "BTCUSDT", stop_ids: [stop_id] });
    assert.deepEqual(foreign, [{ code: 3600, data: null, message: "There is no such order." }]);
    assert.equal((await pending()).length, 1);
    await cancelAll();
  });

  test("pages, sides, client ids and markets narrow what waits; cancels take several", async () => {
    const ids: number[] = [];
    for (const [side, client_id] of [
      ["buy", "a"],
      ["sell", "a"],
      ["buy", "b"],
    ] as const) {
      ids.push((await user.client.act(STOP, stopOrder(side, "0.1", "30000", "29000", { client_id }))).stop_id);
    }
    const shown = async (more: object) => (await pending(more)).map((row: { stop_id: number }) => row.stop_id);
    assert.deepEqual(await shown({}), ids.toReversed());
    assert.deepEqual(await shown({ side: "buy" }), [ids[2], ids[0]]);
    assert.deepEqual(await shown({ client_id: "a" }), [ids[1], ids[0]]);
    assert.deepEqual(await shown({ market: "ETHUSDT" }), []);
    assert.deepEqual(await shown({ market_type: "MARGIN" }), []);
    const page = await user.client.get(PENDING, { market_type: "SPOT", page: "2", limit: "2" });
    assert.deepEqual(page.pagination, { total: 3, has_next: false });
    assert.equal(page.data.length, 1);
    const named = await user.client.act(BY_CLIENT_ID, { market_type: "SPOT", client_id: "a" });
    assert.deepEqual(
      named.map((element: { data: { stop_id: number } }) => element.data.stop_id),
      [ids[0], ids[1]],
    );
    const again = await user.client.post(BY_CLIENT_ID, { market_type: "SPOT", client_id: "a" });
    assert.equal(again.code, 3600);
    const batch = await user.client.act(CANCEL_BATCH, { market: "BTCUSDT", stop_ids: [ids[2], ids[2]] });
    assert.deepEqual(
      batch.map((element: { code: number }) => element.code),
      [0, 3600],
    );
  });

  test("finished ones come in pages, newest first, by market and side", async () => {
    const ids: number[] = [];
    for (const side of ["buy", "sell", "buy"] as const) {
      const price = side === "buy" ? "20000" : "40000";
      ids.push((await user.client.act(STOP, stopOrder(side, "0.01", price, "30000"))).stop_id);
    }
    const shown = async (more: object) => (await finished(more)).map((row: { stop_id: number }) => row.stop_id);
    assert.deepEqual((await shown({})).slice(0, 3), ids.toReversed());
    assert.deepEqual(await shown({ limit: 2, page: 2, side: "buy" }), (await shown({ side: "buy" })).slice(2, 4));
    assert.deepEqual(await shown({ limit: 1, side: "sell" }), [ids[1]]);
    assert.deepEqual(await shown({ market: "BTCUSDT" }), await shown({}));
    assert.deepEqual(await shown({ market: "ETHUSDT" }), []);
    assert.deepEqual(await finished({}, other.client), []);
    const page = await user.client.get(FINISHED, { market_type: "SPOT", page: "1", limit: "1" });
    assert.deepEqual(page.pagination, { has_next: true });
  });

  async function cancelAll(): Promise<void> {
    const stop_ids = (await pending({ limit: 100 })).map((row: { stop_id: number }) => row.stop_id);
    await user.client.act(CANCEL_BATCH, { market: "BTCUSDT", stop_ids });
  }
});
