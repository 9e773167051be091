/** ccxt 4.2.38, unmodified, on the spot paths of the legacy generation. The venue is that of ccxt.test.ts. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { VenueProcess } from "../support/venue-process.ts";
import { isError, isPlanned, type OldExchange, oldExchange, type Transfer } from "./old-ccxt.ts";

const SYMBOL = "BTC/USDT";
const SWAP = "BTC/USDT:USDT";
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-legacy-"));
let venue: VenueProcess;
let trader: OldExchange;
let other: OldExchange;

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  const funds = { BTC: "10", USDT: "1000000" };
  trader = oldExchange(venue, (await venue.trader("old-trader", funds)).key);
  other = oldExchange(venue, (await venue.trader("old-other", funds)).key);
  for (const market_type of ["SPOT", "FUTURES"]) {
    const sources = [{ exchange: "test", price: "60000" }];
    await venue.admin("/admin/index-prices", { market: "BTCUSDT", market_type, sources });
  }
  await other.createOrder(SYMBOL, "limit", "sell", 0.5, 60_000);
  await other.createOrder(SYMBOL, "limit", "sell", 1, 60_100);
  await other.createOrder(SYMBOL, "limit", "buy", 1, 59_900);
});

after(async () => {
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

/** Whether a time in ms is that of this test. */
function isNow(ms: number | undefined): boolean {
  return Math.abs((ms ?? 0) - Date.now()) < 600_000;
}

test("it loads the markets with their precisions, limits and fees", async () => {
  const markets = await trader.loadMarkets();
  const market = markets[SYMBOL];
  assert.deepEqual([market?.id, market?.spot, market?.taker, market?.maker], ["BTCUSDT", true, 0.002, 0.001]);
  assert.deepEqual([market?.precision.price, market?.precision.amount], [0.01, 0.00000001]);
  assert.ok((market?.limits.amount?.min as number) > 0);
  const swap = markets[SWAP];
  assert.deepEqual(
    [swap?.id, swap?.swap, swap?.linear, swap?.settle, swap?.active],
    ["BTCUSDT", true, true, "USDT", true],
  );
  assert.deepEqual([swap?.precision.price, swap?.contractSize], [0.01, 1]);
});

test("it reads time, book, fees and what trades come to", async () => {
  assert.ok(isNow(await trader.fetchTime()));
  const book = await trader.fetchOrderBook(SYMBOL, 10);
  assert.deepEqual(book.asks.slice(0, 2), [
    [60_000, 0.5],
    [60_100, 1],
  ]);
  assert.deepEqual(book.bids[0], [59_900, 1]);
  assert.ok(isNow(book.timestamp));
  assert.equal((await trader.fetchTradingFee(SYMBOL)).taker, 0.002);
  assert.equal(((await trader.fetchTradingFees()) as Record<string, { maker: number }>)[SYMBOL]?.maker, 0.001);
});

test("a limit order that crosses trades, and it finds the trade, the candle, the ticker and the fee", async () => {
  const order = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 60_000);
  assert.deepEqual(
    [order.symbol, order.type, order.side, order.status, order.price, order.amount],
    [SYMBOL, "limit", "buy", "closed", 60_000, 0.1],
  );
  assert.deepEqual([order.filled, order.remaining, order.cost, order.average], [0.1, 0, 6_000, 60_000]);
  assert.equal(Number(order.fee?.cost), 0.0002);
  assert.ok(isNow(order.timestamp));
  const own = await trader.fetchMyTrades(SYMBOL);
  assert.deepEqual(
    own.map((trade) => [trade.order, trade.symbol, trade.side, trade.price, trade.amount, trade.cost]),
    [[order.id, SYMBOL, "buy", 60_000, 0.1, 6_000]],
  );
  assert.deepEqual([own[0]?.takerOrMaker, own[0]?.fee], ["taker", { cost: 0.0002, currency: "BTC" }]);
  assert.ok(isNow(own[0]?.timestamp));
  const [trade] = await trader.fetchTrades(SYMBOL);
  assert.deepEqual([trade?.price, trade?.amount, trade?.side], [60_000, 0.1, "buy"]);
  assert.ok(isNow(trade?.timestamp));
  const ticker = await trader.fetchTicker(SYMBOL);
  assert.deepEqual([ticker.last, ticker.high, ticker.low, ticker.baseVolume], [60_000, 60_000, 60_000, 0.1]);
  assert.deepEqual([ticker.bid, ticker.bidVolume, ticker.ask, ticker.askVolume], [59_900, 1, 60_000, 0.4]);
  assert.ok(isNow(ticker.timestamp));
  assert.equal((await trader.fetchTickers())[SYMBOL]?.last, 60_000);
  const [from, ...candle] = (await trader.fetchOHLCV(SYMBOL, "1m")).at(-1) ?? [];
  assert.deepEqual(candle, [60_000, 60_000, 60_000, 60_000, 0.1]);
  assert.ok(isNow(from) && (from as number) % 60_000 === 0);
});

test("it reads balances: what a trade moved and what orders hold", async () => {
  const balance = await trader.fetchBalance();
  assert.equal(balance["BTC"]?.free, 10.0998);
  assert.equal(balance["USDT"]?.total, 994_000);
  const resting = await trader.createOrder(SYMBOL, "limit", "buy", 0.2, 50_000);
  const held = await trader.fetchBalance();
  assert.deepEqual([held["USDT"]?.used, held["USDT"]?.free], [10_000, 984_000]);
  const cancelled = await trader.cancelOrder(resting.id, SYMBOL);
  assert.deepEqual([cancelled.id, cancelled.status, cancelled.remaining], [resting.id, "canceled", 0.2]);
  assert.equal((await trader.fetchBalance())["USDT"]?.used, 0);
});

test("a market order is placed in either direction, a buy by what it may cost", async () => {
  const bought = await trader.createMarketBuyOrderWithCost(SYMBOL, 600);
  assert.deepEqual([bought.type, bought.status, bought.filled, bought.cost], ["market", "closed", 0.01, 600]);
  const sold = await trader.createOrder(SYMBOL, "market", "sell", 0.01);
  assert.deepEqual([sold.side, sold.filled, sold.cost], ["sell", 0.01, 599]);
});

test("options: only as maker, what is there at once, all or nothing", async () => {
  const resting = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 59_800, { postOnly: true });
  assert.deepEqual([resting.status, resting.filled], ["open", 0]);
  await assert.rejects(
    trader.createOrder(SYMBOL, "limit", "buy", 0.1, 60_000, { postOnly: true }),
    isError("ExchangeError"),
  );
  await trader.cancelOrder(resting.id, SYMBOL);
  const ioc = await trader.createOrder(SYMBOL, "limit", "buy", 5, 60_000, { timeInForce: "IOC" });
  assert.deepEqual([ioc.filled, ioc.status], [0.39, "canceled"]);
  assert.deepEqual(await trader.fetchOpenOrders(SYMBOL), []);
  await assert.rejects(
    trader.createOrder(SYMBOL, "limit", "buy", 5, 60_100, { timeInForce: "FOK" }),
    isError("ExchangeError"),
  );
  const fok = await trader.createOrder(SYMBOL, "limit", "buy", 1, 60_100, { timeInForce: "FOK" });
  assert.deepEqual([fok.filled, fok.status], [1, "closed"]);
});

test("it fetches one order, the open ones and the closed ones, and cancels them by id, by client id and all", async () => {
  const first = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000, { clientOrderId: "mine-1" });
  const second = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_100);
  const fetched = await trader.fetchOrder(first.id, SYMBOL);
  assert.deepEqual([fetched.status, fetched.price, fetched.clientOrderId], ["open", 50_000, "mine-1"]);
  assert.match((await trader.fetchOrder(second.id, SYMBOL)).clientOrderId ?? "", /^x-\d+-\w{16}$/);
  const open = await trader.fetchOpenOrders(SYMBOL);
  assert.deepEqual(open.map(({ id }) => id).sort(), [first.id, second.id].sort());
  assert.equal((await trader.fetchOpenOrders()).length, 2);
  // It sorts by time, of which there are only seconds.
  const closed = (await trader.fetchClosedOrders(SYMBOL)).sort((one, next) => Number(one.id) - Number(next.id));
  assert.deepEqual(
    closed.map(({ type, filled, status }) => [type, filled, status]),
    [
      ["limit", 0.1, "closed"],
      ["market", 0.01, "closed"],
      ["market", 0.01, "closed"],
      ["limit", 0.39, "canceled"],
      ["limit", 1, "closed"],
    ],
  );
  // Code 601, which this client takes for an order that cannot be.
  await assert.rejects(other.fetchOrder(first.id, SYMBOL), isError("InvalidOrder"));
  await trader.cancelOrder("", SYMBOL, { clientOrderId: "mine-1" });
  assert.deepEqual(
    (await trader.fetchOpenOrders(SYMBOL)).map(({ id }) => id),
    [second.id],
  );
  await trader.cancelAllOrders(SYMBOL);
  assert.deepEqual(await trader.fetchOpenOrders(SYMBOL), []);
  await assert.rejects(trader.cancelOrder(second.id, SYMBOL), isError("OrderNotFound"));
  await assert.rejects(trader.fetchOrder(second.id, SYMBOL), isError("OrderNotFound"), "it ended without a fill");
});

test("several orders are placed at once and cancelled at once, one is edited in place", async () => {
  const orders = await trader.createOrders([
    { symbol: SYMBOL, type: "limit", side: "buy", amount: 0.1, price: 40_000 },
    { symbol: SYMBOL, type: "limit", side: "buy", amount: 1_000, price: 40_100 },
    { symbol: SYMBOL, type: "limit", side: "buy", amount: 0.2, price: 40_100, params: { option: "MAKER_ONLY" } },
  ] as never);
  assert.deepEqual(
    orders.map(({ status, amount }) => [status, amount]),
    [
      ["open", 0.1],
      ["rejected", undefined],
      ["open", 0.2],
    ],
  );
  const [one, , two] = orders as [(typeof orders)[0], unknown, (typeof orders)[0]];
  const edited = await trader.editOrder(one.id, SYMBOL, "limit", "buy", 0.3, 41_000);
  assert.deepEqual([edited.id, edited.amount, edited.price, edited.status], [one.id, 0.3, 41_000, "open"]);
  const cancelled = await trader.cancelOrders([two.id, "999999", one.id] as never, SYMBOL);
  assert.deepEqual(
    cancelled.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [
      [two.id, "canceled"],
      [undefined, undefined],
      [one.id, "canceled"],
    ],
  );
});

test("stop orders are placed, found, cancelled by id, by client id and all, and fire", async () => {
  const limit = await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000, { triggerPrice: 50_500 });
  await trader.createOrder(SYMBOL, "market", "sell", 0.1, undefined, { stopPrice: 50_600 });
  const waiting = () => trader.fetchOpenOrders(SYMBOL, undefined, undefined, { stop: true });
  assert.deepEqual(
    (await waiting()).map(({ type, side, amount, triggerPrice }) => [type, side, amount, triggerPrice]).sort(),
    [
      ["limit", "buy", 0.1, 50_500],
      ["market", "sell", 0.1, 50_600],
    ],
  );
  const ids = (await waiting()).map(({ id }) => id);
  assert.ok(ids.includes(limit.id));
  // What it makes of the empty answer is an order without anything.
  await trader.cancelOrder(ids[0] as string, SYMBOL, { stop: true });
  assert.equal((await waiting()).length, 1);
  await assert.rejects(trader.cancelOrder(ids[0] as string, SYMBOL, { stop: true }), isError("OrderNotFound"));
  await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 50_000, { triggerPrice: 50_500, clientOrderId: "stop-1" });
  await trader.cancelOrder("", SYMBOL, { stop: true, clientOrderId: "stop-1" });
  await trader.cancelAllOrders(SYMBOL, { stop: true });
  assert.deepEqual(await waiting(), []);
  const last = (await trader.fetchTicker(SYMBOL)).last as number;
  await trader.createOrder(SYMBOL, "limit", "buy", 0.1, 49_000, { triggerPrice: last });
  const [fired] = await trader.fetchClosedOrders(SYMBOL, undefined, undefined, { stop: true });
  assert.deepEqual([fired?.amount, fired?.price, fired?.triggerPrice], [0.1, 49_000, last]);
  assert.equal((await trader.fetchOpenOrders(SYMBOL)).length, 1);
  await trader.cancelAllOrders(SYMBOL);
});

test("a wrong secret, too large, too small and too wild an order are refused as it expects", async () => {
  const stranger = oldExchange(venue, { accessId: trader.apiKey, secret: "0".repeat(48) });
  await assert.rejects(stranger.fetchBalance(), isError("AuthenticationError"));
  const unknown = oldExchange(venue, { accessId: "NOBODY", secret: "0".repeat(48) });
  await assert.rejects(unknown.fetchBalance(), isError("AuthenticationError"));
  const place = (amount: number, price: number) => trader.createOrder(SYMBOL, "limit", "buy", amount, price);
  await assert.rejects(place(100, 50_000), isError("InsufficientFunds"));
  await assert.rejects(place(0.00000001, 50_000), isError("InvalidOrder"));
  await assert.rejects(place(0.1, 900_000), isError("InvalidOrder"));
});

test("it moves money between spot and swaps, and reads the transfers", async () => {
  await trader.transfer("USDT", 1_000, "spot", "swap");
  await trader.transfer("USDT", 400, "swap", "spot");
  const swap = await trader.fetchBalance({ type: "swap" });
  assert.deepEqual([swap["USDT"]?.free, swap["USDT"]?.total], [600, 600]);
  const transfers: Transfer[] = await trader.fetchTransfers("USDT");
  assert.deepEqual(
    transfers.map(({ amount, fromAccount, toAccount, currency }) => [amount, fromAccount, toAccount, currency]).sort(),
    [
      [1_000, "spot", "swap", "USDT"],
      [400, "swap", "spot", "USDT"],
    ],
  );
  assert.ok(transfers.every(({ timestamp }) => isNow(timestamp)));
});

const MARGIN = [
  "GET /v1/margin/market",
  "POST /v1/margin/loan",
  "POST /v1/margin/flat",
  "POST /v1/margin/transfer",
  "GET /v1/margin/account",
  "GET /v1/margin/config",
  "GET /v1/margin/transfer/history",
  "GET /v1/margin/loan/history",
];
test("it borrows into a margin account, trades with it, sees what it owes and repays", {
  skip: isPlanned(...MARGIN),
}, async () => {
  const borrower = oldExchange(venue, (await venue.trader("old-borrower", { BTC: "1", USDT: "60000" })).key);
  await borrower.loadMarkets();
  const { data: accounts } = await borrower.publicGetMarginMarket();
  const account_id = Number(accounts.BTCUSDT);
  (borrower.options["accountsById"] as Record<string, string>)["margin"] = String(account_id);
  const margin = { margin: true, account_id };
  await borrower.transfer("USDT", 60_000, "spot", "margin");
  const rate = await borrower.fetchIsolatedBorrowRate(SYMBOL);
  assert.deepEqual([rate.base, rate.baseRate, rate.quote], ["BTC", 0.0005, "USDT"]);
  const rates = (await borrower.fetchIsolatedBorrowRates()) as unknown as { symbol: string }[];
  assert.ok(rates.some(({ symbol }) => symbol === SYMBOL));
  const loan = await borrower.borrowIsolatedMargin(SYMBOL, "BTC", 1);
  assert.ok(Number(loan["id"]) > 0);
  const balance = async () => await borrower.fetchBalance({ type: "margin", symbol: SYMBOL });
  const held = (await balance()) as unknown as Record<string, Record<string, number>>;
  assert.deepEqual([held["BTC"]?.["total"], held["BTC"]?.["debt"]], [1, 1.00002084]);
  const order = await borrower.createOrder(SYMBOL, "limit", "sell", 0.1, 70_000, margin);
  const open = await borrower.fetchOpenOrders(SYMBOL, undefined, undefined, margin);
  assert.deepEqual(
    open.map(({ id }) => id),
    [order.id],
  );
  assert.deepEqual(await borrower.fetchOpenOrders(SYMBOL), []);
  await borrower.cancelOrder(order.id, SYMBOL, margin);
  const sold = await borrower.createOrder(SYMBOL, "limit", "sell", 0.1, 59_900, margin);
  assert.equal(sold.filled, 0.1);
  const [trade] = await borrower.fetchMyTrades(SYMBOL, undefined, undefined, margin);
  assert.deepEqual([trade?.order, trade?.amount], [sold.id, 0.1]);
  const [owed] = await borrower.fetchBorrowInterest("BTC", SYMBOL);
  assert.deepEqual([owed?.interestRate, owed?.amountBorrowed, owed?.interest], [0.0005, 1, 0.00002084]);
  await borrower.repayIsolatedMargin(SYMBOL, "BTC", 0.5);
  const [moved] = await borrower.fetchTransfers("USDT", undefined, undefined, { margin: true });
  assert.deepEqual(
    [moved?.amount, moved?.fromAccount, moved?.toAccount, moved?.status],
    [60_000, "spot", "margin", "ok"],
  );
});
