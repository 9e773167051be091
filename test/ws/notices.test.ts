/**
 * What stops a market for a while and nobody planned is told at once: an index without sources (102), an interruption
 * (103).
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { succeeded } from "../support/api-client.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  limitOrder,
  listFutures,
} from "../support/served-venue.ts";

const MINUTE_MS = 60_000;

describe("notices of markets", () => {
  let venue: ApiVenue;
  let maker: ApiUser;
  let taker: ApiUser;

  before(async () => {
    venue = await bitcoinApiVenue();
    await venue.listAssets("USD");
    await listFutures(venue);
    maker = await venue.addUser("maker", { BTC: "100", USDT: "10000000" });
    taker = await venue.addUser("taker", { BTC: "100", USDT: "10000000" });
  });
  after(() => venue.close());

  const noticeOf = (market: string, scope: string, reason: string, started: number, ended: number) => ({
    start_time: started,
    end_time: ended,
    scope: [scope],
    protect_duration_start: 0,
    protect_duration_end: 0,
    started_at: started,
    ended_at: ended,
    market,
    reason,
  });

  test("an index whose sources are silent is stale over HTTP and sockets, stops what hangs on it, and comes back", async () => {
    const trader = await venue.addTrader("trader", { USDT: "10000" });
    const spot = await venue.socket(maker.client);
    const futures = await venue.socket(maker.client, "/v2/futures");
    const others = await venue.socket(maker.client, "/v2/futures");
    for (const socket of [spot, futures]) await socket.must("notice.subscribe", { channels: [102] });
    await others.must("notice.subscribe", { channels: [101, 103] });
    const isStale = async () =>
      (await venue.anybody.read("/v2/futures/index", { market: "BTCUSDT" })).map(
        ({ is_stale }: { is_stale: boolean }) => is_stale,
      );
    assert.deepEqual(await isStale(), [false]);
    // The other market's sources go on.
    await venue.index("30000", "BTCUSD");
    await venue.wait(MINUTE_MS / 2);
    await venue.index("30000", "BTCUSD");
    await venue.wait(MINUTE_MS / 2 + 1_000);

    const since = venue.control.timeMs;
    assert.deepEqual(await futures.push("notice.update"), {
      channel: 102,
      info: noticeOf("BTCUSDT", "FUTURES", "index_stale", since, 0),
    });
    assert.deepEqual(await isStale(), [true]);
    const entered = await trader.client.post("/futures/order", contract("buy", "0.1", "29000"));
    assert.equal(entered.code, 4117, entered.message);

    await venue.indexBack("30100");
    const back = venue.control.timeMs;
    assert.deepEqual(await futures.push("notice.update"), {
      channel: 102,
      info: noticeOf("BTCUSDT", "FUTURES", "index_back", back, back),
    });
    assert.deepEqual(await isStale(), [false]);
    succeeded(await trader.client.post("/futures/order", contract("buy", "0.1", "29000")));
    assert.deepEqual(await futures.taken(), [], "each is told once");
    assert.deepEqual(await spot.taken(), [], "futures markets are not heard of here");
    assert.deepEqual(await others.taken(), [], "nor by whoever follows other channels");
  });

  test("a price that moves too far interrupts the market until it reopens by auction, and says until when", async () => {
    const interruption = { move: "0.1", windowMs: MINUTE_MS, auctionMs: 2 * MINUTE_MS };
    await venue.operate({ kind: "change_market", market: "BTCUSDT", interruption });
    const spot = await venue.socket(maker.client);
    const futures = await venue.socket(maker.client, "/v2/futures");
    for (const socket of [spot, futures]) await socket.must("notice.subscribe", { channels: [103] });
    const place = async (user: ApiUser, body: object) => succeeded(await user.client.post("/spot/order", body));
    await place(maker, limitOrder("sell", "1", "30000"));
    await place(maker, limitOrder("sell", "1", "33001"));
    await place(taker, limitOrder("buy", "1.5", "33500"));

    const { timeMs } = venue.control;
    assert.deepEqual(await spot.push("notice.update"), {
      channel: 103,
      info: noticeOf("BTCUSDT", "SPOT", "price_moved", timeMs, timeMs + 2 * MINUTE_MS),
    });
    const statusOf = async () => (await venue.anybody.read("/v2/spot/market", { market: "BTCUSDT" }))[0].status;
    assert.equal(await statusOf(), "bidding");
    const late = await venue.socket(maker.client);
    await late.must("notice.subscribe", { channels: [] });
    assert.deepEqual(
      (await late.push("notice.update")).info,
      noticeOf("BTCUSDT", "SPOT", "price_moved", timeMs, timeMs + 2 * MINUTE_MS),
      "who comes while it lasts hears of it too",
    );
    await venue.wait(2 * MINUTE_MS);
    assert.deepEqual(
      (await spot.push("notice.update")).info,
      noticeOf("BTCUSDT", "SPOT", "price_moved", timeMs + 2 * MINUTE_MS, timeMs + 4 * MINUTE_MS),
      "it would open more than a move away, and goes on once",
    );
    assert.equal(await statusOf(), "bidding");
    await venue.wait(2 * MINUTE_MS);
    assert.equal(await statusOf(), "online");
    assert.deepEqual(await futures.taken(), []);
  });
});
