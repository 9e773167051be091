/** ccxt's streaming client on the perpetual swaps of the dev profile, unmodified, only its addresses changed. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import ccxt from "ccxt";
import { VenueProcess } from "../support/venue-process.ts";
import { lastOwn } from "./ccxt-trades.ts";

const SYMBOL = "BTC/USDT:USDT";
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-pro-swap-"));
type Exchange = InstanceType<typeof ccxt.pro.coinex>;
let venue: VenueProcess;
let trader: Exchange;
let other: Exchange;

function exchange(key: { accessId: string; secret: string }): Exchange {
  const client = new ccxt.pro.coinex({
    apiKey: key.accessId,
    secret: key.secret,
    enableRateLimit: false,
    options: { defaultType: "swap" },
  });
  const api = client.urls.api as Record<string, string | Record<string, string>>;
  for (const [name, url] of Object.entries(api)) {
    if (typeof url === "string") api[name] = url.replace("https://api.coinex.com", venue.url);
  }
  const sockets = api.ws as Record<string, string>;
  sockets.spot = `${venue.url.replace("http", "ws")}/v2/spot/`;
  sockets.swap = `${venue.url.replace("http", "ws")}/v2/futures/`;
  return client;
}

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  const funds = { USDT: "1000000" };
  trader = exchange((await venue.trader("swap-streams", funds)).key);
  other = exchange((await venue.trader("swap-other", funds)).key);
  // ccxt asks for this before it opens addresses without TLS.
  for (const client of [trader, other]) await client.loadHttpProxyAgent();
  const sources = [{ exchange: "test", price: "60000" }];
  await venue.admin("/admin/index-prices", { market: "BTCUSDT", market_type: "FUTURES", sources });
  for (const client of [trader, other]) await client.transfer("USDT", 500_000, "spot", "swap");
  await other.createOrder(SYMBOL, "limit", "sell", 1, 60_000);
  await other.createOrder(SYMBOL, "limit", "buy", 1, 59_900);
  await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 60_000);
});

after(async () => {
  await trader?.close();
  await other?.close();
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

test("watchTicker, watchTrades, watchOrderBook and watchBidsAsks tell of a swap", async () => {
  const ticker = await trader.watchTicker(SYMBOL);
  assert.deepEqual([ticker.symbol, ticker.last], [SYMBOL, 60_000]);
  const [trade] = await trader.watchTrades(SYMBOL);
  assert.deepEqual([trade?.symbol, trade?.price, trade?.amount, trade?.side], [SYMBOL, 60_000, 0.1, "buy"]);
  const book = await trader.watchOrderBook(SYMBOL, 20);
  assert.deepEqual(
    [...book.asks, ...book.bids].map(([price, amount]) => [price, amount]),
    [
      [60_000, 0.9],
      [59_900, 1],
    ],
  );
  await trader.watchBidsAsks([SYMBOL]);
  const quotes = trader.bidsasks[SYMBOL];
  assert.deepEqual([quotes?.bid, quotes?.bidVolume, quotes?.ask, quotes?.askVolume], [59_900, 1, 60_000, 0.9]);
});

/** What was told while `act` was repeated: ccxt does not say when a subscription stands. */
async function toldWhile<Told>(told: Promise<Told>, act: () => Promise<unknown>): Promise<Told> {
  let isTold = false;
  const end = told.finally(() => {
    isTold = true;
  });
  while (!isTold) {
    await act();
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  return await end;
}

test("watchBalance, watchOrders and watchMyTrades tell what an order of one's own brings about", async () => {
  // Without the type ccxt watches the spot balance.
  const told = Promise.all([
    trader.watchBalance({ type: "swap" }),
    trader.watchOrders(SYMBOL),
    trader.watchMyTrades(SYMBOL),
  ]);
  const [balance, [order], trades] = await toldWhile(told, () =>
    trader.createOrder(SYMBOL, "limit", "buy", 0.001, 60_000),
  );
  const trade = lastOwn(trades);
  assert.ok((balance.USDT?.free as number) < 500_000);
  assert.deepEqual([order?.symbol, order?.side, order?.price, order?.amount], [SYMBOL, "buy", 60_000, 0.001]);
  assert.deepEqual(
    [trade?.symbol, trade?.side, trade?.price, trade?.amount, trade?.takerOrMaker, trade?.fee?.currency],
    [SYMBOL, "buy", 60_000, 0.001, "taker", "USDT"],
  );
});

test("watchOrders tells of stop orders when asked for triggers", async () => {
  const [stop] = await toldWhile(other.watchOrders(SYMBOL, undefined, undefined, { trigger: true }), () =>
    other.createOrder(SYMBOL, "limit", "buy", 0.001, 50_000, { triggerPrice: 50_500 }),
  );
  assert.deepEqual([stop?.symbol, stop?.side, stop?.price, stop?.amount], [SYMBOL, "buy", 50_000, 0.001]);
});
