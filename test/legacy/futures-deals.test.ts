import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { type ApiVenue, contract, futuresApiVenue } from "../support/served-venue.ts";
import { LegacyClient, type LegacyRequest } from "./client.ts";

const MARKET = { market: "BTCUSDT" };
const [SELL, BUY] = [1, 2];

describe("deals in futures markets of the legacy generation", () => {
  let venue: ApiVenue;
  let longClient: ApiClient;
  let long: LegacyClient;
  let short: LegacyClient;
  before(async () => {
    venue = await futuresApiVenue();
    longClient = (await venue.addTrader("long", { USDT: "100000" })).client;
    long = new LegacyClient(venue, longClient);
    short = new LegacyClient(venue, (await venue.addTrader("short", { USDT: "100000" })).client);
  });
  after(() => venue.close());

  /** The first rests, the second meets it. */
  const meet = async (maker: LegacyClient, taker: LegacyClient, makerSide: number, amount: string, price: string) => {
    const rest = { ...MARKET, side: makerSide, amount, price, effect_type: 1, option: 1 };
    assert.equal((await maker.futures("POST", "/order/put_limit", rest)).code, 0);
    const take = { ...rest, side: SELL + BUY - makerSide, effect_type: 2, option: 0 };
    const { code, message, data } = await taker.futures("POST", "/order/put_limit", take);
    assert.equal(code, 0, message);
    return data.order_id as number;
  };
  const deals = async (query: LegacyRequest = {}, by = long) =>
    (await by.futures("GET", "/market/user_deals", { ...MARKET, ...query })).data;
  const figures = ({ records }: { records: Record<string, unknown>[] }) =>
    records.map((row) =>
      [row.deal_type, row.side, row.amount, row.position_amount, row.open_price, row.deal_profit].join(" "),
    );

  test("tell what each did to its position, newest first", async () => {
    await long.futures("POST", "/market/adjust_leverage", { ...MARKET, leverage: "10", position_type: 1 });
    const first = await meet(short, long, SELL, "0.1", "30000");
    await meet(short, long, SELL, "0.1", "30100");
    await meet(short, long, BUY, "0.05", "30200");
    await meet(long, short, SELL, "0.15", "30200");
    const all = await deals();
    assert.deepEqual([all.offset, all.limit], [0, 20]);
    assert.deepEqual(figures(all), [
      "4 1 0.150000 0.000000 0 22.50000000",
      "3 1 0.050000 0.150000 30050.00 7.50000000",
      "2 2 0.100000 0.200000 30050.00 0.00000000",
      "1 2 0.100000 0.100000 30000.00 0.00000000",
    ]);
    const opened = all.records[3];
    const { maker, taker } = (await long.spot("GET", "/account/market/fee", { ...MARKET, business_type: "PERPETUAL" }))
      .data;
    assert.ok(Number(maker) < Number(taker));
    assert.deepEqual(opened, {
      id: opened.id,
      time: venue.control.timeMs / 1_000,
      deal_type: 1,
      market: "BTCUSDT",
      user_id: 1,
      deal_user_id: 0,
      order_id: first,
      deal_order_id: 0,
      position_id: opened.position_id,
      side: BUY,
      role: 2,
      position_type: 1,
      price: "30000.00",
      open_price: "30000.00",
      amount: "0.100000",
      position_amount: "0.100000",
      margin_amount: "300.00000000",
      leverage: "10",
      deal_stock: "3000.00000000",
      deal_fee: (3000 * Number(taker)).toFixed(8),
      deal_margin: "300.00000000",
      deal_profit: "0.00000000",
      deal_insurance: "0.00000000",
      fee_rate: taker,
      fee_real_rate: taker,
      fee_asset: "USDT",
      fee_discount: "1",
      fee_price: "0",
    });
    assert.deepEqual([all.records[0].role, all.records[0].fee_rate], [1, maker]);
    const { data: seen } = await longClient.get("/v2/futures/user-deals", { ...MARKET, market_type: "FUTURES" });
    assert.deepEqual(
      seen.map((row: { deal_id: number; position_id: number }) => [row.deal_id, row.position_id]),
      all.records.map((row: { id: number; position_id: number }) => [row.id, row.position_id]),
    );
  });

  test("are found by side, time and place", async () => {
    assert.deepEqual((await deals({ side: SELL })).records.length, 2);
    assert.deepEqual(figures(await deals({ offset: 1, limit: 1 })), ["3 1 0.050000 0.150000 30050.00 7.50000000"]);
    const now = Math.ceil(venue.control.timeMs / 1_000);
    assert.equal((await deals({ start_time: now + 1 })).records.length, 0);
    assert.equal((await deals({ start_time: 0, end_time: now })).records.length, 4);
    assert.equal((await long.futures("GET", "/market/user_deals", { market: "NOPE" })).code, 3101);
    assert.equal((await long.futures("GET", "/market/user_deals", { ...MARKET, side: 3 })).code, 2);
    const stranger = new LegacyClient(venue, (await venue.addUser("stranger")).client);
    assert.deepEqual((await deals({}, stranger)).records, []);
  });

  test("that turn a position around close one and open another", async () => {
    await meet(short, long, SELL, "0.1", "30000");
    await meet(short, long, BUY, "0.3", "30100");
    const [turned] = (await deals()).records;
    assert.deepEqual(
      [turned.deal_type, turned.position_amount, turned.open_price, turned.deal_profit],
      [1, "0.200000", "30100.00", "10.00000000"],
    );
  });
});

describe("the largest order that could be placed", () => {
  let venue: ApiVenue;
  before(async () => {
    venue = await futuresApiVenue();
  });
  after(() => venue.close());

  const expect = (by: LegacyClient, more: LegacyRequest = {}) =>
    by.futures("POST", "/market/position_expect", { ...MARKET, price: "30000", side: BUY, ...more });

  test("is taken, and a lot more is not", async () => {
    const { client } = await venue.addTrader("ann", { USDT: "1000" });
    const ann = new LegacyClient(venue, client);
    for (const [side, word, price] of [
      [BUY, "buy", "29000"],
      [SELL, "sell", "31000"],
    ] as const) {
      const { data } = await expect(ann, { side, price });
      const amount = data.position_expect as string;
      assert.ok(Number(amount) > 0);
      const more = (Number(amount) + 0.000001).toFixed(6);
      assert.equal((await client.post("/v2/futures/order", contract(word, more, price))).code, 3109);
      const order = await client.act("/v2/futures/order", contract(word, amount, price));
      const rest = await expect(ann, { side, price });
      assert.ok(Number(rest.data.position_expect) < 0.0001, rest.data.position_expect);
      await client.act("/v2/futures/cancel-order", { ...MARKET, market_type: "FUTURES", order_id: order.order_id });
    }
  });

  test("depends on the leverage, and is nothing without money or at a price that nobody may name", async () => {
    const rich = new LegacyClient(venue, (await venue.addTrader("rich", { USDT: "1000" })).client);
    const amounts: number[] = [];
    for (const leverage of ["5", "10"]) {
      await rich.futures("POST", "/market/adjust_leverage", { ...MARKET, leverage, position_type: 1 });
      amounts.push(Number((await expect(rich)).data.position_expect));
    }
    const [at5, at10] = amounts as [number, number];
    assert.ok(at10 > at5 * 1.9 && at10 < at5 * 2.1, `${at5} ${at10}`);
    const poor = new LegacyClient(venue, (await venue.addUser("poor")).client);
    assert.equal((await expect(poor)).data.position_expect, "0.000000");
    assert.equal((await expect(rich, { price: "90000" })).data.position_expect, "0.000000");
    assert.equal((await expect(rich, { price: "30000.001" })).data.position_expect, "0.000000");
    assert.equal((await expect(rich, { market: "NOPE" })).code, 3101);
    assert.equal((await expect(rich, { side: 3 })).code, 2);
    assert.equal((await expect(rich, { price: "x" })).code, 2);
  });
});
