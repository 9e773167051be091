/**
 * The streaming client of ccxt 4.2.38, unmodified, on the legacy sockets. The venue is that of ccxt.test.ts, beats by
 * itself.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { VenueProcess } from "../support/venue-process.ts";
import { type OldStreams, oldExchange, oldStreams } from "./old-ccxt.ts";

const SYMBOL = "BTC/USDT";
const SWAP = "BTC/USDT:USDT";
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-legacy-pro-"));
let venue: VenueProcess;
let spot: OldStreams;
let swap: OldStreams;
let other: ReturnType<typeof oldExchange>;

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  const funds = { BTC: "10", USDT: "1000000" };
  const { key } = await venue.trader("old-streams", funds);
  spot = oldStreams(venue, key, "spot");
  swap = oldStreams(venue, key, "swap");
  other = oldExchange(venue, (await venue.trader("old-other", funds)).key);
  for (const market_type of ["SPOT", "FUTURES"]) {
    const sources = [{ exchange: "test", price: "60000" }];
    await venue.admin("/admin/index-prices", { market: "BTCUSDT", market_type, sources });
  }
  // ccxt asks for this before it opens addresses without TLS.
  for (const client of [spot, swap]) await client.loadHttpProxyAgent();
  for (const user of [spot, other]) await user.transfer("USDT", 100_000, "spot", "swap");
  for (const symbol of [SYMBOL, SWAP]) {
    await other.createOrder(symbol, "limit", "sell", 0.5, 60_000);
    await other.createOrder(symbol, "limit", "sell", 1, 60_100);
    await other.createOrder(symbol, "limit", "buy", 1, 59_900);
    await other.createOrder(symbol, "limit", "buy", 0.1, 60_000);
  }
});

after(async () => {
  for (const client of [spot, swap]) await client?.close();
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

for (const [name, symbol] of [
  ["spot", SYMBOL],
  ["swaps", SWAP],
] as const) {
  const client = () => (symbol === SYMBOL ? spot : swap);

  test(`${name}: watchTicker tells the last price, at once and when it changes`, async () => {
    const first = await client().watchTicker(symbol);
    assert.deepEqual([first.symbol, first.last], [symbol, 60_000]);
    const next = client().watchTicker(symbol);
    await other.createOrder(symbol, "limit", "buy", 0.1, 60_000);
    assert.ok(((await next).baseVolume as number) > (first.baseVolume as number));
  });

  test(`${name}: watchTrades tells recent trades and new ones`, async () => {
    const trades = await client().watchTrades(symbol);
    assert.deepEqual([trades[0]?.price, trades[0]?.amount, trades[0]?.side], [60_000, 0.1, "buy"]);
    const next = client().watchTrades(symbol);
    await other.createOrder(symbol, "limit", "buy", 0.05, 60_000);
    assert.ok((await next).some(({ amount }) => amount === 0.05));
  });

  test(`${name}: watchOrderBook keeps the book`, async () => {
    const book = await client().watchOrderBook(symbol, 20);
    assert.deepEqual(
      [...book.asks],
      [
        [60_000, 0.25],
        [60_100, 1],
      ],
    );
    assert.deepEqual([...book.bids], [[59_900, 1]]);
    const next = client().watchOrderBook(symbol, 20);
    await other.createOrder(symbol, "limit", "buy", 2, 59_950);
    assert.deepEqual(
      [...(await next).bids],
      [
        [59_950, 2],
        [59_900, 1],
      ],
    );
  });

  test(`${name}: fetchOHLCVWs asks for candles`, async () => {
    const candles = await client().fetchOHLCVWs(symbol, "1h", 0);
    const [, open, high, low, close, volume] = candles.at(-1) as number[];
    assert.deepEqual([open, high, low, close, volume], [60_000, 60_000, 60_000, 60_000, 0.25]);
  });

  test(`${name}: watchOrders and watchBalance tell what an order of one's own brings about`, async () => {
    const [orders, balances] = [client().watchOrders(symbol), client().watchBalance()];
    // Subscriptions are under way; ccxt does not say when they stand, so orders are placed until each has been told of.
    let isTold = false;
    const told = Promise.all([orders, balances]).finally(() => {
      isTold = true;
    });
    while (!isTold) {
      await client().createOrder(symbol, "limit", "buy", 0.01, 50_000);
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 100))]);
    }
    const [[order], balance] = await told;
    assert.deepEqual(
      [order?.symbol, order?.side, order?.type, order?.price, order?.amount, order?.remaining],
      [symbol, "buy", "limit", 50_000, 0.01, 0.01],
    );
    assert.ok((balance.USDT?.used as number) > 0);
  });
}

test("swaps: watchOHLCV tells the candle under way, at once and when it changes", async () => {
  const candle = (await swap.watchOHLCV(SWAP, "1h")).at(-1) as number[];
  assert.equal(candle[4], 60_000);
  // ccxt writes what is told later into the same list.
  const volume = candle[5] as number;
  const next = swap.watchOHLCV(SWAP, "1h");
  await other.createOrder(SWAP, "limit", "buy", 0.05, 60_000);
  const later = (await next).at(-1) as number[];
  assert.ok((later[5] as number) > volume);
});
