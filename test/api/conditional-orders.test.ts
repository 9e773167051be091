import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const EXT = "/v2/ext/spot";
const WHERE = { market: "BTCUSDT", market_type: "SPOT" };

describe("conditional orders over the API", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let maker: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100000", BTC: "10" });
    maker = await venue.addUser("maker", { USDT: "10000000", BTC: "1000" });
    await deal("30000");
    await maker.client.act(ORDER, limitOrder("buy", "5", "29000"));
  });
  after(() => venue.close());

  async function deal(price: string): Promise<void> {
    await maker.client.act(ORDER, limitOrder("sell", "0.01", price));
    await maker.client.act(ORDER, limitOrder("buy", "0.01", price));
  }

  const listed = async () => await user.client.read(`${EXT}/conditional-order`, { market_type: "SPOT" });

  test("a trail is listed with its extreme and the trigger that follows it, pushed and found when it has fired", async () => {
    const socket = await venue.socket(user.client);
    await socket.must("stop.subscribe", { market_list: ["BTCUSDT"] });
    const asked = { ...WHERE, side: "sell", amount: "1", trail_rate: "0.01", client_id: "t1" };
    const { group_id, order_id, stop_ids } = await user.client.act(`${EXT}/trailing-stop`, asked);
    assert.deepEqual([group_id, order_id, stop_ids.length], [0, 0, 1]);
    assert.equal((await socket.push("stop.update")).event, "put");
    await deal("30000.99");
    const [row] = await listed();
    const { created_at, updated_at, ...shown } = row;
    assert.deepEqual(shown, {
      stop_id: stop_ids[0],
      group_id: 0,
      order_id: 0,
      market: "BTCUSDT",
      market_type: "SPOT",
      side: "sell",
      type: "market",
      amount: "1.000000",
      price: "0",
      position_side: "",
      is_reduce_only: false,
      trigger_price: "29700.98",
      trigger_direction: "higher",
      trigger_price_type: "latest_price",
      trail: "0",
      trail_rate: "0.01",
      activation_price: "0",
      extreme_price: "30000.99",
      display_amount: "0.000000",
      client_id: "t1",
    });
    await deal("29700.98");
    assert.deepEqual(await listed(), []);
    const [finished] = await user.client.read("/v2/spot/finished-stop-order", { market_type: "SPOT" });
    assert.deepEqual([finished.stop_id, finished.trigger_price], [stop_ids[0], "29700.98"]);
    await deal("30000");
  });

  test("a pair is placed and cancelled as one, over a socket too", async () => {
    const socket = await venue.socket(user.client);
    const orders = [
      { side: "sell", type: "limit", amount: "1", price: "31000" },
      { side: "sell", type: "market", amount: "1", trigger_price: "29500" },
    ];
    const { group_id, order_id, stop_ids } = (await socket.ask("order.place_oco", { ...WHERE, orders })).data;
    const [row] = await listed();
    assert.deepEqual([row.group_id, row.order_id, row.stop_id], [group_id, order_id, stop_ids[0]]);
    assert.deepEqual(await user.client.act(`${EXT}/cancel-group`, { group_id }), { group_id, order_id, stop_ids });
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await user.client.read("/v2/spot/pending-order", { market_type: "SPOT" }), []);
    assert.match((await user.client.post(`${EXT}/cancel-group`, { group_id })).message, /no such order/);
  });

  test("a bracket wakes with the fill of its entry", async () => {
    const asked = { ...WHERE, side: "buy", type: "limit", amount: "0.5", price: "29900" };
    const exits = { take_profit_price: "33000", stop_loss_trail: "400" };
    const { stop_ids } = await user.client.act(`${EXT}/bracket`, { ...asked, ...exits });
    assert.deepEqual(
      (await listed()).map(({ amount }: { amount: string }) => amount),
      ["0.000000", "0.000000"],
    );
    await maker.client.act(ORDER, limitOrder("sell", "0.5", "29900"));
    const rows: { stop_id: number; amount: string; order_id: number }[] = await listed();
    assert.deepEqual(
      rows.map(({ stop_id, amount, order_id }) => [stop_id, amount, order_id]),
      [
        [stop_ids[1], "0.499500", 0],
        [stop_ids[0], "0.499500", 0],
      ],
    );
  });

  test("an iceberg is a part of the depth, an open order whole, and listed with what it displays", async () => {
    const order = { ...WHERE, side: "sell", type: "maker_only", amount: "0.25", price: "36000", client_id: "ice" };
    const { order_id, ...rest } = await user.client.act(`${EXT}/iceberg-order`, { ...order, display_amount: "0.1" });
    assert.deepEqual(rest, { group_id: 0, stop_ids: [] });
    const depthOf = async () =>
      (await user.client.read("/v2/spot/depth", { market: "BTCUSDT", limit: 50, interval: "0" })).depth.asks.at(-1);
    assert.deepEqual(await depthOf(), ["36000.00", "0.100000"]);
    await maker.client.act(ORDER, limitOrder("buy", "0.14", "36000"));
    assert.deepEqual(await depthOf(), ["36000.00", "0.060000"]);
    const [row, ...others] = await user.client.read(`${EXT}/iceberg-order`, { market_type: "SPOT" });
    const { created_at, updated_at, ...shown } = row;
    assert.deepEqual(
      [shown, others],
      [
        {
          order_id,
          market: "BTCUSDT",
          market_type: "SPOT",
          side: "sell",
          type: "maker_only",
          amount: "0.250000",
          price: "36000.00",
          unfilled_amount: "0.110000",
          filled_amount: "0.140000",
          display_amount: "0.100000",
          displayed_amount: "0.060000",
          position_side: "",
          is_reduce_only: false,
          client_id: "ice",
        },
        [],
      ],
    );
    const open = await user.client.read("/v2/spot/pending-order", { market_type: "SPOT", client_id: "ice" });
    assert.equal(open[0].unfilled_amount, "0.110000");
    const change = { market: "BTCUSDT", market_type: "SPOT", order_id, amount: "3" };
    const refused = await user.client.post("/v2/spot/modify-order", change);
    assert.equal(refused.code, 3639);
    assert.match(refused.message, /display_amount is less than/);
    await user.client.act("/v2/spot/cancel-order", { market: "BTCUSDT", market_type: "SPOT", order_id });
    assert.deepEqual(await user.client.read(`${EXT}/iceberg-order`, { market_type: "SPOT" }), []);
  });

  for (const [path, params, message] of [
    [
      "iceberg-order",
      { side: "sell", type: "ioc", amount: "1", price: "31000", display_amount: "0.1" },
      /only limit and maker_only orders can have a display_amount/,
    ],
    [
      "iceberg-order",
      { side: "sell", type: "limit", amount: "1", price: "31000", display_amount: "1" },
      /the order cannot be placed: display_amount must be less than the amount/,
    ],
    [
      "iceberg-order",
      { side: "sell", type: "limit", amount: "1", price: "31000", display_amount: "0.01" },
      /display_amount is less than min_amount of the market, or than a twentieth of the amount/,
    ],
    ["trailing-stop", { side: "sell", amount: "1" }, /at least one of the orders must have a trigger or a trail/],
    ["trailing-stop", { side: "sell", amount: "1", trail: "20000" }, /at most half/],
    ["trailing-stop", { side: "sell", amount: "0.0000001", trail: "100" }, /amount has more decimals/],
    ["trailing-stop", { side: "sell", amount: "1", trail: "0.001" }, /no more decimals/],
    ["oco", { orders: [] }, /orders/],
    [
      "bracket",
      { side: "buy", type: "market", amount: "1", take_profit_price: "1", stop_loss_price: "2" },
      /on the side of profit/,
    ],
  ] as const) {
    test(`${path} refuses ${JSON.stringify(params)} with a sentence`, async () => {
      const answer = await user.client.post(`${EXT}/${path}`, { ...WHERE, ...params });
      assert.equal(answer.code, 3639);
      assert.match(answer.message, message);
    });
  }
});
