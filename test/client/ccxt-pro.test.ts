/**
 * ccxt's streaming client, unmodified, only its addresses changed. The venue is that of ccxt.test.ts, beats by itself.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import ccxt from "ccxt";
import { VenueProcess } from "../support/venue-process.ts";
import { lastOwn } from "./ccxt-trades.ts";

const SYMBOL = "BTC/USDT";
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-pro-"));
type Exchange = InstanceType<typeof ccxt.pro.coinex>;
let venue: VenueProcess;
let trader: Exchange;
let other: Exchange;

function exchange(key: { accessId: string; secret: string }): Exchange {
  const client = new ccxt.pro.coinex({ apiKey: key.accessId, secret: key.secret, enableRateLimit: false });
  const api = client.urls.api as Record<string, string | Record<string, string>>;
  for (const [name, url] of Object.entries(api)) {
    if (typeof url === "string") api[name] = url.replace("https://api.coinex.com", venue.url);
  }
  const sockets = api.ws as Record<string, string>;
  sockets.spot = `${venue.url.replace("http", "ws")}/v2/spot/`;
  return client;
}

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  const funds = { BTC: "10", USDT: "1000000" };
  trader = exchange((await venue.trader("streams", funds)).key);
  other = exchange((await venue.trader("other", funds)).key);
  // ccxt asks for this before it opens addresses without TLS.
  await trader.loadHttpProxyAgent();
  await venue.admin("/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "test", price: "60000" }] });
  await other.createOrder(SYMBOL, "limit", "sell", 0.5, 60_000);
  await other.createOrder(SYMBOL, "limit", "sell", 1, 60_100);
  await other.createOrder(SYMBOL, "limit", "buy", 1, 59_900);
  await other.createOrder(SYMBOL, "limit", "buy", 0.1, 60_000);
});

after(async () => {
  await trader?.close();
  await other?.close();
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

test("watchTicker tells the last price, at once and when it changes", async () => {
  const first = await trader.watchTicker(SYMBOL);
  assert.deepEqual([first.symbol, first.last], [SYMBOL, 60_000]);
  const next = trader.watchTicker(SYMBOL);
  await other.createOrder(SYMBOL, "limit", "buy", 0.1, 60_000);
  assert.ok(((await next).baseVolume as number) > (first.baseVolume as number));
});

test("watchTrades tells recent trades and new ones", async () => {
  const trades = await trader.watchTrades(SYMBOL);
  assert.deepEqual([trades[0]?.price, trades[0]?.amount, trades[0]?.side], [60_000, 0.1, "buy"]);
  const next = trader.watchTrades(SYMBOL);
  await other.createOrder(SYMBOL, "limit", "buy", 0.05, 60_000);
  assert.equal((await next).at(-1)?.amount, 0.05);
});

test("watchOrderBook keeps the book", async () => {
  const book = await trader.watchOrderBook(SYMBOL, 20);
  assert.deepEqual(
    [...book.asks],
    [
      [60_000, 0.25],
      [60_100, 1],
    ],
  );
  assert.deepEqual([...book.bids], [[59_900, 1]]);
  const next = trader.watchOrderBook(SYMBOL, 20);
  await other.createOrder(SYMBOL, "limit", "buy", 2, 59_950);
  assert.deepEqual(
    [...(await next).bids],
    [
      [59_950, 2],
      [59_900, 1],
    ],
  );
});

test("watchBidsAsks tells the best quotes", async () => {
  await trader.watchBidsAsks([SYMBOL]);
  const quotes = trader.bidsasks[SYMBOL];
  assert.deepEqual([quotes?.bid, quotes?.ask, quotes?.askVolume], [59_950, 60_000, 0.25]);
});

test("watchBalance, watchOrders and watchMyTrades tell what an order of one's own brings about", async () => {
  const [balances, orders, trades] = [trader.watchBalance(), trader.watchOrders(SYMBOL), trader.watchMyTrades(SYMBOL)];
  // Subscriptions are under way; ccxt does not say when they stand, so orders are placed until each has been told of.
  let isTold = false;
  const told = Promise.all([balances, orders, trades]).finally(() => {
    isTold = true;
  });
  while (!isTold) {
    await trader.createOrder(SYMBOL, "limit", "buy", 0.001, 60_000);
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  const [balance, [order], ownTrades] = await told;
  const trade = lastOwn(ownTrades);
  assert.ok((balance.BTC?.free as number) > 10);
  assert.deepEqual([order?.symbol, order?.side, order?.price, order?.amount], [SYMBOL, "buy", 60_000, 0.001]);
  assert.deepEqual(
    [trade?.symbol, trade?.side, trade?.price, trade?.amount, trade?.takerOrMaker, trade?.fee],
    [SYMBOL, "buy", 60_000, 0.001, "taker", { currency: "BTC", cost: 0.000002 }],
  );

  const changes = trader.watchOrders(SYMBOL);
  const resting = await trader.createOrder(SYMBOL, "limit", "buy", 0.3, 50_000, { clientOrderId: "streamed" });
  const put = (await changes).find(({ id }) => id === resting.id);
  assert.deepEqual([put?.status, put?.remaining, put?.clientOrderId], ["open", 0.3, "streamed"]);
});
