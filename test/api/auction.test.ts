import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiClient, Envelope } from "../support/api-client.ts";
import { ApiVenue, limitOrder, marketOrder } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };
const PHASE_MS = 1_000;

/** BTCUSDT takes bids from now on, locks them a second later and opens after another. */
async function auctionApiVenue(): Promise<ApiVenue> {
  const venue = await ApiVenue.open();
  await venue.listAssets("USDT", "BTC");
  const biddingAt = venue.control.timeMs;
  const times = { biddingAt, noCancelAt: biddingAt + PHASE_MS, onlineAt: biddingAt + 2 * PHASE_MS };
  await venue.operate({ ...marketOf("BTC", "USDT"), ...times });
  return venue;
}

interface Scene {
  readonly client: ApiClient;
  readonly orderId: number;
  readonly stopId: number;
}

/** Codes in the first and in the second phase; of a batch those of its elements. */
const TABLE: readonly [
  call: string,
  make: (scene: Scene) => Promise<Envelope>,
  first: number | number[],
  second: number | number[],
][] = [
  ["limit", ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "20000")), 0, 0],
  [
    "hidden limit",
    ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "20000", { is_hide: true })),
    0,
    0,
  ],
  [
    "maker_only",
    ({ client }) => client.post("/v2/spot/order", limitOrder("buy", "0.1", "20000", { type: "maker_only" })),
    4117,
    4117,
  ],
  ["market", ({ client }) => client.post("/v2/spot/order", marketOrder("buy", "100")), 4117, 4117],
  [
    "batch of orders",
    ({ client }) =>
      client.post("/v2/spot/batch-order", {
        orders: [limitOrder("buy", "0.1", "20000"), limitOrder("buy", "0.1", "20000", { type: "ioc" })],
      }),
    [0, 4117],
    [0, 4117],
  ],
  [
    "stop order",
    ({ client }) =>
      client.post("/v2/spot/stop-order", limitOrder("buy", "0.1", "20000", { trigger_price: "21000", type: "ioc" })),
    0,
    0,
  ],
  [
    "modify",
    ({ client, orderId }) => client.post("/v2/spot/modify-order", { ...OF_BTCUSDT, order_id: orderId, price: "20001" }),
    0,
    3610,
  ],
  [
    "batch of modifications",
    ({ client, orderId }) =>
      client.post("/v2/spot/batch-modify-order", {
        orders: [
          { ...OF_BTCUSDT, order_id: orderId, amount: "0.01" },
          { ...OF_BTCUSDT, order_id: 999, amount: "0.01" },
        ],
      }),
    [0, 3600],
    [3610, 3600],
  ],
  [
    "cancel",
    ({ client, orderId }) => client.post("/v2/spot/cancel-order", { ...OF_BTCUSDT, order_id: orderId }),
    0,
    3610,
  ],
  [
    "batch of cancels",
    ({ client, orderId }) => client.post("/v2/spot/cancel-batch-order", { ...OF_BTCUSDT, order_ids: [orderId, 999] }),
    [0, 3600],
    [3610, 3600],
  ],
  ["cancel all", ({ client }) => client.post("/v2/spot/cancel-all-order", OF_BTCUSDT), 0, 3610],
  [
    "cancel by client id",
    ({ client }) => client.post("/v2/spot/cancel-order-by-client-id", { ...OF_BTCUSDT, client_id: "mine" }),
    0,
    3610,
  ],
  [
    "modify a stop order",
    ({ client, stopId }) =>
      client.post("/v2/spot/modify-stop-order", { ...OF_BTCUSDT, stop_id: stopId, amount: "0.3" }),
    0,
    3610,
  ],
  [
    "cancel a stop order",
    ({ client, stopId }) => client.post("/v2/spot/cancel-stop-order", { ...OF_BTCUSDT, stop_id: stopId }),
    0,
    3610,
  ],
  [
    "batch of cancels of stop orders",
    ({ client, stopId }) => client.post("/v2/spot/cancel-batch-stop-order", { ...OF_BTCUSDT, stop_ids: [stopId] }),
    [0],
    [3610],
  ],
  [
    "cancel stop orders by client id",
    ({ client }) => client.post("/v2/spot/cancel-stop-order-by-client-id", { ...OF_BTCUSDT, client_id: "mine" }),
    0,
    3610,
  ],
  ["own orders", ({ client }) => client.get("/v2/spot/pending-order", OF_BTCUSDT), 0, 0],
];

test("what every call is answered in both phases of an auction", async (t) => {
  for (const phase of [0, 1] as const) {
    const venue = await auctionApiVenue();
    t.after(() => venue.close());
    const scenes: Scene[] = [];
    for (const [name] of TABLE) {
      const { client } = await venue.addUser(name, { USDT: "100000" });
      const bid = limitOrder("buy", "0.2", "20000", { client_id: "mine" });
      const { order_id: orderId } = await client.act("/v2/spot/order", bid);
      const { stop_id: stopId } = await client.act("/v2/spot/stop-order", { ...bid, trigger_price: "21000" });
      scenes.push({ client, orderId, stopId });
    }
    venue.control.timeMs += phase * PHASE_MS;
    for (const [at, row] of TABLE.entries()) {
      const expected = row[2 + phase] as number | number[];
      const answer = await row[1](scenes[at] as Scene);
      const isBatch = typeof expected === "object" && answer.code === 0;
      const code = isBatch ? answer.data.map((element: Envelope) => element.code) : answer.code;
      assert.deepEqual(code, expected, `${row[0]}: ${answer.message}`);
    }
  }
});

test("an auction shows its status, the price it would open at and what is displayed, and opens with public deals", async (t) => {
  const venue = await auctionApiVenue();
  t.after(() => venue.close());
  const { anybody } = venue;
  const buyer = await venue.addUser("buyer", { USDT: "100000" });
  const seller = await venue.addUser("seller", { BTC: "10" });
  const seen = async () => {
    const [{ status }] = await anybody.read("/v2/spot/market", { market: "BTCUSDT" });
    const [{ last, open, high, low, close, volume }] = await anybody.read("/v2/spot/ticker", { market: "BTCUSDT" });
    const { depth } = await anybody.read("/v2/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
    const prices = new Set([last, open, high, low, close, depth.last]);
    assert.equal(prices.size, 1, "all prices are one");
    return { status, last, volume, asks: depth.asks, bids: depth.bids };
  };
  const nothing = { status: "bidding", last: "0", volume: "0.000000", asks: [], bids: [] };
  assert.deepEqual(await seen(), nothing);

  await buyer.client.act("/v2/spot/order", limitOrder("buy", "2", "102"));
  assert.deepEqual(await seen(), { ...nothing, bids: [["102.00", "2.000000"]] });
  // A hidden order moves the price and is not to be seen otherwise.
  await seller.client.act("/v2/spot/order", limitOrder("sell", "1", "100", { is_hide: true }));
  assert.deepEqual(await seen(), { ...nothing, last: "102.00", bids: [["102.00", "2.000000"]] });
  await seller.client.act("/v2/spot/order", limitOrder("sell", "4", "101"));
  const crossed = { ...nothing, last: "101.00", asks: [["101.00", "4.000000"]], bids: [["102.00", "2.000000"]] };
  assert.deepEqual(await seen(), crossed);
  assert.deepEqual(await anybody.read("/v2/spot/deals", { market: "BTCUSDT" }), []);

  await venue.wait(2 * PHASE_MS - 1);
  assert.deepEqual(await seen(), crossed);
  await venue.wait(1);
  const left = { ...nothing, status: "online", last: "101.00", volume: "2.000000", asks: [["101.00", "3.000000"]] };
  assert.deepEqual(await seen(), left);
  const deals = await anybody.read("/v2/spot/deals", { market: "BTCUSDT" });
  assert.deepEqual(
    deals.map(({ side, price, amount }: Record<string, string>) => [side, price, amount]),
    [
      ["sell", "101.00", "1.000000"],
      ["sell", "101.00", "1.000000"],
    ],
  );
  const own = await buyer.client.read("/v2/spot/user-deals", OF_BTCUSDT);
  assert.deepEqual(
    own.map(({ role, price, amount, fee, fee_ccy: ccy }: Record<string, string>) => [role, price, amount, fee, ccy]),
    [
      ["maker", "101.00", "1.000000", "0.00100000", "BTC"],
      ["maker", "101.00", "1.000000", "0.00100000", "BTC"],
    ],
  );
  const balances = await buyer.client.read("/v2/assets/spot/balance");
  assert.deepEqual(
    balances.map(({ ccy, available, frozen }: Record<string, string>) => [ccy, available, frozen]).sort(),
    [
      ["BTC", "1.99800000", "0.00000000"],
      ["USDT", "99798.00000000", "0.00000000"],
    ],
  );
});
