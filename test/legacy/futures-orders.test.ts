import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiVenue, futuresApiVenue } from "../support/served-venue.ts";
import { LegacyClient } from "./client.ts";

const MARKET = { market: "BTCUSDT" };
const [SELL, BUY] = [1, 2];

describe("futures of the legacy generation", () => {
  let venue: ApiVenue;
  let long: LegacyClient;
  let short: LegacyClient;
  before(async () => {
    venue = await futuresApiVenue();
    const trader = async (name: string) =>
      new LegacyClient(venue, (await venue.addTrader(name, { USDT: "100000" })).client);
    [long, short] = [await trader("long"), await trader("short")];
  });
  after(() => venue.close());

  test("orders open a position, which is shown, protected and closed", async () => {
    const { data: market } = await long.get("/perpetual/v1/market/list");
    assert.deepEqual([market[0].name, market[0].type, market[0].stock, market[0].money], ["BTCUSDT", 1, "BTC", "USDT"]);
    const set = await long.futures("POST", "/market/adjust_leverage", { ...MARKET, leverage: "10", position_type: 1 });
    assert.deepEqual([set.code, set.message, set.data], [0, "Ok", { position_type: 1, leverage: "10" }]);
    const offer = { ...MARKET, side: SELL, amount: "0.1", price: "30000", effect_type: 1, option: 1 };
    const offered = await short.futures("POST", "/order/put_limit", offer);
    assert.deepEqual([offered.code, offered.data.option, offered.data.left], [0, 1, "0.100000"]);
    const taken = await long.futures("POST", "/order/put_limit", { ...offer, side: BUY, effect_type: 2, option: 0 });
    assert.deepEqual([taken.data.left, taken.data.deal_stock], ["0.000000", "3000.00000000"]);
    const { data: positions } = await long.futures("GET", "/position/pending", {});
    const [position] = positions;
    assert.deepEqual(
      [position.side, position.type, position.amount, position.open_price, position.leverage],
      [2, 1, "0.100000", "30000.00", "10"],
    );
    const more = await long.futures("POST", "/position/adjust_margin", { ...MARKET, amount: "50", type: 1 });
    assert.equal(Number(more.data.margin_amount) - Number(position.margin_amount), 50);
    const exit = { ...MARKET, position_id: position.position_id, stop_type: 2 };
    const held = await long.futures("POST", "/position/stop_loss", { ...exit, stop_loss_price: "28000" });
    assert.deepEqual([held.data.stop_loss_price, held.data.stop_loss_type], ["28000.00", 2]);
    const freed = await long.futures("POST", "/position/stop_loss", { ...exit, stop_loss_price: "0" });
    assert.equal(freed.data.stop_loss_price, "0");
    const { data: assets } = await long.futures("GET", "/asset/query");
    assert.ok(Number(assets.USDT.margin) > 300);
    await short.futures("POST", "/order/put_limit", { ...offer, side: BUY, price: "29990" });
    const closed = await long.futures("POST", "/position/market_close", {
      ...MARKET,
      position_id: position.position_id,
    });
    assert.deepEqual([closed.code, closed.data.left, closed.data.target], [0, "0.000000", 2]);
    assert.deepEqual((await long.futures("GET", "/position/pending", MARKET)).data, []);
    const finished = await long.futures("GET", "/order/finished", { ...MARKET, offset: 1, limit: 10 });
    assert.deepEqual(
      finished.data.records.map((order: { order_id: number }) => order.order_id),
      [taken.data.order_id],
    );
  });

  test("stop orders wait and are cancelled; what excludes each other is refused", async () => {
    const stop = { ...MARKET, side: BUY, amount: "0.1", stop_type: 2, stop_price: "31000", price: "31000" };
    assert.equal((await long.futures("POST", "/order/put_stop_limit", stop)).data.status, "success");
    const pending = await long.futures("GET", "/order/stop_pending", MARKET);
    const [own] = pending.data.records;
    assert.deepEqual([pending.data.total, own.stop_type, own.state], [1, 2, 2]);
    const status = await long.futures("GET", "/order/stop_status", { ...MARKET, order_id: own.order_id });
    assert.equal(status.data.status, "not_deal");
    assert.equal((await long.futures("POST", "/order/cancel_stop_all", MARKET)).data.status, "success");
    assert.equal((await long.futures("GET", "/order/stop_pending", MARKET)).data.total, 0);
    // With nothing to cancel it is answered as well.
    assert.equal((await long.futures("POST", "/order/cancel_stop_all", MARKET)).data.status, "success");
    const both = { ...MARKET, side: BUY, amount: "0.1", price: "20000", effect_type: 3, option: 1 };
    assert.equal((await long.futures("POST", "/order/put_limit", both)).code, 2);
    const none = await long.futures("POST", "/position/market_close", { ...MARKET, position_id: 77 });
    assert.equal(none.code, 3120);
    assert.equal((await long.futures("GET", "/order/status", { ...MARKET, order_id: 12345 })).code, 600);
  });

  test("an order that closes names its position, while it rests and when nothing of the position is left", async () => {
    const offer = { ...MARKET, side: SELL, amount: "0.1", price: "30000", effect_type: 1, option: 0 };
    await short.futures("POST", "/order/put_limit", offer);
    const opened = await long.futures("POST", "/order/put_limit", { ...offer, side: BUY });
    assert.deepEqual([opened.data.target, opened.data.position_id], [0, 0]);
    const [{ position_id: positionId }] = (await long.futures("GET", "/position/pending", MARKET)).data;
    const close = { ...MARKET, position_id: positionId, effect_type: 1, option: 0 };
    const rests = await long.futures("POST", "/order/close_limit", { ...close, amount: "0.04", price: "31000" });
    assert.deepEqual([rests.data.target, rests.data.position_id], [2, positionId]);
    const [pending] = (await long.futures("GET", "/order/pending", { ...MARKET, side: SELL })).data.records;
    assert.deepEqual([pending.order_id, pending.target, pending.position_id], [rests.data.order_id, 2, positionId]);
    await long.futures("POST", "/order/cancel", { ...MARKET, order_id: rests.data.order_id });
    await short.futures("POST", "/order/put_limit", { ...offer, side: BUY });
    const ends = await long.futures("POST", "/order/close_limit", { ...close, amount: "0.1", price: "30000" });
    assert.deepEqual([ends.data.left, ends.data.target, ends.data.position_id], ["0.000000", 2, positionId]);
    assert.deepEqual((await long.futures("GET", "/position/pending", MARKET)).data, []);
  });

  test("the liquidation price of a cross position is that of the current generation", async () => {
    const whale = await venue.addTrader("whale", { USDT: "5000" });
    const old = new LegacyClient(venue, whale.client);
    await old.futures("POST", "/market/adjust_leverage", { ...MARKET, leverage: "10", position_type: 2 });
    const order = { ...MARKET, side: BUY, amount: "1", price: "30000", effect_type: 1, option: 0 };
    await short.futures("POST", "/order/put_limit", { ...order, side: SELL });
    assert.equal((await old.futures("POST", "/order/put_limit", order)).code, 0);
    const [position] = (await old.futures("GET", "/position/pending", MARKET)).data;
    const [current] = await whale.client.read("/v2/futures/pending-position", {
      market: "BTCUSDT",
      market_type: "FUTURES",
    });
    assert.equal(position.liq_price, current.liq_price);
    assert.ok(Number(position.liq_price) > 20_000, position.liq_price);
    assert.equal(position.type, 2);
  });

  test("funding rates are the last, the coming and the one after, over HTTP and on the socket", async () => {
    const ofCycle = () =>
      venue.engine.state.futures.cycles[venue.engine.state.futuresByName.get("BTCUSDT")?.id as number];
    const told = async () => (await long.get("/perpetual/v1/market/ticker", MARKET)).data.ticker;
    const before = await told();
    assert.equal(Number(before.funding_rate_last), 0, "nothing was collected yet");
    const cycle = ofCycle() as { latestRateE8: number; nextRateE8: number; collectsAt: number };
    [cycle.latestRateE8, cycle.nextRateE8] = [12_300, 45_600];
    const now = await told();
    assert.deepEqual([now.funding_rate_next, now.funding_rate_predict].map(Number), [0.000123, 0.000456]);
    const socket = await venue.legacySocket(undefined, "/perpetual");
    const state = await socket.query("state.query", "BTCUSDT", 86_400);
    assert.deepEqual([state.funding_rate_next, state.funding_rate_predict].map(Number), [0.000123, 0.000456]);
    while (venue.control.timeMs < cycle.collectsAt - 60_000) {
      await venue.wait(60_000);
      await venue.index("30000");
    }
    const { collectsAt } = cycle;
    while (cycle.collectsAt === collectsAt) {
      await venue.wait(30_000);
      await venue.index("30000");
    }
    const { data } = await long.futures("GET", "/market/funding_history", { ...MARKET, offset: 0, limit: 1 });
    const after = await told();
    assert.equal(after.funding_rate_last, data.records[0].funding_rate);
  });

  test("market data, and both schemes of signing", async () => {
    assert.equal((await long.get("/perpetual/v1/ping")).data, "pong");
    assert.equal((await long.get("/perpetual/v1/time")).data, venue.control.timeMs);
    const ticker = await long.get("/perpetual/v1/market/ticker?market=BTCUSDT");
    assert.equal(ticker.data.ticker.period, 86400);
    const tiers = await long.get("/perpetual/v1/market/limit_config");
    assert.equal(tiers.data.BTCUSDT[0].length, 3);
    const depth = await long.get("/perpetual/v1/market/depth?market=BTCUSDT&merge=10");
    assert.ok(Array.isArray(depth.data.asks));
  });
});
