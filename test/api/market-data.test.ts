import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { crc32 } from "node:zlib";
import { KLINE_PERIODS } from "../../src/history/candles/kline.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("market data", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { USDT: "10000000", BTC: "1000" });
    taker = await venue.addUser("taker", { USDT: "10000000", BTC: "1000" });
  });
  after(() => venue.close());

  async function trade(amount: string, price: string, takerSide: "buy" | "sell" = "buy"): Promise<void> {
    await maker.client.act(ORDER, limitOrder(takerSide === "buy" ? "sell" : "buy", amount, price));
    await taker.client.act(ORDER, limitOrder(takerSide, amount, price));
  }

  test("a venue without a trade says 0 for prices and lists every market all the same", async () => {
    const { anybody } = venue;
    const tickers = await anybody.read("/v2/spot/ticker");
    assert.deepEqual(
      tickers.map((row: Record<string, unknown>) => [row["market"], row["last"], row["high"], row["volume"]]),
      [
        ["BTCUSDT", "0", "0", "0.000000"],
        ["ETHUSDT", "0", "0", "0.000000"],
      ],
    );
    const book = await anybody.read("/v2/spot/depth", { market: "ETHUSDT", limit: 5, interval: "0" });
    assert.deepEqual(book, {
      market: "ETHUSDT",
      is_full: true,
      depth: { asks: [], bids: [], last: "0", updated_at: book.depth.updated_at, checksum: 0 },
    });
    assert.deepEqual(await anybody.read("/v2/spot/deals", { market: "ETHUSDT" }), []);
    assert.deepEqual(await anybody.read("/v2/spot/kline", { market: "ETHUSDT", period: "1min" }), []);
    assert.deepEqual(await anybody.read("/v2/spot/index"), []);
    assert.deepEqual(await anybody.read("/v2/futures/market"), []);
    assert.deepEqual(await anybody.read("/v2/maintain/info"), []);
    assert.deepEqual(await anybody.read("/v2/maintain-info"), []);
  });

  test("ping and time", async () => {
    assert.deepEqual(await venue.anybody.read("/v2/ping"), { result: "pong" });
    assert.deepEqual(await venue.anybody.read("/v2/time"), { timestamp: venue.control.timeMs });
  });

  test("markets say what may be traded and at which fees", async () => {
    const [bitcoin] = await venue.anybody.read("/v2/spot/market", { market: "BTCUSDT" });
    assert.deepEqual(bitcoin, {
      market: "BTCUSDT",
      maker_fee_rate: "0.001",
      taker_fee_rate: "0.002",
      min_amount: "0.000100",
      base_ccy: "BTC",
      quote_ccy: "USDT",
      base_ccy_precision: 6,
      quote_ccy_precision: 2,
      status: "online",
      delisted_at: 0,
      is_amm_available: false,
      is_margin_available: false,
      is_pre_market_trading_available: false,
      is_pre_trading_available: false,
      is_api_trading_available: true,
    });
  });

  test("a list of markets is answered in its order; an unknown name or too many fail it whole", async () => {
    for (const path of ["/v2/spot/market", "/v2/spot/ticker"]) {
      const named = (rows: { market: string }[]) => rows.map(({ market }) => market);
      const { anybody } = venue;
      assert.deepEqual(named(await anybody.read(path)), ["BTCUSDT", "ETHUSDT"]);
      assert.deepEqual(named(await anybody.read(path, { market: "" })), ["BTCUSDT", "ETHUSDT"]);
      assert.deepEqual(named(await anybody.read(path, { market: "ETHUSDT,BTCUSDT" })), ["ETHUSDT", "BTCUSDT"]);
      const unknown = await anybody.get(path, { market: "BTCUSDT,NOPE" });
      assert.deepEqual([unknown.code, unknown.message], [3639, "Invalid Parameter: market NOPE not found"]);
      const many = Array.from({ length: 11 }, () => "BTCUSDT").join();
      assert.equal((await anybody.get(path, { market: many })).code, 3639);
    }
    assert.equal((await venue.anybody.get("/v2/futures/market", { market: "BTCUSDT" })).code, 3639);
    assert.equal((await venue.anybody.get("/v2/spot/index", { market: "NOPE" })).code, 3639);
  });

  test("depth is merged, limited and carries the checksum of exactly the text sent", async () => {
    const asks = ["30010.00", "30010.25", "30011", "30019.99", "30020", "30100"];
    const bids = ["29999.99", "29999.5", "29990", "29989.99", "29900", "29000"];
    for (const price of asks) await maker.client.act(ORDER, limitOrder("sell", "0.1", price));
    for (const price of bids) await maker.client.act(ORDER, limitOrder("buy", "0.2", price));
    const read = async (limit: number, interval: string) =>
      (await venue.anybody.read("/v2/spot/depth", { market: "BTCUSDT", limit, interval })).depth;

    const plain = await read(5, "0");
    assert.deepEqual(
      plain.asks,
      ["30010.00", "30010.25", "30011.00", "30019.99", "30020.00"].map((price) => [price, "0.100000"]),
    );
    assert.deepEqual(plain.bids.at(-1), ["29900.00", "0.200000"]);
    for (const interval of ["0.000000000001", "0.001", "0.01"]) assert.deepEqual(await read(5, interval), plain);

    const tens = await read(10, "10");
    assert.deepEqual(tens.asks, [
      ["30010.00", "0.100000"],
      ["30020.00", "0.400000"],
      ["30100.00", "0.100000"],
    ]);
    assert.deepEqual(tens.bids, [
      ["29990.00", "0.600000"],
      ["29980.00", "0.200000"],
      ["29900.00", "0.200000"],
      ["29000.00", "0.200000"],
    ]);
    assert.deepEqual((await read(50, "1000")).asks, [["31000.00", "0.600000"]]);

    for (const { asks, bids, checksum } of [plain, tens]) {
      const text = [...bids, ...asks].map(([price, amount]) => `${price}:${amount}`).join(":");
      assert.equal(checksum, crc32(text));
    }
    await maker.client.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
  });

  test("deals come newest first and from after last_id, never more than asked for", async () => {
    for (let index = 0; index < 5; index++) await trade("0.01", "30000", index % 2 === 0 ? "buy" : "sell");
    const read = async (query: object) => {
      const deals = await venue.anybody.read("/v2/spot/deals", { market: "BTCUSDT", ...query });
      return deals.map((deal: { deal_id: number; side: string }) => [deal.deal_id, deal.side]);
    };
    const all = [
      [5, "buy"],
      [4, "sell"],
      [3, "buy"],
      [2, "sell"],
      [1, "buy"],
    ];
    assert.deepEqual(await read({}), all);
    assert.deepEqual(await read({ limit: 2 }), all.slice(0, 2));
    assert.deepEqual(await read({ last_id: 3 }), all.slice(0, 2));
    assert.deepEqual(await read({ last_id: 2, limit: 1 }), all.slice(0, 1));
    assert.deepEqual(await read({ last_id: 5 }), []);
    assert.deepEqual(await read({ limit: 1000, last_id: 0 }), all);
  });

  test("candles of every period ascend without gaps, the open one last", async () => {
    // To the full hour, so that what falls into which candle is plain.
    await venue.wait(HOUR_MS - (venue.control.timeMs % HOUR_MS));
    const from = venue.control.timeMs;
    await trade("0.1", "30100");
    await trade("0.1", "30300");
    await trade("0.1", "30200");
    await venue.wait(3 * 60_000);
    await trade("0.2", "30250");
    const ask = (query: object) =>
      venue.anybody.read("/v2/spot/kline", { market: "BTCUSDT", period: "1min", start_time: from, ...query });
    const flat = { open: "30200.00", close: "30200.00", high: "30200.00", low: "30200.00" };
    assert.deepEqual(await ask({}), [
      {
        market: "BTCUSDT",
        created_at: from,
        open: "30000.00",
        close: "30200.00",
        high: "30300.00",
        low: "30000.00",
        volume: "0.300000",
        value: "9060.00000000",
      },
      { market: "BTCUSDT", created_at: from + 60_000, ...flat, volume: "0.000000", value: "0.00000000" },
      { market: "BTCUSDT", created_at: from + 120_000, ...flat, volume: "0.000000", value: "0.00000000" },
      {
        market: "BTCUSDT",
        created_at: from + 180_000,
        open: "30200.00",
        close: "30250.00",
        high: "30250.00",
        low: "30200.00",
        volume: "0.200000",
        value: "6050.00000000",
      },
    ]);
    const starts = async (query: object) =>
      (await ask(query)).map((row: { created_at: number }) => (row.created_at - from) / 60_000);
    assert.deepEqual(await starts({ limit: 2 }), [2, 3]);
    assert.deepEqual(await starts({ end_time: from + 60_000 }), [0, 1]);
    assert.deepEqual(await starts({ end_time: from + 60_000 - 1 }), [0]);
    assert.deepEqual(await starts({ start_time: from + 1, end_time: from + 120_000 }), [1, 2]);
    assert.deepEqual(await starts({ start_time: from + 60_000, end_time: from }), []);
    assert.deepEqual(await starts({ price_type: "index_price" }), []);
    const { volume } = (await venue.anybody.read("/v2/spot/ticker", { market: "BTCUSDT" }))[0];
    for (const period of Object.keys(KLINE_PERIODS)) {
      const rows: { created_at: number; close: string; volume: string }[] = await ask({ period, start_time: 0 });
      assert.equal(rows.at(-1)?.close, "30250.00", period);
      const lots = rows.reduce((sum, row) => sum + BigInt(row.volume.replace(".", "")), 0n);
      assert.equal(lots, BigInt(volume.replace(".", "")), `${period} candles hold every deal once`);
    }
    const mark = await venue.anybody.get("/v2/spot/kline", {
      market: "BTCUSDT",
      period: "1min",
      price_type: "mark_price",
    });
    assert.equal(mark.code, 3639);
  });

  test("a ticker forgets what is older than a day", async () => {
    await trade("1", "31000");
    await venue.wait(DAY_MS - 1_000);
    await trade("0.5", "30500", "sell");
    const read = async () => (await venue.anybody.read("/v2/spot/ticker", { market: "BTCUSDT" }))[0];
    const full = await read();
    assert.deepEqual([full.high, full.last, full.volume_sell], ["31000.00", "30500.00", "0.500000"]);
    await venue.wait(10_000);
    const late = await read();
    assert.deepEqual(
      [late.volume, late.volume_sell, late.volume_buy, late.value, late.low],
      ["0.500000", "0.500000", "0.000000", "15250.00000000", "30500.00"],
    );
    await venue.wait(2 * DAY_MS);
    const quiet = await read();
    assert.deepEqual([quiet.open, quiet.high, quiet.low, quiet.last], Array(4).fill("30500.00"));
    assert.equal(quiet.volume, "0.000000");
  });

  test("the index shows its weighted sources, and its candles follow it", async () => {
    await venue.operate({
      kind: "change_market",
      market: "BTCUSDT",
      indexSources: [
        { exchange: "alpha", weight: "0.3" },
        { exchange: "beta", weight: "0.3" },
        { exchange: "gamma", weight: "0.2" },
        { exchange: "delta", weight: "0.2" },
        { exchange: "silent", weight: "0.2" },
      ],
    });
    await venue.operate({
      kind: "set_index_prices",
      market: "BTCUSDT",
      sources: [
        { exchange: "alpha", price: "30000.00" },
        { exchange: "beta", price: "30010.00" },
        { exchange: "gamma", price: "29990.00" },
        { exchange: "delta", price: "30700.00" },
      ],
    });
    const now = venue.control.timeMs;
    const source = (exchange: string, index_weight: string, index_price: string) => ({
      exchange,
      created_at: now,
      index_weight,
      index_price,
    });
    // Worked example E9.
    const index = {
      market: "BTCUSDT",
      created_at: now,
      price: "30001.25",
      is_stale: false,
      sources: [
        source("alpha", "0.375", "30000.00"),
        source("beta", "0.375", "30010.00"),
        source("gamma", "0.25", "29990.00"),
        source("delta", "0", "30700.00"),
      ],
    };
    assert.deepEqual(await venue.anybody.read("/v2/spot/index"), [index]);
    assert.deepEqual(await venue.anybody.read("/v2/spot/index", { market: "ETHUSDT,BTCUSDT" }), [index]);
    const candles = { market: "BTCUSDT", period: "1min", price_type: "index_price" };
    const [candle] = await venue.anybody.read("/v2/spot/kline", candles);
    assert.deepEqual([candle.close, candle.volume, candle.value], ["30001.25", "0.000000", "0.00000000"]);
  });
});
