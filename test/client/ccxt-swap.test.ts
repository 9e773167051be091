/** ccxt's methods for perpetual swaps, unmodified, on the futures of the dev profile. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import ccxt from "ccxt";
import { VenueProcess } from "../support/venue-process.ts";

const LINEAR = "BTC/USDT:USDT";
const INVERSE = "BTC/USD:BTC";
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-swap-"));
let venue: VenueProcess;
let trader: InstanceType<typeof ccxt.coinex>;
let other: InstanceType<typeof ccxt.coinex>;

function exchange(key: { accessId: string; secret: string }) {
  const client = new ccxt.coinex({
    apiKey: key.accessId,
    secret: key.secret,
    enableRateLimit: false,
    options: { defaultType: "swap" },
  });
  const api = client.urls.api as Record<string, string>;
  for (const name of Object.keys(api)) api[name] = (api[name] as string).replace("https://api.coinex.com", venue.url);
  return client;
}

async function index(market: string, price: string): Promise<void> {
  const sources = [{ exchange: "test", price }];
  await venue.admin("/admin/index-prices", { market, market_type: "FUTURES", sources });
}

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  const funds = { BTC: "10", USDT: "1000000" };
  trader = exchange((await venue.trader("swap-trader", funds)).key);
  other = exchange((await venue.trader("swap-other", funds)).key);
  await index("BTCUSDT", "60000");
  await index("BTCUSD", "60000");
  for (const client of [trader, other]) {
    await client.loadMarkets();
    await client.transfer("USDT", 500_000, "spot", "swap");
    await client.transfer("BTC", 5, "spot", "swap");
  }
  await other.createOrder(LINEAR, "limit", "sell", 1, 60_000);
  await other.createOrder(LINEAR, "limit", "buy", 1, 59_900);
});

after(async () => {
  await trader?.close();
  await other?.close();
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

test("ccxt knows linear and inverse swaps with their contract sizes, precisions and limits", () => {
  const linear = trader.market(LINEAR);
  assert.deepEqual([linear.id, linear.swap, linear.linear, linear.settle], ["BTCUSDT", true, true, "USDT"]);
  assert.equal(linear.contractSize, 1);
  assert.ok((linear.limits.amount?.min as number) > 0);
  assert.ok((linear.limits.leverage?.max as number) >= 20);
  const inverse = trader.market(INVERSE);
  assert.deepEqual([inverse.id, inverse.inverse, inverse.settle], ["BTCUSD", true, "BTC"]);
});

test("ccxt reads leverage tiers", async () => {
  const tiers = (await trader.fetchLeverageTiers([LINEAR]))[LINEAR] ?? [];
  const [first, second] = tiers;
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(second.minNotional, first.maxNotional);
  assert.ok((first.maxLeverage as number) > (second.maxLeverage as number));
  assert.ok((first.maintenanceMarginRate as number) < (second.maintenanceMarginRate as number));
});

test("ccxt sets leverage and margin mode, trades, and finds the position, its deals and its margin", async () => {
  await trader.setMarginMode("isolated", LINEAR, { leverage: 10 });
  await trader.setLeverage(20, LINEAR, { marginMode: "isolated" });
  const order = await trader.createOrder(LINEAR, "limit", "buy", 0.1, 60_000);
  assert.deepEqual([order.filled, order.remaining, order.cost], [0.1, 0, 6_000]);
  assert.equal((await trader.fetchOrder(order.id as string, LINEAR)).filled, 0.1);

  const position = await trader.fetchPosition(LINEAR);
  assert.deepEqual(
    [position.symbol, position.side, position.contracts, position.entryPrice, position.leverage, position.marginMode],
    [LINEAR, "long", 0.1, 60_000, 20, "isolated"],
  );
  assert.equal((await trader.fetchPositions([LINEAR])).length, 1);

  const [deal] = await trader.fetchMyTrades(LINEAR);
  assert.deepEqual([deal?.order, deal?.price, deal?.amount, deal?.takerOrMaker], [order.id, 60_000, 0.1, "taker"]);
  assert.equal(deal?.fee?.currency, "USDT");

  const added = await trader.addMargin(LINEAR, 50);
  assert.equal(added.amount, 50);
  await trader.reduceMargin(LINEAR, 20);
  const changes = await trader.fetchMarginAdjustmentHistory(LINEAR, undefined, undefined, undefined, {
    positionId: Number(position.id),
  });
  assert.deepEqual(changes.map(({ amount }) => amount).sort(), [20, 50]);
});

test("every type of order is placed, found, edited and cancelled", async () => {
  const resting = await trader.createOrder(LINEAR, "limit", "buy", 0.01, 58_000);
  assert.equal(resting.filled, 0);
  const edited = await trader.editOrder(resting.id as string, LINEAR, "limit", "buy", 0.02, 58_001);
  assert.equal(edited.id, resting.id);
  const open = await trader.fetchOpenOrders(LINEAR);
  assert.deepEqual(
    open.map(({ id, amount, price }) => [id, amount, price]),
    [[resting.id, 0.02, 58_001]],
  );
  await trader.cancelOrder(resting.id as string, LINEAR);

  await assert.rejects(
    trader.createOrder(LINEAR, "limit", "buy", 0.01, 60_000, { postOnly: true }),
    (error: Error) => error instanceof ccxt.InvalidOrder,
  );
  const ioc = await trader.createOrder(LINEAR, "limit", "buy", 0.01, 60_000, { timeInForce: "IOC" });
  assert.equal(ioc.filled, 0.01);
  const fok = await trader.createOrder(LINEAR, "limit", "sell", 0.01, 59_900, { timeInForce: "FOK" });
  assert.equal(fok.filled, 0.01);
  const market = await trader.createOrder(LINEAR, "market", "buy", 0.01);
  assert.deepEqual([market.filled, market.cost], [0.01, 600]);
  const batch = await trader.createOrders([
    { symbol: LINEAR, type: "limit", side: "buy", amount: 0.01, price: 58_000 },
    { symbol: LINEAR, type: "limit", side: "buy", amount: 0.01, price: 58_100 },
  ]);
  assert.ok(batch.every(({ id }) => id !== undefined));
  await trader.cancelAllOrders(LINEAR);
  assert.deepEqual(await trader.fetchOpenOrders(LINEAR), []);

  const stop = await trader.createOrder(LINEAR, "limit", "buy", 0.01, 58_000, { triggerPrice: 57_000 });
  const waiting = await trader.fetchOpenOrders(LINEAR, undefined, undefined, { trigger: true });
  assert.deepEqual(
    waiting.map(({ id, triggerPrice }) => [id, triggerPrice]),
    [[stop.id, 57_000]],
  );
  await trader.cancelOrder(stop.id as string, LINEAR, { trigger: true });
  assert.ok((await trader.fetchClosedOrders(LINEAR)).length >= 4);
});

test("a reduce-only order only reduces, closing closes, and the position is found among those that ended", async () => {
  const reduced = await trader.createOrder(LINEAR, "limit", "sell", 0.01, 59_900, { reduceOnly: true });
  assert.equal(reduced.filled, 0.01);
  const before = await trader.fetchPosition(LINEAR);
  assert.equal(before.contracts, 0.1);
  const closed = await trader.closePosition(LINEAR, undefined, { type: "market" });
  assert.equal(closed.filled, 0.1);
  assert.deepEqual(await trader.fetchPositions([LINEAR]), []);
  const [ended] = await trader.fetchPositionHistory(LINEAR);
  assert.deepEqual([ended?.symbol, ended?.side, ended?.marginMode], [LINEAR, "long", "isolated"]);
  assert.ok((ended?.realizedPnl as number) < 0);
});

test("ccxt reads tickers, books, candles, funding rates and their history", async () => {
  const ticker = await trader.fetchTicker(LINEAR);
  assert.deepEqual([ticker.last, ticker.markPrice, ticker.indexPrice], [59_900, 60_000, 60_000]);
  assert.deepEqual((await trader.fetchOrderBook(LINEAR, 10)).asks[0]?.[0], 60_000);
  assert.ok((await trader.fetchOHLCV(LINEAR, "1m")).length > 0);
  const rate = await trader.fetchFundingRate(LINEAR);
  assert.equal(rate.interval, "8h");
  assert.equal(rate.markPrice, 60_000);
  assert.ok((rate.nextFundingTimestamp ?? 0) > 0 || (rate.fundingTimestamp ?? 0) > 0);
  assert.ok(LINEAR in (await trader.fetchFundingRates([LINEAR])));
  assert.ok(Array.isArray(await trader.fetchFundingRateHistory(LINEAR)));
  assert.ok(Array.isArray(await trader.fetchFundingHistory(LINEAR)));
});

test("ccxt moves money between the accounts, and reads the balance of swaps and the transfers", async () => {
  const before = await trader.fetchBalance({ type: "swap" });
  await trader.transfer("USDT", 1_000, "swap", "spot");
  const after = await trader.fetchBalance({ type: "swap" });
  assert.equal(Math.round((before.USDT?.free as number) - (after.USDT?.free as number)), 1_000);
  const transfers = await trader.fetchTransfers("USDT", undefined, undefined, { transfer_type: "FUTURES" });
  assert.deepEqual(transfers.map(({ amount, status }) => [amount, status]).sort(), [
    [1_000, "ok"],
    [500_000, "ok"],
  ]);
});
