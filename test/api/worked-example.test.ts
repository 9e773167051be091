import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const OF_BTCUSDT = { market: "BTCUSDT", market_type: "SPOT" };

let venue: ApiVenue;
let buyer: ApiUser;
let near: ApiUser;
let far: ApiUser;
before(async () => {
  venue = await bitcoinApiVenue();
  buyer = await venue.addUser("buyer", { USDT: "20000" });
  near = await venue.addUser("near seller", { BTC: "1" });
  far = await venue.addUser("far seller", { BTC: "1" });
});
after(() => venue.close());

test("worked example E1 comes out of the API to the digit", async () => {
  const placedAt = venue.control.timeMs;
  const nearAsk = await near.client.act("/v2/spot/order", limitOrder("sell", "0.2", "30000.00"));
  const farAsk = await far.client.act("/v2/spot/order", limitOrder("sell", "0.25", "30005.50", { client_id: "far-1" }));
  await venue.wait(250);
  const tradedAt = venue.control.timeMs;

  const order = await buyer.client.act("/v2/spot/order", limitOrder("buy", "0.5", "30010.00", { client_id: "E1" }));
  const bought = {
    order_id: 3,
    market: "BTCUSDT",
    market_type: "SPOT",
    ccy: "BTC",
    side: "buy",
    type: "limit",
    amount: "0.500000",
    price: "30010.00",
    unfilled_amount: "0.050000",
    filled_amount: "0.450000",
    filled_value: "13501.37500000",
    client_id: "E1",
    base_fee: "0.00090000",
    quote_fee: "0.00000000",
    discount_fee: "0",
    maker_fee_rate: "0.001",
    taker_fee_rate: "0.002",
    last_filled_amount: "0.250000",
    last_filled_price: "30005.50",
    created_at: tradedAt,
    updated_at: tradedAt,
  };
  assert.deepEqual(order, bought);
  assert.deepEqual(Object.keys(order), Object.keys(bought), "and in the order of the contract");
  const status = { market: "BTCUSDT", order_id: 3 };
  assert.deepEqual(await buyer.client.read("/v2/spot/order-status", status), { ...bought, status: "part_filled" });
  assert.deepEqual(await buyer.client.read("/spot/pending-order", { market_type: "SPOT" }), [bought]);

  assert.deepEqual(await buyer.client.read("/assets/spot/balance"), [
    { ccy: "BTC", available: "0.44910000", frozen: "0.00000000" },
    { ccy: "USDT", available: "4998.12500000", frozen: "1500.50000000" },
  ]);
  assert.deepEqual(await near.client.read("/assets/spot/balance"), [
    { ccy: "BTC", available: "0.80000000", frozen: "0.00000000" },
    { ccy: "USDT", available: "5994.00000000", frozen: "0.00000000" },
  ]);
  assert.deepEqual(await far.client.read("/assets/spot/balance"), [
    { ccy: "BTC", available: "0.75000000", frozen: "0.00000000" },
    { ccy: "USDT", available: "7493.87362500", frozen: "0.00000000" },
  ]);

  const fills = [
    { deal_id: 2, price: "30005.50", amount: "0.250000", fee: "0.00050000" },
    { deal_id: 1, price: "30000.00", amount: "0.200000", fee: "0.00040000" },
  ];
  const deals = await buyer.client.read("/v2/spot/user-deals", OF_BTCUSDT);
  assert.deepEqual(
    deals,
    fills.map((fill) => ({
      created_at: tradedAt,
      order_id: 3,
      market: "BTCUSDT",
      margin_market: null,
      side: "buy",
      role: "taker",
      fee_ccy: "BTC",
      ...fill,
    })),
  );
  assert.deepEqual(await buyer.client.read("/v2/spot/order-deals", { ...OF_BTCUSDT, order_id: 3 }), deals);
  assert.deepEqual(await far.client.read("/v2/spot/user-deals", OF_BTCUSDT), [
    {
      deal_id: 2,
      created_at: tradedAt,
      order_id: farAsk.order_id,
      market: "BTCUSDT",
      margin_market: null,
      side: "sell",
      price: "30005.50",
      amount: "0.250000",
      role: "maker",
      fee: "7.50137500",
      fee_ccy: "USDT",
    },
  ]);
  assert.deepEqual(await near.client.read("/v2/spot/finished-order", { market_type: "SPOT" }), [
    {
      ...nearAsk,
      unfilled_amount: "0.000000",
      filled_amount: "0.200000",
      filled_value: "6000.00000000",
      quote_fee: "6.00000000",
      last_filled_amount: "0.200000",
      last_filled_price: "30000.00",
      created_at: placedAt,
      updated_at: tradedAt,
    },
  ]);

  assert.deepEqual(await venue.anybody.read("/v2/spot/deals", { market: "BTCUSDT" }), [
    { deal_id: 2, created_at: tradedAt, side: "buy", price: "30005.50", amount: "0.250000" },
    { deal_id: 1, created_at: tradedAt, side: "buy", price: "30000.00", amount: "0.200000" },
  ]);
  const [ticker] = await venue.anybody.read("/v2/spot/ticker", { market: "BTCUSDT" });
  assert.deepEqual(ticker, {
    market: "BTCUSDT",
    last: "30005.50",
    open: "30000.00",
    close: "30005.50",
    high: "30005.50",
    low: "30000.00",
    volume: "0.450000",
    value: "13501.37500000",
    volume_sell: "0.000000",
    volume_buy: "0.450000",
    period: 86_400,
  });
  const { depth } = await venue.anybody.read("/v2/spot/depth", { market: "BTCUSDT", limit: 5, interval: "0" });
  assert.deepEqual([depth.asks, depth.bids], [[], [["30010.00", "0.050000"]]]);
  assert.deepEqual([depth.last, depth.updated_at], ["30005.50", tradedAt]);
});

test("a fee that is no whole number of units is rounded up, for the venue", async () => {
  const seller = await venue.addUser("odd seller", { BTC: "1" });
  const taker = await venue.addUser("odd buyer", { USDT: "20000" });
  await buyer.client.act("/v2/spot/cancel-all-order", OF_BTCUSDT);
  await seller.client.act("/v2/spot/order", limitOrder("sell", "0.333333", "30000"));
  const { base_fee } = await taker.client.act("/v2/spot/order", limitOrder("buy", "0.333333", "30000"));
  assert.equal(base_fee, "0.00066667");
});
