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

  for (const [path, params, message] of [
    ["trailing-stop", { side: "sell", amount: "1" }, /at least one of the orders must have a trigger or a trail/],
    ["trailing-stop", { side: "sell", amount: "1", trail: "20000" }, /at most half/],
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
