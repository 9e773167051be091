import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import { LegacyClient } from "./client.ts";

const MARKET = { market: "BTCUSDT" };

describe("spot orders of the legacy generation", () => {
  let venue: ApiVenue;
  let current: ApiClient;
  let alice: LegacyClient;
  let bob: LegacyClient;
  before(async () => {
    venue = await bitcoinApiVenue();
    current = (await venue.addUser("alice", { USDT: "1000000", BTC: "10" })).client;
    alice = new LegacyClient(venue, current);
    bob = new LegacyClient(venue, (await venue.addUser("bob", { USDT: "1000000", BTC: "10" })).client);
  });
  after(() => venue.close());

  const limit = (price: string, more: object = {}) => ({ ...MARKET, type: "buy", amount: "0.5", price, ...more });

  test("an order of either generation is seen, changed and cancelled by the other", async () => {
    const placed = await alice.spot("POST", "/order/limit", limit("20000", { client_id: "mine", source_id: "7" }));
    assert.deepEqual([placed.code, placed.message], [0, "Success"]);
    assert.deepEqual(placed.data, {
      id: placed.data.id,
      market: "BTCUSDT",
      account_id: 0,
      type: "buy",
      order_type: "limit",
      amount: "0.500000",
      price: "20000.00",
      avg_price: "0",
      deal_amount: "0.000000",
      deal_money: "0.00000000",
      left: "0.500000",
      deal_fee: "0.00000000",
      stock_fee: "0.00000000",
      money_fee: "0.00000000",
      asset_fee: "0",
      fee_asset: null,
      fee_discount: "1",
      maker_fee_rate: placed.data.maker_fee_rate,
      taker_fee_rate: placed.data.taker_fee_rate,
      status: "not_deal",
      create_time: Math.floor(venue.control.timeMs / 1000),
      finished_time: null,
      client_id: "mine",
      source_id: "7",
    });
    const changed = await current.post("/spot/modify-order", {
      ...MARKET,
      market_type: "SPOT",
      order_id: placed.data.id,
      price: "20001",
    });
    assert.equal(changed.code, 0, changed.message);
    const status = await alice.spot("GET", "/order/status", { ...MARKET, id: placed.data.id });
    assert.equal(status.data.price, "20001.00");
    const cancelled = await alice.spot("DELETE", "/order/pending", { ...MARKET, id: placed.data.id });
    assert.deepEqual([cancelled.code, cancelled.data.status], [0, "cancel"]);
    const gone = await alice.spot("GET", "/order/status", { ...MARKET, id: placed.data.id });
    assert.equal(gone.code, 600);
  });

  test("a market order spends quote unless it names the base, and its fills are told in this generation's words", async () => {
    await bob.spot("POST", "/order/limit", { ...limit("30000"), type: "sell", amount: "1" });
    const bought = await alice.spot("POST", "/order/market", { ...MARKET, type: "buy", amount: "3000" });
    assert.deepEqual(
      [
        bought.data.order_type,
        bought.data.status,
        bought.data.deal_amount,
        bought.data.deal_money,
        bought.data.avg_price,
      ],
      ["market", "done", "0.100000", "3000.00000000", "30000.00"],
    );
    const inBase = await alice.spot("POST", "/order/market", {
      ...MARKET,
      type: "buy",
      amount: "0.1",
      amount_asset: "BTC",
    });
    assert.equal(inBase.data.deal_amount, "0.100000");
    const finished = await alice.spot("GET", "/order/finished", { ...MARKET, page: 1, limit: 10 });
    assert.deepEqual(
      finished.data.data.map((order: { id: number }) => order.id),
      [inBase.data.id, bought.data.id],
    );
    const deals = await alice.spot("GET", "/order/deals", { id: bought.data.id, page: 1, limit: 10 });
    const [deal] = deals.data.data;
    assert.deepEqual(
      [deal.amount, deal.deal_money, deal.role, deal.fee_asset],
      ["0.100000", "3000.00000000", "taker", "BTC"],
    );
    const everywhere = await alice.spot("GET", "/order/user/deals", { page: 1, limit: 10 });
    assert.equal(everywhere.data.data.length, 2);
    await bob.spot("DELETE", "/order/pending", MARKET);
  });

  test("batches succeed and fail apart, and cost one request", async () => {
    const batch = await alice.spot("POST", "/order/limit/batch", {
      ...MARKET,
      batch_orders: [
        { type: "buy", amount: "0.5", price: "20000" },
        { type: "buy", amount: "0.5", price: "20000.001" },
        { type: "up", amount: "0.5", price: "20000" },
      ],
    });
    assert.deepEqual(
      batch.data.map((each: { code: number }) => each.code),
      [0, 2, 2],
    );
    const ids = `${batch.data[0].data.id},1`;
    const cancelled = await alice.spot("DELETE", "/order/pending/batch", { ...MARKET, batch_ids: ids });
    assert.deepEqual(
      cancelled.data.map((each: { code: number }) => each.code),
      [0, 600],
    );
  });

  test("stop orders wait, are changed, listed and cancelled", async () => {
    await bob.spot("POST", "/order/limit", { ...limit("30000"), type: "sell", amount: "0.1" });
    await alice.spot("POST", "/order/ioc", limit("30000", { amount: "0.1" }));
    const stop = await alice.spot("POST", "/order/stop/limit", limit("20000", { stop_price: "25000" }));
    assert.deepEqual([stop.code, stop.data.status], [0, "success"]);
    const pending = await alice.spot("GET", "/order/stop/pending", { ...MARKET, page: 1, limit: 10 });
    assert.deepEqual(
      [pending.data.total, pending.data.data[0].stop_price, pending.data.data[0].state],
      [1, "25000.00", 1],
    );
    const path = `/order/stop/pending/${stop.data.order_id}`;
    assert.deepEqual((await alice.spot("DELETE", path, MARKET)).data, {});
    assert.equal((await alice.spot("DELETE", path, MARKET)).code, 600);
    const none = await alice.spot("DELETE", "/order/stop/pending", MARKET);
    assert.deepEqual([none.code, none.data], [0, {}]);
  });

  test("who asks is found out by access id, time and signature, in this order", async () => {
    const wrong = (changes: object) =>
      alice.spot("GET", "/balance/info", {}, changes as never).then(({ code }) => code);
    assert.equal(await wrong({ access_id: "NOBODY" }), 24);
    assert.equal(await wrong({ tonce: venue.control.timeMs - 60_001 }), 227);
    const bare = await fetch(
      `${venue.base}/v1/balance/info?access_id=${current.key?.accessId}&tonce=${venue.control.timeMs}`,
    );
    assert.equal(((await bare.json()) as { code: number }).code, 25);
    const balance = await alice.spot("GET", "/balance/info");
    assert.deepEqual(Object.keys(balance.data).sort(), ["BTC", "USDT"]);
  });

  test("a signature of parameters in the query holds for no body beside them", async () => {
    const query = `access_id=${current.key?.accessId}&tonce=${venue.control.timeMs}`;
    const authorization = hash("md5", `${query}&secret_key=${current.key?.secret}`).toUpperCase();
    const ask = (init: RequestInit) =>
      fetch(`${venue.base}/v1/order/limit?${query}`, { method: "POST", headers: { authorization }, ...init });
    for (const body of [JSON.stringify(limit("20000")), "market=BTCUSDT&type=buy&amount=0.5&price=20000"]) {
      const answer = (await (await ask({ body })).json()) as { code: number };
      assert.equal(answer.code, 25);
    }
  });

  test("what is not there is answered 404, and wrong parameters by their code", async () => {
    assert.equal((await alice.get("/v1/nothing")).status, 404);
    assert.equal((await alice.get("/v1/market/depth?market=BTCUSDT&merge=7&limit=20")).code, 651);
    assert.equal((await alice.get("/v1/market/depth?market=NO&merge=0&limit=20")).code, 2);
    assert.equal((await alice.spot("POST", "/order/limit", limit("20000", { amount: "0.0000001" }))).code, 2);
    assert.equal((await alice.spot("POST", "/order/limit", limit("20000", { amount: "900" }))).code, 107);
  });

  test("the order that a stop order became is found by the id of the stop order, and by its client id with it", async () => {
    const stop = { ...MARKET, type: "buy", amount: "0.1", price: "26000", stop_price: "25500", client_id: "born" };
    const placed = await alice.spot("POST", "/order/stop/limit", stop);
    assert.equal(placed.code, 0, placed.message);
    const at = (price: string, type: string, client: LegacyClient) =>
      client.spot("POST", "/order/limit", { ...MARKET, type, amount: "0.01", price });
    await at("25500", "sell", bob);
    await at("25500", "buy", bob);
    await bob.spot("POST", "/order/limit", { ...MARKET, type: "sell", amount: "0.1", price: "26000" });
    const found = async (more: object) =>
      (await alice.spot("GET", "/order/finished", { ...MARKET, stop_order_id: placed.data.order_id, ...more })).data
        .data;
    const [order, ...more] = await found({});
    assert.deepEqual([order?.client_id, order?.amount, more], ["born", "0.100000", []]);
    assert.deepEqual(await found({ client_id: "born", type: "buy" }), [order]);
    for (const other of [{ client_id: "other" }, { type: "sell" }, { page: 2 }, { stop_order_id: 999_999 }]) {
      assert.deepEqual(await found(other), [], JSON.stringify(other));
    }
    const bobs = await bob.spot("GET", "/order/finished", { ...MARKET, stop_order_id: placed.data.order_id });
    assert.deepEqual(bobs.data.data, []);
  });
});
