/**
 * ccxt, unmodified, only its address changed: what a trader's program does with any exchange it does with bourse. The
 * venue runs in a process of its own, in the dev profile, without makers, so that every figure is known.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import ccxt from "ccxt";
import { VenueProcess } from "../support/venue-process.ts";

const SYMBOL = "BTC/USDT";
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-"));
let venue: VenueProcess;
let traderId: number;
let trader: InstanceType<typeof ccxt.coinex>;
let other: InstanceType<typeof ccxt.coinex>;

function exchange(key?: { accessId: string; secret: string }) {
  const client = new ccxt.coinex({ apiKey: key?.accessId ?? "", secret: key?.secret ?? "", enableRateLimit: false });
  const api = client.urls.api as Record<string, string>;
  for (const name of Object.keys(api)) api[name] = (api[name] as string).replace("https://api.coinex.com", venue.url);
  return client;
}

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  const funds = { BTC: "10", USDT: "1000000" };
  const made = await venue.trader("ccxt-trader", funds);
  traderId = made.userId;
  trader = exchange(made.key);
  other = exchange((await venue.trader("ccxt-other", funds)).key);
  await venue.admin("/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "test", price: "60000" }] });
  await other.createOrder(SYMBOL, "limit", "sell", 0.5, 60_000);
  await other.createOrder(SYMBOL, "limit", "sell", 1, 60_100);
  await other.createOrder(SYMBOL, "limit", "buy", 1, 59_900);
});

after(async () => {
  await trader?.close();
  await other?.close();
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

test("ccxt borrows into a margin account, trades with it, sees what it owes and repays", async (t) => {
  const borrower = exchange((await venue.trader("ccxt-borrower", { BTC: "1", USDT: "60000" })).key);
  t.after(() => borrower.close());
  const markets = await borrower.loadMarkets();
  assert.equal(markets[SYMBOL]?.margin, true);
  const rate = await borrower.fetchIsolatedBorrowRate(SYMBOL, { code: "BTC" });
  assert.equal(rate.baseRate, 0.0005);
  await borrower.transfer("USDT", 60_000, "spot", "margin", { symbol: SYMBOL });
  const loan = await borrower.borrowIsolatedMargin(SYMBOL, "BTC", 1, { isAutoRenew: false });
  assert.equal(loan.amount, 1);
  // It reads the base currency of a margin account.
  const account = async () => (await borrower.fetchBalance({ type: "margin" })).BTC;
  assert.deepEqual([(await account())?.free, (await account())?.debt], [1, 1.00002084]);
  const order = await borrower.createOrder(SYMBOL, "limit", "sell", 0.1, 70_000, { marginMode: "isolated" });
  assert.equal((await account())?.used, 0.1);
  const open = await borrower.fetchOpenOrders(SYMBOL, undefined, undefined, { marginMode: "isolated" });
  assert.equal(open[0]?.id, order.id);
  await borrower.cancelOrder(order.id as string, SYMBOL, { marginMode: "isolated" });
  const [owed] = await borrower.fetchBorrowInterest("BTC", SYMBOL);
  // What ccxt calls interest is all that is to be repaid.
  assert.deepEqual([owed?.interestRate, owed?.amountBorrowed, owed?.interest], [0.0005, 1, 1.00002084]);
  await borrower.repayIsolatedMargin(SYMBOL, "BTC", 0.5);
  assert.equal((await account())?.debt, 0.50002084);
  await borrower.transfer("BTC", 0.1, "spot", "margin", { symbol: SYMBOL });
  await borrower.repayIsolatedMargin(SYMBOL, "BTC", 1);
  assert.equal((await account())?.debt, 0);
  await borrower.transfer("USDT", 60_000, "margin", "spot", { symbol: SYMBOL });
  await borrower.transfer("BTC", (await account())?.free as number, "margin", "spot", { symbol: SYMBOL });
});

test("ccxt loads the markets with their precisions, limits and fees", async () => {
  const markets = await trader.loadMarkets();
  const market = markets[SYMBOL];
  assert.equal(market?.id, "BTCUSDT");
  assert.equal(market.spot, true);
  assert.equal(market.active, true);
  assert.equal(market.precision.price, 0.01);
  assert.ok((market.precision.amount as number) <= 0.000001);
  assert.ok((market.limits.amount?.min as number) > 0);
  assert.equal(market.taker, 0.002);
  assert.equal(market.maker, 0.001);
  assert.ok(trader.currencies.USDT !== undefined && trader.currencies.BTC !== undefined);
});

test("ccxt reads the venue's time", async () => {
  assert.ok(Math.abs(((await trader.fetchTime()) as number) - Date.now()) < 5_000);
});

test("ccxt reads the order book", async () => {
  const book = await trader.fetchOrderBook(SYMBOL, 10);
  assert.deepEqual(book.asks.slice(0, 2), [
    [60_000, 0.5],
    [60_100, 1],
  ]);
  assert.deepEqual(book.bids[0], [59_900, 1]);
});

test("a limit order that crosses trades, and ccxt finds the trade, the candle, the ticker and the fee", async () => {
  const order = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 60_000);
  assert.equal(order.filled, 0.1);
  assert.equal(order.remaining, 0);
  assert.equal(order.cost, 6_000);

  const own = await trader.fetchMyTrades(SYMBOL);
  assert.deepEqual(
    own.map(({ order: id, side, price, amount, takerOrMaker, fee }) => [id, side, price, amount, takerOrMaker, fee]),
    [[order.id, "buy", 60_000, 0.1, "taker", { currency: "BTC", cost: 0.0002 }]],
  );
  const trades = await trader.fetchTrades(SYMBOL);
  assert.deepEqual([trades[0]?.price, trades[0]?.amount, trades[0]?.side], [60_000, 0.1, "buy"]);
  const ticker = await trader.fetchTicker(SYMBOL);
  assert.deepEqual([ticker.last, ticker.high, ticker.low, ticker.baseVolume], [60_000, 60_000, 60_000, 0.1]);
  const tickers = await trader.fetchTickers();
  assert.equal(tickers[SYMBOL]?.last, 60_000);
  const candles = await trader.fetchOHLCV(SYMBOL, "1m");
  const [, open, high, low, close, volume] = candles.at(-1) as number[];
  // In coins: under compat the two numbers of a candle are where ccxt looks for them.
  assert.deepEqual([open, high, low, close, volume], [60_000, 60_000, 60_000, 60_000, 0.1]);
});

test("ccxt reads balances: what a trade moved and what orders hold", async () => {
  const balance = await trader.fetchBalance();
  assert.equal(balance.BTC?.free, 10.0998);
  assert.equal(balance.USDT?.total, 994_000);
  const resting = await trader.createOrder(SYMBOL, "limit", "buy", 0.2, 50_000);
  const held = await trader.fetchBalance();
  assert.deepEqual([held.USDT?.used, held.USDT?.free], [10_000, 984_000]);
  await trader.cancelOrder(resting.id as string, SYMBOL);
  assert.equal((await trader.fetchBalance()).USDT?.used, 0);
});

test("a market order is placed in either direction, a buy by what it may cost", async () => {
  const bought = await trader.createMarketBuyOrderWithCost(SYMBOL, 600);
  assert.deepEqual([bought.filled, bought.cost], [0.01, 600]);
  const sold = await trader.createOrder(SYMBOL, "market", "sell", 0.01);
  assert.deepEqual([sold.filled, sold.cost], [0.01, 599]);
});

test("a post-only order rests, or is refused when it would take", async () => {
  const resting = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 59_800, { postOnly: true });
  assert.equal(resting.filled, 0);
  await assert.rejects(
    trader.createOrder(SYMBOL, "limit", "buy", 0.1, 60_000, { postOnly: true }),
    (error: Error) => error instanceof ccxt.InvalidOrder && /maker_only/.test(error.message),
  );
  await trader.cancelOrder(resting.id as string, SYMBOL);
});

test("an ioc order takes what is there and leaves nothing behind; a fok order takes all or nothing", async () => {
  const ioc = await trader.createOrder(SYMBOL, "limit", "buy", 5, 60_000, { timeInForce: "IOC" });
  assert.equal(ioc.filled, 0.39);
  assert.deepEqual(await trader.fetchOpenOrders(SYMBOL), []);
  await assert.rejects(
    trader.createOrder(SYMBOL, "limit", "buy", 5, 60_100, { timeInForce: "FOK" }),
    (error: Error) => error instanceof ccxt.InvalidOrder && /fok/.test(error.message),
  );
  const fok = await trader.createOrder(SYMBOL, "limit", "buy", 1, 60_100, { timeInForce: "FOK" });
  assert.equal(fok.filled, 1);
});

test("ccxt fetches one order, the open ones and the closed ones", async () => {
  const first = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000, { clientOrderId: "mine-1" });
  const second = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_100);
  const fetched = await trader.fetchOrder(first.id as string, SYMBOL);
  assert.deepEqual([fetched.status, fetched.price, fetched.clientOrderId], ["open", 50_000, "mine-1"]);
  const open = await trader.fetchOpenOrders(SYMBOL);
  assert.deepEqual(open.map(({ id }) => id).sort(), [first.id, second.id].sort());
  const closed = await trader.fetchClosedOrders(SYMBOL);
  // The exchange says nothing of a status here, and ccxt leaves it open; what was filled tells.
  assert.deepEqual(
    closed.map(({ type, filled }) => [type, filled]),
    [
      ["limit", 0.1],
      ["market", 0.01],
      ["market", 0.01],
      ["ioc", 0.39],
      ["fok", 1],
    ],
  );
  await assert.rejects(
    other.fetchOrder(first.id as string, SYMBOL),
    (error: Error) => error instanceof ccxt.OrderNotFound,
  );
});

test("ccxt cancels one order, and all of them", async () => {
  const [newest] = await trader.fetchOpenOrders(SYMBOL);
  const cancelled = await trader.cancelOrder(newest?.id as string, SYMBOL);
  assert.equal(cancelled.id, newest?.id);
  assert.equal((await trader.fetchOpenOrders(SYMBOL)).length, 1);
  await trader.cancelAllOrders(SYMBOL);
  assert.deepEqual(await trader.fetchOpenOrders(SYMBOL), []);
  await assert.rejects(
    trader.cancelOrder(newest?.id as string, SYMBOL),
    (error: Error) => error instanceof ccxt.OrderNotFound,
  );
});

test("several orders are placed at once, each with its own id", async () => {
  const orders = await trader.createOrders([
    { symbol: SYMBOL, type: "limit", side: "buy", amount: 0.1, price: 40_000 },
    { symbol: SYMBOL, type: "limit", side: "buy", amount: 0.2, price: 40_100 },
  ]);
  assert.equal(new Set(orders.map(({ id }) => id)).size, 2);
  assert.ok(orders.every(({ id }) => id !== undefined));
  await trader.cancelAllOrders(SYMBOL);
});

test("an order is edited in place: its price, its amount, and so that it trades", async () => {
  const { id } = await trader.createOrder(SYMBOL, "limit", "buy", 0.2, 50_000, { clientOrderId: "edited" });
  const moved = await trader.editOrder(id as string, SYMBOL, "limit", "buy", undefined, 50_500);
  assert.deepEqual([moved.id, moved.price, moved.amount, moved.clientOrderId], [id, 50_500, 0.2, "edited"]);
  const less = await trader.editOrder(id as string, SYMBOL, "limit", "buy", 0.1, 50_500);
  assert.deepEqual([less.id, less.price, less.amount], [id, 50_500, 0.1]);
  assert.equal((await trader.fetchBalance()).USDT?.used, 5_050);

  const offered = await other.createOrder(SYMBOL, "limit", "sell", 0.05, 60_050);
  const traded = await trader.editOrder(id as string, SYMBOL, "limit", "buy", 0.1, 60_050);
  assert.deepEqual([traded.filled, traded.remaining, traded.cost], [0.05, 0.05, 3_002.5]);
  assert.deepEqual((await trader.fetchMyTrades(SYMBOL)).at(-1)?.takerOrMaker, "taker");
  await assert.rejects(
    trader.editOrder(id as string, SYMBOL, "limit", "buy", 0.05, 60_050),
    (error: Error) => error instanceof ccxt.ExchangeError && /must exceed what is already filled/.test(error.message),
  );
  for (const [client, gone] of [
    [trader, offered.id],
    [other, id],
  ] as const) {
    await assert.rejects(
      client.editOrder(gone as string, SYMBOL, "limit", "buy", 0.2, 50_000),
      (error: Error) => error instanceof ccxt.OrderNotFound,
    );
  }
  await trader.cancelOrder(id as string, SYMBOL);
});

test("several orders are edited at once, and cancelled at once, an unknown one alone in vain", async () => {
  const orders = await trader.createOrders(
    [40_000, 40_100, 40_200].map((price) => ({ symbol: SYMBOL, type: "limit", side: "buy", amount: 0.1, price })),
  );
  const ids = orders.map(({ id }) => id as string);
  const edited = await trader.editOrders(
    ids
      .slice(0, 2)
      .map((id, at) => ({ id, symbol: SYMBOL, type: "limit", side: "buy", amount: 0.3, price: 41_000 + at })),
  );
  assert.deepEqual(
    edited.map(({ id, amount, price }) => [id, amount, price]),
    [
      [ids[0], 0.3, 41_000],
      [ids[1], 0.3, 41_001],
    ],
  );
  const cancelled = await trader.cancelOrders([ids[2] as string, "999999", ids[0] as string], SYMBOL);
  assert.deepEqual(
    cancelled.map(({ id }) => id),
    [ids[2], undefined, ids[0]],
  );
  const open = await trader.fetchOpenOrders(SYMBOL);
  assert.deepEqual(
    open.map(({ id }) => id),
    [ids[1]],
  );
  await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000, { triggerPrice: 50_000 });
  await trader.cancelAllOrders(SYMBOL);
  assert.deepEqual(await trader.fetchOpenOrders(SYMBOL), []);
  const waiting = await trader.fetchOpenOrders(SYMBOL, undefined, undefined, { trigger: true });
  assert.equal(waiting.length, 1, "stop orders are not among all orders");
  await trader.cancelOrder(waiting[0]?.id as string, SYMBOL, { trigger: true });
});

test("several stop orders are placed at once", async () => {
  const stops = await trader.createOrders(
    [50_000, 50_100].map((price) => ({
      symbol: SYMBOL,
      type: "limit",
      side: "buy",
      amount: 0.1,
      price,
      params: { triggerPrice: price },
    })),
  );
  const waiting = await trader.fetchOpenOrders(SYMBOL, undefined, undefined, { trigger: true });
  assert.deepEqual(waiting.map(({ id }) => id).sort(), stops.map(({ id }) => id).sort());
  await trader.cancelOrders(
    stops.map(({ id }) => id as string),
    SYMBOL,
    { trigger: true },
  );
});

test("ccxt reads the standard fees, and the caller's own once the operator has put it on a level", async () => {
  const standard = await trader.fetchTradingFee(SYMBOL);
  assert.deepEqual([standard.maker, standard.taker], [0.001, 0.002]);
  assert.equal((await trader.fetchTradingFees())[SYMBOL]?.taker, 0.002);
  const own = { market: "BTCUSDT", market_type: "SPOT" };
  const rates = async () => (await trader.v2PrivateGetAccountTradeFeeRate(own)).data;
  assert.deepEqual(await rates(), { market: "BTCUSDT", maker_rate: "0.001", taker_rate: "0.002" });
  await venue.admin("/admin/fee-levels", { level: "vip", maker_fee_rate: "0.0005", taker_fee_rate: "0.0008" });
  await venue.admin(`/admin/users/${traderId}`, { fee_level: "vip" });
  assert.deepEqual(await rates(), { market: "BTCUSDT", maker_rate: "0.0005", taker_rate: "0.0008" });
  await other.createOrder(SYMBOL, "limit", "sell", 0.05, 60_000);
  await trader.createOrder(SYMBOL, "limit", "buy", 0.05, 60_000);
  const [trade] = (await trader.fetchMyTrades(SYMBOL)).slice(-1);
  assert.deepEqual(trade?.fee, { currency: "BTC", cost: 0.00004 });
  await venue.admin(`/admin/users/${traderId}`, { fee_level: null });
});

test("stop orders are placed, found, changed and cancelled, and fire", async () => {
  const last = (await trader.fetchTicker(SYMBOL)).last as number;
  const limit = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000, { triggerPrice: 50_000 });
  const market = await trader.createOrder(SYMBOL, "market", "sell", 0.1, undefined, { stopPrice: 50_500 });
  const waiting = await trader.fetchOpenOrders(SYMBOL, undefined, undefined, { trigger: true });
  assert.deepEqual(
    waiting.map(({ id, type, side, amount, triggerPrice }) => [id, type, side, amount, triggerPrice]).sort(),
    [
      [limit.id, "limit", "buy", 0.1, 50_000],
      [market.id, "market", "sell", 0.1, 50_500],
    ],
  );
  const edited = await trader.editOrder(limit.id as string, SYMBOL, "limit", "buy", 0.2, 49_000, {
    triggerPrice: last,
  });
  assert.equal(edited.id, limit.id);
  const fired = await trader.fetchClosedOrders(SYMBOL, undefined, undefined, { trigger: true });
  assert.deepEqual(
    fired.map(({ id, amount, price, triggerPrice }) => [id, amount, price, triggerPrice]),
    [[limit.id, 0.2, 49_000, last]],
  );
  assert.equal((await trader.fetchOpenOrders(SYMBOL)).length, 1);
  const cancelled = await trader.cancelOrder(market.id as string, SYMBOL, { trigger: true });
  assert.equal(cancelled.id, market.id);
  await assert.rejects(
    trader.cancelOrder(market.id as string, SYMBOL, { trigger: true }),
    (error: Error) => error instanceof ccxt.OrderNotFound,
  );
  const several = await Promise.all(
    [51_000, 51_500].map((price) => trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000, { triggerPrice: price })),
  );
  await trader.cancelOrders(
    several.map(({ id }) => id as string),
    SYMBOL,
    { trigger: true },
  );
  assert.deepEqual(await trader.fetchOpenOrders(SYMBOL, undefined, undefined, { trigger: true }), []);
  await trader.cancelAllOrders(SYMBOL);
});

test("a wrong secret and too large an order are refused as ccxt expects", async () => {
  const stranger = exchange({ accessId: trader.apiKey, secret: "0".repeat(48) });
  await assert.rejects(stranger.fetchBalance(), (error: Error) => error instanceof ccxt.AuthenticationError);
  await assert.rejects(
    trader.createOrder(SYMBOL, "limit", "buy", 100, 50_000),
    (error: Error) => error instanceof ccxt.InsufficientFunds,
  );
});
