import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, ApiVenue } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";

const MARKET = "DSCUSDT";
const DAY_MS = 86_400_000;
/** The first midnight after the venue's start. */
const MIDNIGHT_MS = Date.parse("2025-06-16T00:00:00Z");

function order(side: "buy" | "sell", amount: string, price: string, more: object = {}) {
  return { market: MARKET, market_type: "SPOT", side, type: "limit", amount, price, ...more };
}

/** A venue with DSCUSDT of E6 and its pool, that nobody has anything in. */
async function openVenue(): Promise<ApiVenue> {
  const venue = await ApiVenue.open();
  await venue.listAssets("DSC", "USDT");
  const grid = { amountPrecision: 2, pricePrecision: 6, minAmount: "0.01", maxAmount: "10000000" };
  await venue.operate({ ...marketOf("DSC", "USDT"), ...grid });
  await venue.operate({ kind: "set_pool", market: MARKET, type: "infinite" });
  return venue;
}

async function add(user: ApiUser, base: string, quote: string) {
  const amounts = { base_ccy_amount: base, quote_ccy_amount: quote };
  return await user.client.post("/v2/assets/amm/add-liquidity", { market: MARKET, ...amounts });
}

describe("E6, a pool", () => {
  let venue: ApiVenue;
  let provider: ApiUser;
  let taker: ApiUser;
  before(async () => {
    venue = await openVenue();
    provider = await venue.addUser("provider", { DSC: "1000000", USDT: "76500" });
    taker = await venue.addUser("taker", { DSC: "5000", USDT: "1000" });
  });
  after(() => venue.close());

  test("comes out of the API to the digit", async () => {
    const { data } = await add(provider, "1000000", "76500");
    const whole = { base_ccy_amount: "1000000.00000000", quote_ccy_amount: "76500.00000000" };
    assert.deepEqual(data, { market: MARKET, ...whole, liquidity_proportion: "1" });
    const depth = await taker.client.read("/v2/spot/depth", { market: MARKET, limit: "5", interval: "0" });
    assert.deepEqual(depth.depth.asks.slice(0, 3), [
      ["0.076600", "652.74"],
      ["0.076700", "651.46"],
      ["0.076800", "650.19"],
    ]);
    assert.equal(depth.depth.asks.length, 5);
    assert.equal(depth.depth.bids.length, 5);

    const bought = await taker.client.act("/v2/spot/order", order("buy", "1500", "0.1"));
    assert.equal(bought.filled_value, "115.00430600");
    assert.equal(bought.base_fee, "4.50000000");
    assert.equal(bought.taker_fee_rate, "0.003");
    const after = await taker.client.read("/v2/spot/depth", { market: MARKET, limit: "5", interval: "0" });
    assert.deepEqual(
      [after.depth.asks[0], after.depth.bids[0]],
      [
        ["0.076800", "454.39"],
        ["0.076700", "195.92"],
      ],
    );

    const { data: added } = await add(taker, "5000", "400");
    assert.equal(added.liquidity_proportion, "0.00498256");
    assert.deepEqual(await taker.client.read("/v2/assets/spot/balance"), [
      { ccy: "DSC", available: "1495.50000002", frozen: "0.00000000" },
      { ccy: "USDT", available: "501.34519672", frozen: "0.00000000" },
    ]);
  });

  test("is told to the market: deals, ticker, best quotes and whether it has a pool", async () => {
    const deals = await taker.client.read("/v2/spot/deals", { market: MARKET });
    assert.deepEqual(
      deals.map(({ price, amount }: Record<string, string>) => `${amount} @ ${price}`),
      ["195.80 @ 0.076800", "651.46 @ 0.076700", "652.74 @ 0.076600"],
    );
    const [ticker] = await taker.client.read("/v2/spot/ticker", { market: MARKET });
    assert.equal(ticker.last, "0.076800");
    const [market] = await taker.client.read("/v2/spot/market", { market: MARKET });
    assert.equal(market.is_amm_available, true);
    assert.equal(market.taker_fee_rate, "0.003");
  });

  test("is told to its providers", async () => {
    const [own] = await taker.client.read("/v2/assets/amm/liquidity");
    assert.deepEqual(own, {
      market: MARKET,
      base_ccy: "DSC",
      quote_ccy: "USDT",
      base_ccy_amount: "4999.99999997",
      quote_ccy_amount: "383.65049727",
      liquidity_proportion: "0.00498256",
    });
    const [pool] = await taker.client.read("/v2/assets/amm/liquidity-pool", { market: MARKET });
    assert.equal(pool.type, "infinite");
    assert.equal(pool.base_ccy_amount, "1003499.99999998");
    assert.equal(pool.value_7day, "115.00430600");
    assert.ok(Number(pool.total_liquidity) > 153_000);
  });

  test("pays its providers at midnight, and tells of their day", async () => {
    await venue.wait(MIDNIGHT_MS - venue.control.timeMs);
    const query = { market: MARKET, start_time: "0", end_time: String(MIDNIGHT_MS), page: "1", limit: "10" };
    const { data, pagination } = await provider.client.get("/v2/assets/amm/income-history", query);
    assert.equal(pagination?.has_next, false);
    const [day] = data;
    assert.ok(day);
    assert.deepEqual(data, [
      {
        created_at: MIDNIGHT_MS,
        market: MARKET,
        base_ccy: "DSC",
        quote_ccy: "USDT",
        base_ccy_amount: "1499.99999999",
        quote_ccy_amount: "115.00430599",
        liquidity: day.liquidity,
        liquidity_proportion: "0.99501743",
        fee_dividend: day.fee_dividend,
      },
    ]);
    assert.ok(Number(day.fee_dividend) > 0.17 && Number(day.fee_dividend) < 0.173, day.fee_dividend);
    const lines = await provider.client.read("/v2/assets/statement", { account_type: "SPOT", type: "amm_dividend" });
    assert.deepEqual(
      lines.map(({ ccy, change }: Record<string, string>) => `${change} ${ccy}`),
      ["2.24999999 DSC"],
    );
    const added = await provider.client.read("/v2/assets/statement", { account_type: "SPOT", type: "amm_add" });
    assert.equal(added.length, 2);
  });

  test("gives everything back to who leaves", async () => {
    const early = await taker.client.post("/v2/assets/amm/remove-liquidity", { market: MARKET });
    assert.equal(early.code, 3639);
    assert.match(early.message, /24 hours/);
    await venue.wait(DAY_MS);
    const gone = await taker.client.act("/v2/assets/amm/remove-liquidity", { market: MARKET });
    assert.deepEqual(gone, {
      market: MARKET,
      base_ccy_amount: "0.00000000",
      quote_ccy_amount: "0.00000000",
      liquidity_proportion: "0",
    });
    assert.deepEqual(await taker.client.read("/v2/assets/amm/liquidity"), []);
    const lines = await taker.client.read("/v2/assets/statement", { account_type: "SPOT", type: "amm_remove" });
    assert.equal(lines.length, 2);
    const again = await taker.client.post("/v2/assets/amm/remove-liquidity", { market: MARKET });
    assert.equal(again.code, 3639);
    assert.match(again.message, /nothing/);
  });
});

describe("what is refused of pools", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  before(async () => {
    venue = await openVenue();
    await venue.operate({ ...marketOf("DSC", "USDT"), market: "PLAIN" });
    user = await venue.addUser("user", { DSC: "10000", USDT: "1000" });
  });
  after(() => venue.close());

  test("each has its code and its sentence", async () => {
    const body = { market: MARKET, base_ccy_amount: "5000", quote_ccy_amount: "400" };
    const cases: readonly (readonly [object, number, RegExp])[] = [
      [{ ...body, market: "NOPE" }, 3639, /NOPE/],
      [{ ...body, market: "PLAIN" }, 3639, /no pool/],
      [{ ...body, base_ccy_amount: "0" }, 3639, /above 0|positive|base_ccy_amount/],
      [{ ...body, base_ccy_amount: "1.000000001" }, 3639, /decimals/],
      [{ ...body, base_ccy_amount: "20000" }, 3109, /balance/],
      [{ ...body, quote_ccy_amount: "4611686018427387905" }, 3639, /.+/],
    ];
    for (const [params, code, sentence] of cases) {
      const answer = await user.client.post("/v2/assets/amm/add-liquidity", params);
      assert.deepEqual([answer.code, sentence.test(answer.message)], [code, true], JSON.stringify([params, answer]));
    }
  });

  test("in a market with an index a pool begins near it, and an addition is worth 200 USD", async () => {
    const sources = [{ exchange: "one", price: "0.08" }];
    await venue.operate({ kind: "set_index_prices", market: MARKET, sources });
    assert.match((await add(user, "5000", "300")).message, /within 5 %/);
    assert.match((await add(user, "500", "40")).message, /200 USD/);
    assert.equal((await add(user, "5000", "400")).code, 0);
    assert.match((await add(user, "1000", "80")).message, /200 USD/);
  });

  test("nothing is added or taken out in maintenance and its protection", async () => {
    const now = venue.control.timeMs;
    await venue.operate({
      kind: "plan_maintenance",
      scope: ["SPOT"],
      startedAt: now,
      endedAt: now + 1_000,
      protectDurationStart: now + 1_000,
      protectDurationEnd: now + 2_000,
      announceUrl: "",
      announceEnabled: false,
    });
    for (const code of [4001, 3638]) {
      assert.equal((await add(user, "1000", "80")).code, code);
      assert.equal((await user.client.post("/v2/assets/amm/remove-liquidity", { market: MARKET })).code, code);
      await venue.wait(1_000);
    }
  });

  test("everybody trades there at the rates of the market, and no fee is deducted", async () => {
    await venue.operate({ kind: "change_user", userId: user.userId, takerFeeRate: "0.0001", feeDeduction: true });
    const query = { market: MARKET, market_type: "SPOT" };
    assert.equal((await user.client.read("/v2/account/trade-fee-rate", query)).taker_rate, "0.003");
    const bought = await user.client.act("/v2/spot/order", order("buy", "10", "0.1"));
    assert.deepEqual([bought.base_fee, bought.discount_fee], ["0.03000000", "0"]);
  });
});

test("sockets show what a pool quotes, with a checksum that fits", async () => {
  const venue = await openVenue();
  try {
    const provider = await venue.addUser("provider", { DSC: "2000000", USDT: "176500" });
    const taker = await venue.addUser("taker", { USDT: "1000" });
    const socket = await venue.socket();
    // biome-ignore lint/suspicious/noExplicitAny: pushes are of many shapes
    const pushOf = async (method: string, fits: (data: any) => boolean) =>
      (await socket.take((message) => message.method === method && fits(message.data))).data;
    await socket.must("depth.subscribe", { market_list: [[MARKET, 5, "0", true]] });
    await socket.must("bbo.subscribe", { market_list: [MARKET] });
    await add(provider, "1000000", "76500");
    venue.beat();
    const full = await pushOf("depth.update", ({ depth }) => depth.asks.length > 0);
    assert.deepEqual(full.depth.asks[0], ["0.076600", "652.74"]);
    const bbo = await pushOf("bbo.update", (best) => best.best_ask_price !== "0");
    assert.deepEqual([bbo.best_ask_price, bbo.best_ask_size], ["0.076600", "652.74"]);
    await taker.client.act("/v2/spot/order", order("buy", "100", "0.1"));
    venue.beat();
    const moved = await pushOf("depth.update", ({ depth }) => depth.asks[0]?.[1] === "552.74");
    const read = await taker.client.read("/v2/spot/depth", { market: MARKET, limit: "5", interval: "0" });
    assert.deepEqual(moved.depth.asks, read.depth.asks);
    assert.equal(moved.depth.checksum, read.depth.checksum);
    // A better bid of a user stands before the pool's.
    await taker.client.act("/v2/spot/order", order("buy", "100", "0.07655"));
    const beside = await taker.client.read("/v2/spot/depth", { market: MARKET, limit: "5", interval: "0" });
    assert.deepEqual(beside.depth.bids[0], ["0.076550", "100.00"]);
  } finally {
    await venue.close();
  }
});
