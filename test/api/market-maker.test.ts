import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder, listFutures } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const PROTECT = "/v2/ext/market-maker-protection";
const RESET = `${PROTECT}/reset`;
const QUOTE = "/v2/ext/mass-quote";
const BTC = { market: "BTCUSDT", market_type: "SPOT" };

describe("services for market makers", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    await venue.listAssets("USD");
    maker = await venue.addUser("maker", { USDT: "100000", BTC: "10" });
    taker = await venue.addUser("taker", { USDT: "100000", BTC: "10" });
  });
  after(() => venue.close());

  const pair = (bid_price: string, ask_price: string, amount = "0.1") => ({
    ...BTC,
    bid_price,
    bid_amount: amount,
    ask_price,
    ask_amount: amount,
  });

  test("quotes are placed, replaced and withdrawn by one call, which tells of each market", async () => {
    const [first] = await maker.client.act(QUOTE, { quotes: [pair("19900", "20100"), pair("19800", "20200")] });
    assert.deepEqual([first.market, first.market_type, first.code, first.message], ["BTCUSDT", "SPOT", 0, "OK"]);
    assert.equal(first.quotes.length, 2);
    const { bid_order_id, ask_order_id } = first.quotes[0];
    const [second] = await maker.client.act(QUOTE, { quotes: [{ ...pair("19900", "20110"), market_type: "spot" }] });
    assert.equal(second.quotes[0].bid_order_id, bid_order_id, "the same order in its place");
    assert.notEqual(second.quotes[0].ask_order_id, ask_order_id);
    const pending = await maker.client.read("/v2/spot/pending-order", { market_type: "SPOT" });
    assert.deepEqual(pending.map(({ price, type }: { price: string; type: string }) => [price, type]).sort(), [
      ["19900.00", "maker_only"],
      ["20110.00", "maker_only"],
    ]);
    assert.deepEqual(await maker.client.act(QUOTE, { quotes: [BTC] }), [
      { ...BTC, code: 0, message: "OK", quotes: [{ bid_order_id: 0, ask_order_id: 0 }] },
    ]);
    assert.deepEqual(await maker.client.read("/v2/spot/pending-order", { market_type: "SPOT" }), []);
  });

  test("a market that is refused says why, with the code of an order", async () => {
    const { order_id } = await taker.client.act(ORDER, limitOrder("sell", "0.1", "20050"));
    const [refused] = await maker.client.act(QUOTE, { quotes: [pair("20060", "20100")] });
    assert.deepEqual([refused.code, refused.quotes], [3622, []]);
    assert.match(refused.message, /would have matched/);
    const [short] = await maker.client.act(QUOTE, { quotes: [pair("19900", "20100", "50")] });
    assert.equal(short.code, 3109);
    await taker.client.act("/v2/spot/cancel-order", { ...BTC, order_id });
  });

  for (const [quotes, says] of [
    [undefined, /quotes is required/],
    [[], /quotes/],
    [Array.from({ length: 101 }, () => BTC), /quotes/],
    [[{ ...BTC, market: "NOSUCH" }], /market NOSUCH not found/],
    [[{ ...BTC, market_type: "MARGIN" }], /market_type/],
    [[{ ...BTC, bid_price: "1" }], /given together/],
    [[{ ...BTC, bid_price: "1", bid_amount: "-1" }], /bid_amount/],
  ] as const) {
    test(`quotes are refused as a whole with a sentence: ${JSON.stringify(quotes)?.slice(0, 60)}`, async () => {
      const { code, message } = await maker.client.post(QUOTE, { quotes });
      assert.equal(code, 3639);
      assert.match(message, says);
    });
  }

  test("quotes are pulled at a limit, refused until the reset, and taken again", async () => {
    const socket = await venue.socket(maker.client);
    await socket.must("order.subscribe", { market_list: ["BTCUSDT"] });
    const set = await maker.client.act(PROTECT, { ...BTC, window_ms: 1_000, max_fills: 5, max_amount: "0.15" });
    const nothing = { fills: 0, amount: "0.000000", delta: "0.000000", reached: null, reached_at: 0 };
    const terms = { ...BTC, window_ms: 1_000, max_fills: 5, max_amount: "0.150000", max_delta: null };
    assert.deepEqual(set, { ...terms, ...nothing });
    await maker.client.act(QUOTE, { quotes: [pair("19900", "20100"), pair("19800", "20200"), pair("19700", "20300")] });
    await taker.client.act(ORDER, limitOrder("buy", "0.25", "20300", { type: "ioc" }));
    const events: string[] = [];
    while (events.filter((event) => event === "finish").length < 6)
      events.push((await socket.push("order.update")).event);
    assert.deepEqual(await maker.client.read(PROTECT), [
      {
        ...terms,
        ...{ fills: 2, amount: "0.200000", delta: "-0.200000" },
        ...{ reached: "amount", reached_at: venue.control.timeMs },
      },
    ]);
    const [held] = await maker.client.act(QUOTE, { quotes: [pair("19900", "20100")] });
    assert.equal(held.code, 3690);
    const { code, message } = await maker.client.post(ORDER, limitOrder("buy", "0.1", "19000"));
    assert.equal(code, 3690);
    assert.match(message, /reset it to quote again/);
    assert.deepEqual(await maker.client.act(RESET, BTC), { ...terms, ...nothing });
    assert.equal((await maker.client.act(QUOTE, { quotes: [pair("19900", "20100")] }))[0].code, 0);
    const ended = await maker.client.act(PROTECT, { ...BTC, window_ms: 0 });
    assert.deepEqual([ended.window_ms, ended.max_fills], [0, 0]);
    assert.deepEqual(await maker.client.read(PROTECT), []);
  });

  for (const [params, says] of [
    [{ ...BTC }, /window_ms is required/],
    [{ ...BTC, window_ms: 1_000 }, /at least one of max_fills, max_amount and max_delta/],
    [{ ...BTC, window_ms: 99, max_fills: 1 }, /window_ms must be 0, or from 100 to 60000/],
    [{ ...BTC, window_ms: 60_001, max_fills: 1 }, /window_ms/],
    [{ ...BTC, window_ms: 1_000, max_fills: 0 }, /max_fills/],
    [{ ...BTC, window_ms: 1_000, max_delta: "1" }, /futures markets/],
    [{ market: "BTCUSDT", window_ms: 1_000, max_fills: 1 }, /market_type is required/],
  ] as const) {
    test(`a protection is refused with a sentence: ${JSON.stringify(params)}`, async () => {
      const { code, message } = await maker.client.post(PROTECT, params);
      assert.equal(code, 3639);
      assert.match(message, says);
    });
  }

  test("a key that may only read sets and quotes nothing; a sub-account without FUTURES quotes no futures", async () => {
    const reader = await venue.addKey(maker.userId, ["read"]);
    assert.equal((await reader.post(QUOTE, { quotes: [BTC] })).code, 4158);
    assert.equal((await reader.post(PROTECT, { ...BTC, window_ms: 0 })).code, 4158);
    assert.deepEqual(await reader.read(PROTECT), []);
    await listFutures(venue);
    const futures = { market: "BTCUSDT", market_type: "FUTURES" };
    const sub = await venue.addUser("maker-bot", { USDT: "1000" }, maker.userId);
    for (const [permissions, code] of [
      [["FUTURES"], 0],
      [["API"], 4512],
    ] as const) {
      await venue.operate({ kind: "change_sub_account", subUserId: sub.userId, permissions });
      assert.equal((await sub.client.post(QUOTE, { quotes: [BTC, futures] })).code, code);
      assert.equal((await sub.client.post(PROTECT, { ...futures, window_ms: 500, max_delta: "1" })).code, code);
      assert.equal((await sub.client.post(QUOTE, { quotes: [BTC] })).code, 0);
    }
  });

  test("over a socket the calls are those of HTTP", async () => {
    const socket = await venue.socket(maker.client);
    const answer = await socket.ask("order.mass_quote", { quotes: [pair("19900", "20100")] });
    assert.equal(answer.data[0].code, 0);
    const set = await socket.ask("market_maker.protect", { ...BTC, window_ms: 500, max_fills: 3 });
    assert.equal(set.data.max_fills, 3);
    const all = await socket.ask("market_maker.protections", {});
    assert.deepEqual(all.data, [set.data]);
    assert.equal((await socket.ask("market_maker.reset", BTC)).code, 0);
    assert.equal((await socket.ask("market_maker.protect", { ...BTC, window_ms: 0 })).code, 0);
    assert.equal((await socket.ask("order.mass_quote", { quotes: [BTC] })).code, 0);
  });
});
