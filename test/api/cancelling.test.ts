import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Envelope } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const CANCEL = "/v2/spot/cancel-order";
const CANCEL_ALL = "/v2/spot/cancel-all-order";
const BY_CLIENT_ID = "/v2/spot/cancel-order-by-client-id";
const MODIFY = "/v2/spot/modify-order";
const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };

describe("cancelling and modifying", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100000", BTC: "10" });
    other = await venue.addUser("other", { USDT: "100000", BTC: "10" });
  });
  after(() => venue.close());

  async function pendingIds(client = user.client): Promise<number[]> {
    const rows = await client.read("/v2/spot/pending-order", { market_type: "SPOT", limit: 100 });
    return rows.map((row: { order_id: number }) => row.order_id);
  }

  test("a cancelled order is answered as it was, its money is free, and it is gone", async () => {
    const order = await user.client.act(ORDER, limitOrder("buy", "0.5", "20000"));
    await venue.wait(1_000);
    const cancelled = await user.client.act(CANCEL, { ...OF_BTCUSDT, order_id: order.order_id });
    assert.deepEqual({ ...cancelled, updated_at: order.updated_at }, order);
    const [, usdt] = await user.client.read("/v2/assets/spot/balance");
    assert.deepEqual(usdt, { ccy: "USDT", available: "100000.00000000", frozen: "0.00000000" });
    const gone = await user.client.post(CANCEL, { ...OF_BTCUSDT, order_id: order.order_id });
    assert.deepEqual([gone.code, gone.data], [3600, {}]);
    const status = await user.client.get("/v2/spot/order-status", { market: "BTCUSDT", order_id: order.order_id });
    assert.equal(status.code, 3600, "an order cancelled without a fill is kept nowhere");
    const finished = await user.client.read("/v2/spot/finished-order", { market_type: "SPOT" });
    assert.deepEqual(finished, []);
  });

  test("an order that was partly filled is kept as part_canceled, with the time of its end", async () => {
    const order = await user.client.act(ORDER, limitOrder("buy", "0.5", "20000"));
    await other.client.act(ORDER, limitOrder("sell", "0.1", "20000"));
    await venue.wait(5_000);
    const cancelled = await user.client.act(CANCEL, { ...OF_BTCUSDT, order_id: String(order.order_id) });
    assert.deepEqual([cancelled.filled_amount, cancelled.unfilled_amount], ["0.100000", "0.400000"]);
    assert.deepEqual([cancelled.created_at, cancelled.updated_at], [order.created_at, venue.control.timeMs]);
    const query = { market: "BTCUSDT", order_id: order.order_id };
    assert.deepEqual(await user.client.read("/v2/spot/order-status", query), { ...cancelled, status: "part_canceled" });
    assert.deepEqual(await user.client.read("/v2/spot/finished-order", { market_type: "SPOT" }), [cancelled]);
  });

  test("another's order, another market's and margin's answer alike: there is no such order", async () => {
    const { order_id } = await user.client.act(ORDER, limitOrder("buy", "0.5", "19000"));
    for (const [client, more] of [
      [other.client, {}],
      [user.client, { market: "ETHUSDT" }],
      [user.client, { market_type: "MARGIN" }],
      [user.client, { order_id: order_id + 1_000 }],
      [user.client, { order_id: Number.MAX_SAFE_INTEGER }],
    ] as const) {
      const answer = await client.post(CANCEL, { ...OF_BTCUSDT, order_id, ...more });
      assert.deepEqual(answer, { code: 3600, data: {}, message: "There is no such order." });
    }
    assert.deepEqual(await pendingIds(), [order_id]);
    await user.client.act(CANCEL, { ...OF_BTCUSDT, order_id });
  });

  test("cancel-all clears a market, or one side of it, and nobody else's orders", async () => {
    const { client } = user;
    await client.act(ORDER, limitOrder("buy", "0.1", "19000"));
    await client.act(ORDER, limitOrder("buy", "0.1", "19001"));
    const sell = await client.act(ORDER, limitOrder("sell", "0.1", "40000"));
    const eth = await client.act(ORDER, { ...limitOrder("buy", "1", "1000"), market: "ETHUSDT" });
    const foreign = await other.client.act(ORDER, limitOrder("buy", "0.1", "18000"));
    assert.equal((await client.post(CANCEL_ALL, { ...OF_BTCUSDT, market_type: "MARGIN" })).code, 3639);
    assert.equal((await pendingIds()).length, 4);
    assert.deepEqual(await client.act(CANCEL_ALL, { ...OF_BTCUSDT, side: "buy" }), {});
    assert.deepEqual(await pendingIds(), [eth.order_id, sell.order_id]);
    assert.deepEqual(await client.act(CANCEL_ALL, OF_BTCUSDT), {});
    assert.deepEqual(await pendingIds(), [eth.order_id]);
    assert.deepEqual(await client.act(CANCEL_ALL, OF_BTCUSDT), {}, "nothing left to cancel is fine");
    assert.deepEqual(await pendingIds(other.client), [foreign.order_id]);
    await client.act(CANCEL_ALL, { ...OF_BTCUSDT, market: "ETHUSDT" });
    await other.client.act(CANCEL_ALL, OF_BTCUSDT);
  });

  test("a client id cancels every order that carries it, in one market or in all", async () => {
    const { client } = user;
    const twin = { client_id: "twin" };
    const first = await client.act(ORDER, limitOrder("buy", "0.1", "19000", twin));
    const second = await client.act(ORDER, limitOrder("sell", "0.1", "41000", twin));
    const eth = await client.act(ORDER, { ...limitOrder("buy", "1", "1000", twin), market: "ETHUSDT" });
    const bystander = await client.act(ORDER, limitOrder("buy", "0.1", "19000", { client_id: "Twin" }));
    const foreign = await other.client.act(ORDER, limitOrder("buy", "0.1", "18000", twin));

    const inBitcoin = (await client.act(BY_CLIENT_ID, { ...OF_BTCUSDT, ...twin })) as Envelope[];
    assert.deepEqual(
      inBitcoin.map(({ code, message, data }) => [code, message, data]),
      [
        [0, "OK", first],
        [0, "OK", second],
      ],
    );
    const everywhere = (await client.act(BY_CLIENT_ID, { market_type: "SPOT", ...twin })) as Envelope[];
    assert.deepEqual(
      everywhere.map(({ data }) => data),
      [eth],
    );
    assert.deepEqual(await pendingIds(), [bystander.order_id]);
    assert.deepEqual(await pendingIds(other.client), [foreign.order_id]);
    for (const body of [
      { ...OF_BTCUSDT, ...twin },
      { market_type: "MARGIN", client_id: "Twin" },
      { market_type: "SPOT", client_id: "nobody" },
    ]) {
      const answer = await client.post(BY_CLIENT_ID, body);
      assert.deepEqual([answer.code, answer.data], [3600, {}], "no match is an error of the whole call");
    }
    for (const { client } of [user, other]) await client.act(CANCEL_ALL, OF_BTCUSDT);
  });

  test("orders that end by themselves in the same moment are not taken for cancelled ones", async () => {
    const { client } = user;
    const id = { client_id: "mine" };
    await client.act(ORDER, { ...limitOrder("buy", "1", "1000"), market: "ETHUSDT" });
    await other.client.act(ORDER, { ...limitOrder("buy", "1", "1000", id), market: "ETHUSDT" });
    const own = await client.act(ORDER, limitOrder("buy", "0.1", "19000", id));
    await venue.operate({ kind: "change_market", market: "ETHUSDT", delistedAt: venue.control.timeMs + 1_000 });
    venue.control.timeMs += 1_000;
    const elements = (await client.act(BY_CLIENT_ID, { ...OF_BTCUSDT, ...id })) as Envelope[];
    assert.deepEqual(
      elements.map(({ data }) => ({ ...data, updated_at: own.updated_at })),
      [own],
    );
    assert.deepEqual(await pendingIds(), [], "the delisted market's orders are gone as well");
  });

  test("modifying keeps the id, answers with the status and trades when the new price crosses", async () => {
    const { client } = user;
    const order = await client.act(ORDER, limitOrder("buy", "0.2", "19000", { client_id: "mod" }));
    const { order_id } = order;
    await venue.wait(10);
    const target = { ...OF_BTCUSDT, order_id };
    const smaller = await client.act(MODIFY, { ...target, amount: "0.1" });
    const updated_at = venue.control.timeMs;
    const resting = { ...order, amount: "0.100000", unfilled_amount: "0.100000", updated_at, status: "open" };
    assert.deepEqual(smaller, resting);

    await other.client.act(ORDER, limitOrder("sell", "0.04", "20000"));
    const crossing = await client.act(MODIFY, { ...target, price: "20000", amount: "0.1" });
    assert.deepEqual(
      [crossing.status, crossing.price, crossing.filled_amount, crossing.unfilled_amount],
      ["part_filled", "20000.00", "0.040000", "0.060000"],
    );
    const rows: readonly (readonly [object, number])[] = [
      [{}, 3639],
      [{ amount: "0.04" }, 3639],
      [{ amount: "0.0000001" }, 3639],
      [{ amount: "9" }, 3109],
      [{ price: "0" }, 3639],
      [{ price: "20000.005" }, 3639],
      [{ price: "31000" }, 3606],
      [{ market: "NOPE", price: "20000" }, 3639],
      [{ market_type: "MARGIN", price: "20000" }, 3600],
      [{ order_id: order_id + 1_000, price: "20000" }, 3600],
    ];
    const before = venue.stateHash();
    for (const [change, code] of rows) {
      const answer = await client.post(MODIFY, { ...target, ...change });
      assert.deepEqual([answer.code, answer.data], [code, {}], `${JSON.stringify(change)}: ${answer.message}`);
    }
    assert.equal((await other.client.post(MODIFY, { ...target, price: "1" })).code, 3600);
    assert.equal(venue.stateHash(), before);
    await client.act(CANCEL_ALL, OF_BTCUSDT);
  });
});
