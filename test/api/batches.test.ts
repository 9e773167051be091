import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Envelope } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";

const BATCH = "/v2/spot/batch-order";
const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };

describe("batches", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "10000", BTC: "1" });
  });
  after(() => venue.close());

  test("each order succeeds or fails alone, in the order of the request, and later ones see earlier ones", async () => {
    const orders = [
      limitOrder("buy", "0.1", "29000", { client_id: "first" }),
      limitOrder("buy", "0.1", "lots"),
      limitOrder("buy", "0.00001", "29000"),
      { ...limitOrder("buy", "0.1", "29000"), market: "NOPE" },
      limitOrder("sell", "0.1", "29000", { type: "ioc" }),
      limitOrder("buy", "1", "29000"),
      "no order at all",
      marketOrder("sell", "0.1"),
    ];
    const answer = await user.client.post(BATCH, { orders, market: "BTCUSDT" });
    assert.deepEqual([answer.code, answer.message], [0, "OK"]);
    const elements = answer.data as Envelope[];
    assert.deepEqual(
      elements.map(({ code }) => code),
      [0, 3639, 3127, 3639, 0, 3109, 3639, 3620],
    );
    for (const { code, data, message } of elements)
      if (code !== 0) assert.deepEqual([data, message !== ""], [null, true]);
    assert.equal(elements[3]?.message, "Invalid Parameter: market NOPE not found");
    assert.equal(elements[0]?.data.client_id, "first");
    assert.equal(elements[4]?.data.filled_amount, "0.100000");
    assert.deepEqual(Object.keys(elements[0] as object).sort(), ["code", "data", "message"]);
  });

  test("its sub-requests stand next to each other, whoever else sends something meanwhile", async () => {
    const other = await venue.addUser("other", { USDT: "10000" });
    const orders = Array.from({ length: 20 }, () => limitOrder("buy", "0.001", "20000"));
    const answers = await Promise.all([
      user.client.act(BATCH, { orders }),
      other.client.act(BATCH, { orders }),
      user.client.act(BATCH, { orders }),
    ]);
    for (const elements of answers as Envelope[][]) {
      const ids = elements.map(({ data }) => data.order_id as number);
      assert.deepEqual(
        ids,
        ids.map((_id, index) => (ids[0] as number) + index),
      );
    }
  });

  test("a batch that is none, empty or longer than allowed fails whole and does nothing", async () => {
    const before = venue.stateHash();
    const tooMany = Array.from({ length: 101 }, () => limitOrder("buy", "0.001", "20000"));
    for (const orders of [undefined, null, [], {}, "[]", tooMany]) {
      const answer = await user.client.post(BATCH, { orders });
      assert.deepEqual([answer.code, answer.data], [3639, {}]);
    }
    assert.equal(venue.stateHash(), before);
  });

  test("a batch in which nothing is an order is answered without the engine", async () => {
    const elements = (await user.client.act(BATCH, { orders: [null, 1, []] })) as Envelope[];
    assert.deepEqual(
      elements.map(({ code, data }) => [code, data]),
      [
        [3639, null],
        [3639, null],
        [3639, null],
      ],
    );
  });

  test("cancels are answered one by one, whichever account they are looked for in", async () => {
    const [one, two] = (await user.client.act(BATCH, {
      orders: [limitOrder("buy", "0.001", "20000"), limitOrder("buy", "0.001", "20001")],
    })) as [Envelope, Envelope];
    const stranger = await venue.addUser("stranger", { USDT: "100" });
    const foreign = await stranger.client.act("/v2/spot/order", limitOrder("buy", "0.001", "20000"));
    const ids = [one.data.order_id, foreign.order_id, 999_999, one.data.order_id, "x", String(two.data.order_id)];
    const elements = (await user.client.act("/v2/spot/cancel-batch-order", {
      market: "BTCUSDT",
      order_ids: ids,
    })) as Envelope[];
    assert.deepEqual(
      elements.map(({ code }) => code),
      [0, 3600, 3600, 3600, 3639, 0],
    );
    assert.equal(elements[5]?.data.order_id, two.data.order_id);
    const pending = await stranger.client.read("/v2/spot/pending-order", { market_type: "SPOT" });
    assert.equal(pending.length, 1, "the stranger's order still rests");

    const inMargin = { ...OF_BTCUSDT, market_type: "MARGIN", order_ids: [foreign.order_id] };
    const [element] = (await stranger.client.act("/v2/spot/cancel-batch-order", inMargin)) as [Envelope];
    assert.equal(element.code, 3600, "a spot order is not found in margin");
    const elsewhere = { market: "ETHUSDT", order_ids: [foreign.order_id] };
    const [inOther] = (await stranger.client.act("/v2/spot/cancel-batch-order", elsewhere)) as [Envelope];
    assert.equal(inOther.code, 3600, "nor in another market");
  });

  test("modifications run in order, each alone", async () => {
    const order = await user.client.act("/v2/spot/order", limitOrder("buy", "0.002", "20000"));
    const { order_id } = order;
    const elements = (await user.client.act("/v2/spot/batch-modify-order", {
      orders: [
        { ...OF_BTCUSDT, order_id, amount: "0.003" },
        { ...OF_BTCUSDT, order_id, price: "20000.001" },
        { ...OF_BTCUSDT, order_id, price: "20100" },
        { ...OF_BTCUSDT, order_id: 999_999, price: "20100" },
        { ...OF_BTCUSDT, order_id },
      ],
    })) as Envelope[];
    assert.deepEqual(
      elements.map(({ code }) => code),
      [0, 3639, 0, 3600, 3639],
    );
    assert.deepEqual(elements[2]?.data, {
      ...order,
      amount: "0.003000",
      unfilled_amount: "0.003000",
      price: "20100.00",
    });
  });
});

test("under compat the fields of an order stand beside data too, where existing clients look for them", async () => {
  const venue = await bitcoinApiVenue({ compat: true });
  const { client } = await venue.addUser("user", { USDT: "10000" });
  const orders = [limitOrder("buy", "0.001", "20000"), limitOrder("buy", "9", "20000")];
  const [placed, refused] = (await client.act(BATCH, { orders })) as [Envelope & { order_id: number }, Envelope];
  assert.deepEqual(placed, { code: 0, message: "OK", data: placed.data, ...placed.data });
  assert.deepEqual(Object.keys(refused).sort(), ["code", "data", "message"]);
  await venue.close();
});
