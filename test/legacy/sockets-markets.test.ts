/**
 * What everybody may follow and ask on the legacy sockets: books, deals, states, candles, quotes, prices, maintenance.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { loadLegacySocketContract } from "../../src/gateway/legacy/sockets/contract.ts";
import { loadSocketContract } from "../../src/gateway/ws/contract.ts";
import { succeeded } from "../support/api-client.ts";
import type { LegacySocketClient } from "../support/legacy-socket-client.ts";
import { LocalBook } from "../support/local-book.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  futuresApiVenue,
  contract as futuresOrder,
  limitOrder,
} from "../support/served-venue.ts";
import type { Message } from "../support/socket-client.ts";
import { LegacyClient } from "./client.ts";
import { typeBreaches } from "./socket-shape.ts";

const contract = loadLegacySocketContract(loadSocketContract(), loadLegacyContract("spot", loadContract()));

function assertIs(type: string, value: unknown): void {
  assert.deepEqual(typeBreaches(contract, type, value, type), []);
}

/** A depth push in the words of the current sockets, which the book reads. */
function asBook([is_full, { asks, bids, checksum }]: Message): Message {
  return { is_full, depth: { asks, bids, checksum } };
}

describe("what everybody may follow on the legacy socket for spot", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;
  let http: LegacyClient;
  let socket: LegacySocketClient;
  before(async () => {
    venue = await bitcoinApiVenue();
    maker = await venue.addUser("maker", { BTC: "1000", USDT: "10000000" });
    taker = await venue.addUser("taker", { BTC: "1000", USDT: "10000000" });
    http = new LegacyClient(venue, venue.anybody);
    await venue.operate({
      kind: "set_index_prices",
      market: "BTCUSDT",
      sources: [{ exchange: "a", price: "30000.5" }],
    });
  });
  beforeEach(async () => {
    for (const { client } of [maker, taker]) {
      await client.post("/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    }
    socket = await venue.legacySocket();
    venue.beat();
  });
  after(() => venue.close());

  const place = async (user: ApiUser, ...order: Parameters<typeof limitOrder>) =>
    succeeded(await user.client.post("/spot/order", limitOrder(...order)));
  /** A deal of so much at 30000, after which the book is empty; the taker buys. */
  const trade = async (amount: string, price = "30000") => {
    await place(maker, "sell", amount, price);
    await place(taker, "buy", amount, price);
  };

  /** A minute in which the connection is not silent. */
  const passMinute = async () => {
    venue.beat(31_000);
    assert.deepEqual(await socket.taken(), []);
    venue.beat(31_000);
  };

  test("depth: whole at first, then changes that rebuild the book as the legacy HTTP interface has it", async () => {
    await socket.must("depth.subscribe", ["BTCUSDT", 50, "0"]);
    const book = new LocalBook();
    const first = await socket.push("depth.update");
    assertIs("LegacyWsDepth", first[1]);
    assert.deepEqual([first[0], first[2], first.length], [true, "BTCUSDT", 3]);
    book.apply(asBook(first));
    for (let round = 0; round < 25; round++) {
      for (let at = 0; at < 4; at++) {
        const side = (round + at) % 3 === 0 ? "sell" : "buy";
        await place(at % 2 === 0 ? maker : taker, side, `0.${at + 1}`, String(30_000 + ((round * 7 + at * 13) % 40)));
      }
      venue.beat();
      const [push] = (await socket.taken()).filter(({ method }: Message) => method === "depth.update");
      assert.equal(push.params[0], false);
      assertIs("LegacyWsDepth", push.params[1]);
      book.apply(asBook(push.params));
      const { data } = await http.get("/v1/market/depth?market=BTCUSDT&limit=50&merge=0");
      assert.deepEqual([book.asks, book.bids, push.params[1].last], [data.asks, data.bids, data.last]);
      const asked = await socket.query("depth.query", "BTCUSDT", 50, "0");
      assertIs("LegacyWsDepth", asked);
      assert.deepEqual(asked, data, "without a checksum, as over HTTP");
    }
    venue.beat();
    assert.deepEqual(await socket.taken(), [], "nothing has changed");
    await passMinute();
    assert.equal((await socket.push("depth.update"))[0], true, "whole again once a minute");
  });

  test("depth: without changes every push is whole, and a merge is that of HTTP", async () => {
    await socket.must("depth.subscribe", ["BTCUSDT", 5, "0.1", false]);
    await socket.push("depth.update");
    await place(maker, "sell", "1", "30000.01");
    await place(maker, "sell", "1", "30000.09");
    venue.beat();
    await place(maker, "sell", "1", "30000.11");
    venue.beat();
    const [first, second] = [await socket.push("depth.update"), await socket.push("depth.update")];
    assert.deepEqual([first[0], first[1].asks], [true, [["30000.10", "2.000000"]]]);
    assert.deepEqual(
      [second[0], second[1].asks],
      [
        true,
        [
          ["30000.10", "2.000000"],
          ["30000.20", "1.000000"],
        ],
      ],
    );
    assert.deepEqual(second[1].asks, (await http.get("/v1/market/depth?market=BTCUSDT&limit=5&merge=0.1")).data.asks);
  });

  test("depth: several markets in one request, which takes the place of the one before", async () => {
    await socket.must("depth.subscribe", ["BTCUSDT", 5, "0"]);
    await socket.must("depth.subscribe_multi", [
      ["ETHUSDT", 5, "0"],
      ["BTCUSDT", 10, "0", false],
    ]);
    assert.deepEqual([(await socket.push("depth.update"))[2]], ["BTCUSDT"], "of the first request");
    const markets = [await socket.push("depth.update"), await socket.push("depth.update")].map((push) => push[2]);
    assert.deepEqual(markets.sort(), ["BTCUSDT", "ETHUSDT"]);
    await socket.must("depth.subscribe", ["ETHUSDT", 5, "0"]);
    await socket.push("depth.update");
    await place(maker, "sell", "1", "30000");
    venue.beat();
    assert.deepEqual(await socket.taken(), [], "BTCUSDT is followed no more");
    await socket.must("depth.unsubscribe");
    await passMinute();
    assert.deepEqual(await socket.taken(), []);
  });

  test("deals: recent ones at once, then each beat the new ones, newest first, none twice", async () => {
    await trade("0.1");
    await socket.must("deals.subscribe", ["BTCUSDT"]);
    const [market, first] = await socket.push("deals.update");
    assert.equal(market, "BTCUSDT");
    assertIs("array<LegacyWsDeal>", first);
    assert.deepEqual([first[0].type, first[0].price, first[0].amount], ["buy", "30000.00", "0.100000"]);
    assert.equal(first[0].time, venue.control.timeMs / 1_000);
    await trade("0.2");
    await trade("0.3");
    venue.beat();
    const [, news] = await socket.push("deals.update");
    assert.deepEqual(
      news.map(({ id, amount }: Message) => [id - first[0].id, amount]),
      [
        [2, "0.300000"],
        [1, "0.200000"],
      ],
    );
    assert.deepEqual(await socket.query("deals.query", "BTCUSDT", 2, 0), news);
    assert.deepEqual(await socket.query("deals.query", "BTCUSDT", "10", String(news[1].id)), [news[0]]);
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
    await socket.must("deals.subscribe", ["ETHUSDT"]);
    await trade("0.1");
    venue.beat();
    assert.deepEqual(await socket.taken(), [], "a subscription takes the place of the one before");
    await socket.must("deals.subscribe");
    assert.equal((await socket.push("deals.update"))[1][0].amount, "0.100000", "and begins anew");
  });

  test("deals of both generations: each is told all of them, however many come between two beats", async () => {
    const current = await venue.socket();
    await current.must("deals.subscribe", { market_list: ["BTCUSDT"] });
    await socket.must("deals.subscribe", ["BTCUSDT"]);
    await trade("0.1");
    venue.beat();
    const last = (await socket.taken()).at(-1).params[1][0].id;
    await current.taken();
    await place(taker, "buy", "1", "30000");
    const orders = Array.from({ length: 100 }, () => limitOrder("sell", "0.0001", "30000"));
    for (let count = 0; count < 12; count++) succeeded(await maker.client.post("/spot/batch-order", { orders }));
    venue.beat();
    const legacyIds = (await socket.taken()).flatMap(({ params }) => params[1].map(({ id }: Message) => id).reverse());
    const currentIds = (await current.taken()).flatMap(({ data }) =>
      data.deal_list.map(({ deal_id }: Message) => deal_id).reverse(),
    );
    assert.deepEqual(
      legacyIds,
      Array.from({ length: 1_200 }, (_, at) => last + 1 + at),
    );
    assert.deepEqual(currentIds, legacyIds);
  });

  test("state: by the names of the markets, all at once, then those that changed", async () => {
    await socket.must("state.subscribe");
    const [all, ...rest] = await socket.push("state.update");
    assert.deepEqual([Object.keys(all).sort(), rest], [["BTCUSDT", "ETHUSDT"], []]);
    assertIs("map<LegacyWsState>", all);
    await trade("0.5", "30001");
    venue.beat();
    const [changed] = await socket.push("state.update");
    assert.deepEqual(Object.keys(changed), ["BTCUSDT"]);
    const state = await socket.query("state.query", "BTCUSDT", 86400);
    assert.deepEqual(state, changed.BTCUSDT);
    const { ticker } = (await http.get("/v1/market/ticker?market=BTCUSDT")).data;
    for (const [ours, theirs] of [
      ["last", "last"],
      ["open", "open"],
      ["high", "high"],
      ["volume", "vol"],
    ] as const) {
      assert.equal(state[ours], ticker[theirs], ours);
    }
    assert.deepEqual([state.last, state.close, state.period], ["30001.00", "30001.00", 86400]);
    const sum = (side: string, deals: readonly Message[]) =>
      deals.filter(({ type }) => type === side).reduce((total, { amount }) => total + Number(amount), 0);
    const deals = await socket.query("deals.query", "BTCUSDT", 1000, 0);
    assert.ok(Math.abs(Number(state.buy_total) - sum("buy", deals)) < 1e-9);
    assert.ok(Math.abs(Number(state.sell_total) - sum("sell", deals)) < 1e-9);
    await socket.must("state.subscribe", ["ETHUSDT"]);
    assert.deepEqual(Object.keys((await socket.push("state.update"))[0]), ["ETHUSDT"]);
    await trade("0.5", "30002");
    venue.beat();
    assert.deepEqual(await socket.taken(), []);
  });

  /** Pushes that wait for history. */
  const rows = async (from: LegacySocketClient) => {
    const pushed = await from.push("kline.update");
    assertIs("array<LegacyWsKlineRow>", pushed);
    return pushed;
  };

  test("kline: the candle under way at once, again when it changes, and with the one before when that has ended", async () => {
    const minuteS = Math.floor(venue.control.timeMs / 60_000) * 60;
    await trade("0.1", "30010");
    const other = await venue.legacySocket();
    await socket.must("kline.subscribe", ["BTCUSDT", 60]);
    const [[startS, , close]] = await rows(socket);
    assert.deepEqual([startS, close], [minuteS, "30010.00"]);
    await other.must("kline.subscribe", ["BTCUSDT", 60]);
    assert.deepEqual((await rows(other)).at(-1).slice(0, 3), [minuteS, ...(await lastCandle(60)).slice(1, 3)]);
    await trade("0.2", "30020");
    venue.beat(600);
    assert.deepEqual(await rows(socket), [await lastCandle(60)]);
    assert.deepEqual(await rows(other), [await lastCandle(60)]);
    venue.beat(600);
    assert.deepEqual(await socket.taken(), [], "nothing has changed");
    await venue.wait(60_000);
    await trade("0.3", "30030");
    venue.beat(600);
    const two = await rows(socket);
    assert.deepEqual(two, await socket.query("kline.query", "BTCUSDT", minuteS, minuteS + 60, 60));
    assert.deepEqual(
      two.map((row: Message) => [row[0], row[2]]),
      [
        [minuteS, "30020.00"],
        [minuteS + 60, "30030.00"],
      ],
    );
    await rows(other);
    await venue.wait(120_000);
    venue.beat(600);
    assert.deepEqual(
      (await rows(socket)).map((row: Message) => [row[0], row[5]]),
      [
        [minuteS + 60, "0.300000"],
        [minuteS + 120, "0.000000"],
        [minuteS + 180, "0.000000"],
      ],
      "candles without a deal are flat",
    );
    await rows(other);
    await socket.must("kline.subscribe", ["BTCUSDT", 86400]);
    assert.equal((await rows(socket))[0][0] % 86_400, 0, "another length takes its place");
    await other.must("kline.unsubscribe");
    await trade("0.1", "30040");
    venue.beat(600);
    assert.equal((await rows(socket))[0][2], "30040.00");
    assert.deepEqual(await other.taken(), []);
    assert.deepEqual(await socket.query("kline.query", "ETHUSDT", 0, minuteS + 999, 60), []);
  });

  const lastCandle = async (interval: number) =>
    (await socket.query("kline.query", "BTCUSDT", 0, Math.floor(venue.control.timeMs / 1_000), interval)).at(-1);

  test("kline: a query takes its range in either order, and gives as many candles as over HTTP at most", async () => {
    await trade("0.1");
    const nowS = Math.floor(venue.control.timeMs / 1_000);
    const hour = await socket.query("kline.query", "BTCUSDT", nowS - 7_200, nowS, 60);
    assertIs("array<LegacyWsKlineRow>", hour);
    assert.deepEqual(await socket.query("kline.query", "BTCUSDT", 60, nowS - 7_200, nowS), hour);
    const over = (await http.get("/v1/market/kline?market=BTCUSDT&type=1min&limit=1000")).data;
    assert.deepEqual(await socket.query("kline.query", "BTCUSDT", 0, nowS, 60), over);
    await venue.wait(86_400_000);
    assert.equal((await socket.query("kline.query", "BTCUSDT", 0, nowS + 86_400, 60)).length, 1_000);
    assert.deepEqual(await socket.query("kline.query", "BTCUSDT", nowS, nowS - 3_600, 60), []);
  });

  test("bbo: at once, and again when the best quotes are others", async () => {
    await place(maker, "buy", "2", "29000");
    await socket.must("bbo.subscribe", ["BTCUSDT"]);
    const [first] = await socket.push("bbo.update");
    assertIs("LegacyWsBbo", first);
    assert.deepEqual(first, {
      market: "BTCUSDT",
      buy_price: "29000.00",
      buy_amount: "2.000000",
      sell_price: "0",
      sell_amount: "0",
      time: venue.control.timeMs,
    });
    await place(maker, "sell", "1", "31000");
    assert.deepEqual((await socket.push("bbo.update"))[0].sell_price, "31000.00");
    await place(maker, "sell", "1", "32000");
    assert.deepEqual(await socket.taken(), []);
  });

  test("index: every five seconds, and when it is asked for", async () => {
    await socket.must("index.subscribe", ["BTCUSDT"]);
    venue.beat(5_000);
    assert.deepEqual(await socket.push("index.update"), ["BTCUSDT", "30000.50"]);
    assert.deepEqual(await socket.query("index.query", "BTCUSDT"), { market: "BTCUSDT", price: "30000.50" });
    assert.deepEqual(await socket.query("index.query", "ETHUSDT"), { market: "ETHUSDT", price: "0" });
  });

  test("notice: maintenance of parts, as it is planned, and as it stands on subscribing", async () => {
    await socket.must("notice.subscribe");
    assert.deepEqual(await socket.taken(), []);
    const startedAt = venue.control.timeMs + 3_600_000;
    const { maintenanceId } = (await venue.operate({
      kind: "plan_maintenance",
      scope: ["FUTURES"],
      startedAt,
      endedAt: startedAt + 600_000,
      protectDurationStart: 0,
      protectDurationEnd: 0,
      announceUrl: "",
      announceEnabled: false,
    })) as { maintenanceId: number };
    const [notice] = await socket.push("notice.update");
    assertIs("LegacyWsNotice", notice);
    const { channel, ...row } = notice;
    assert.deepEqual([channel, row.scope], [101, ["PERPETUAL"]]);
    assert.deepEqual([row], (await http.get("/v1/common/temp-maintain/info")).data);
    const late = await venue.legacySocket(undefined, "/perpetual");
    await late.must("notice.subscribe", [101]);
    assert.deepEqual((await late.push("notice.update"))[0], notice);
    await venue.operate({ kind: "cancel_maintenance", maintenanceId });
    assert.ok((await late.push("notice.update"))[0].ended_at <= Math.floor(venue.control.timeMs / 1_000));
  });

  test("what several follow is made once and looks the same to all", async () => {
    const others = [await venue.legacySocket(), await venue.legacySocket()];
    for (const each of [socket, ...others]) {
      await each.must("state.subscribe", ["BTCUSDT"]);
      await each.push("state.update");
    }
    await trade("0.1", "30050");
    venue.beat();
    const told: Message[] = [];
    for (const each of [socket, ...others]) told.push(await each.push("state.update"));
    assert.deepEqual([told[1], told[2]], [told[0], told[0]]);
  });
});

describe("what everybody may follow on the legacy socket for futures", () => {
  let venue: ApiVenue;
  let socket: LegacySocketClient;
  let http: LegacyClient;
  let long: ApiUser;
  let short: ApiUser;
  before(async () => {
    venue = await futuresApiVenue();
    http = new LegacyClient(venue, venue.anybody);
    long = await venue.addTrader("long", { USDT: "1000000" });
    short = await venue.addTrader("short", { USDT: "1000000" });
    socket = await venue.legacySocket(undefined, "/perpetual");
  });
  after(() => venue.close());

  test("books with mark and index, states with funding, latest prices, deals and candles", async () => {
    await socket.must("depth.subscribe", ["BTCUSDT", 100, "10"]);
    const [isFull, depth] = await socket.push("depth.update");
    assertIs("LegacyWsFuturesDepth", depth);
    assert.deepEqual([isFull, depth.sign_price, depth.index_price], [true, "30000.00", "30000.00"]);
    await socket.must("price.subscribe", ["BTCUSDT"]);
    assert.deepEqual(await socket.push("price.update"), ["BTCUSDT", await socket.query("price.query", "BTCUSDT")]);
    await short.client.act("/futures/order", futuresOrder("sell", "1", "30000"));
    await long.client.act("/futures/order", futuresOrder("buy", "0.4", "30000"));
    venue.beat();
    assert.deepEqual(await socket.push("price.update"), ["BTCUSDT", "30000.00"]);
    assert.equal(await socket.query("price.query", "BTCUSDT"), "30000.00");
    assertIs("LegacyWsFuturesDepth", (await socket.push("depth.update"))[1]);
    const asked = await socket.query("depth.query", "BTCUSDT", 100, "10");
    assert.deepEqual(asked, (await http.get("/perpetual/v1/market/depth?market=BTCUSDT&limit=100&merge=10")).data);
    await socket.must("state.subscribe", ["BTCUSDT"]);
    const [{ BTCUSDT: state }] = await socket.push("state.update");
    assertIs("LegacyWsFuturesState", state);
    assert.deepEqual([state.position_amount, state.last], ["0.400000", "30000.00"]);
    assert.deepEqual(await socket.query("state.query", "BTCUSDT", 86400), state);
    const { ticker } = (await http.get("/perpetual/v1/market/ticker?market=BTCUSDT")).data;
    for (const name of ["funding_time", "position_amount", "sign_price", "insurance", "buy_total"]) {
      assert.equal(state[name], ticker[name], name);
    }
    await socket.must("deals.subscribe", ["BTCUSDT"]);
    assertIs("array<LegacyWsDeal>", (await socket.push("deals.update"))[1]);
    await socket.must("kline.subscribe", ["BTCUSDT", 3600]);
    const candles = await socket.push("kline.update");
    assertIs("array<LegacyWsKlineRow>", candles);
    assert.equal(candles[0][5], "0.400000");
    await socket.must("bbo.subscribe");
    assertIs("LegacyWsBbo", (await socket.push("bbo.update"))[0]);
  });
});
