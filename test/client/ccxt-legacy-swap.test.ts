/** ccxt 4.2.38, unmodified, on the futures paths of the legacy generation, with the swaps of the dev profile. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { VenueProcess } from "../support/venue-process.ts";
import { isError, isPlanned, type OldExchange, oldExchange, type Transfer } from "./old-ccxt.ts";

const LINEAR = "BTC/USDT:USDT";
const INVERSE = "BTC/USD:BTC";
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-legacy-swap-"));
let venue: VenueProcess;
let trader: OldExchange;
let other: OldExchange;

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  const funds = { BTC: "10", USDT: "1000000" };
  const swaps = { defaultType: "swap" };
  trader = oldExchange(venue, (await venue.trader("old-swap-trader", funds)).key, swaps);
  other = oldExchange(venue, (await venue.trader("old-swap-other", funds)).key, swaps);
  for (const market of ["BTCUSDT", "BTCUSD"]) {
    const sources = [{ exchange: "test", price: "60000" }];
    await venue.admin("/admin/index-prices", { market, market_type: "FUTURES", sources });
  }
  for (const client of [trader, other]) {
    await client.loadMarkets();
    await client.transfer("USDT", 500_000, "spot", "swap");
    await client.transfer("BTC", 5, "spot", "swap");
  }
  await other.createOrder(LINEAR, "limit", "sell", 1, 60_000);
  await other.createOrder(LINEAR, "limit", "buy", 1, 59_900);
});

after(async () => {
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

/** Whether a time in ms is that of this test. */
function isNow(ms: number | undefined): boolean {
  return Math.abs((ms ?? 0) - Date.now()) < 600_000;
}

test("it knows linear and inverse swaps with what they are settled in, and their tiers", async () => {
  const [linear, inverse] = [trader.market(LINEAR), trader.market(INVERSE)];
  assert.deepEqual([linear.id, linear.linear, linear.settle], ["BTCUSDT", true, "USDT"]);
  assert.deepEqual([inverse.id, inverse.inverse, inverse.settle], ["BTCUSD", true, "BTC"]);
  assert.ok((linear.limits.leverage?.min as number) >= 1 && (linear.limits.leverage?.max as number) <= 100);
  const tiers = (await trader.fetchLeverageTiers()) as Record<string, { maxNotional: number; maxLeverage: number }[]>;
  const [first, second] = Object.values(tiers)[0] ?? [];
  assert.ok((first?.maxLeverage as number) > (second?.maxLeverage as number));
  assert.ok((first?.maxNotional as number) < (second?.maxNotional as number));
});

test("it reads book, ticker, deals, candles and funding rates", async () => {
  const book = await trader.fetchOrderBook(LINEAR, 10);
  assert.deepEqual(
    [book.asks[0], book.bids[0]],
    [
      [60_000, 1],
      [59_900, 1],
    ],
  );
  assert.ok(isNow(book.timestamp));
  await trader.createOrder(LINEAR, "market", "buy", 0.01);
  const ticker = await trader.fetchTicker(LINEAR);
  assert.deepEqual([ticker.last, ticker.bid, ticker.ask, ticker.baseVolume], [60_000, 59_900, 60_000, 0.01]);
  assert.ok(isNow(ticker.timestamp));
  assert.equal((await trader.fetchTickers())[LINEAR]?.last, 60_000);
  const [deal] = await trader.fetchTrades(LINEAR);
  assert.deepEqual([deal?.price, deal?.amount, deal?.side], [60_000, 0.01, "buy"]);
  assert.ok(isNow(deal?.timestamp));
  const [from, ...candle] = (await trader.fetchOHLCV(LINEAR, "1m")).at(-1) ?? [];
  assert.deepEqual(candle, [60_000, 60_000, 60_000, 60_000, 0.01]);
  assert.ok(isNow(from) && (from as number) % 60_000 === 0);
  const rate = await trader.fetchFundingRate(LINEAR);
  assert.deepEqual([rate.symbol, rate.markPrice, rate.indexPrice], [LINEAR, 60_000, 60_000]);
  const inMs = (rate.fundingTimestamp as number) - Date.now();
  assert.ok(
    inMs > -3_600_000 && inMs <= 8 * 3_600_000 + 3_600_000 && (rate.fundingTimestamp as number) % 3_600_000 === 0,
  );
  const rates = (await trader.fetchFundingRates()) as unknown as { symbol: string }[];
  assert.ok(Object.values(rates).some(({ symbol }) => symbol === LINEAR));
  assert.ok(Array.isArray(await trader.fetchFundingRateHistory(LINEAR)));
  assert.ok(Array.isArray(await trader.fetchFundingHistory(LINEAR)));
  await trader.createOrder(LINEAR, "market", "sell", 0.01);
});

test("leverage and margin mode are set, margin is added and taken out", async () => {
  const set = (await trader.setLeverage(10, LINEAR, { marginMode: "isolated" })) as { data: unknown };
  assert.deepEqual(set.data, { position_type: "1", leverage: "10" });
  const bought = await trader.createOrder(LINEAR, "limit", "buy", 0.1, 60_000);
  assert.deepEqual(
    [bought.symbol, bought.type, bought.side, bought.price, bought.amount, bought.remaining],
    [LINEAR, "limit", "buy", 60_000, 0.1, 0],
  );
  const position = await trader.fetchPosition(LINEAR);
  assert.deepEqual(
    [position.symbol, position.side, position.contracts, position.entryPrice, position.leverage, position.marginMode],
    [LINEAR, "long", 0.1, 60_000, 10, "isolated"],
  );
  assert.deepEqual([position.notional, position.initialMargin, position.collateral], [6_000, 600, 600]);
  assert.equal(position.unrealizedPnl, 0);
  assert.ok((position.liquidationPrice as number) > 54_000 && (position.liquidationPrice as number) < 55_000);
  assert.ok(isNow(position.timestamp));
  const added = await trader.addMargin(LINEAR, 50);
  assert.deepEqual([added.type, added.status], ["add", "Ok"]);
  assert.equal((await trader.fetchPosition(LINEAR)).collateral, 650);
  await trader.reduceMargin(LINEAR, 50);
  assert.equal((await trader.fetchPosition(LINEAR)).collateral, 600);
  await trader.setMarginMode("isolated", LINEAR, { leverage: 20 });
  assert.equal((await trader.fetchPositions([LINEAR]))[0]?.leverage, 20);
});

test("orders are placed, found and cancelled in every way", async () => {
  const resting = await trader.createOrder(LINEAR, "limit", "buy", 0.02, 58_000, { clientOrderId: "swap-1" });
  const [open] = await trader.fetchOpenOrders(LINEAR);
  assert.deepEqual([open?.id, open?.clientOrderId, open?.remaining], [resting.id, "swap-1", 0.02]);
  assert.ok(isNow(open?.timestamp));
  const one = await trader.fetchOrder(resting.id, LINEAR);
  assert.deepEqual([one.status, one.price], ["open", 58_000]);
  assert.equal((await trader.cancelOrder(resting.id, LINEAR)).id, resting.id);
  await assert.rejects(trader.cancelOrder(resting.id, LINEAR), isError("OrderNotFound"));
  await assert.rejects(trader.fetchOrder(resting.id, LINEAR), isError("OrderNotFound"));
  await trader.createOrder(LINEAR, "limit", "buy", 0.02, 58_000, { clientOrderId: "swap-2" });
  await trader.cancelOrder("", LINEAR, { clientOrderId: "swap-2" });
  const two = [58_000, 58_100].map((price) => trader.createOrder(LINEAR, "limit", "buy", 0.02, price));
  const ids = (await Promise.all(two)).map(({ id }) => id);
  const cancelled = await trader.cancelOrders([...ids, "999999"] as never, LINEAR);
  assert.deepEqual(
    cancelled.map(({ id }: { id: string }) => id),
    [...ids, undefined],
  );
  await trader.createOrder(LINEAR, "limit", "buy", 0.02, 58_000);
  await trader.cancelAllOrders(LINEAR);
  assert.deepEqual(await trader.fetchOpenOrders(LINEAR), []);
  await assert.rejects(
    trader.createOrder(LINEAR, "limit", "buy", 0.01, 60_000, { postOnly: true }),
    isError("ExchangeError"),
  );
  const ioc = await trader.createOrder(LINEAR, "limit", "buy", 0.01, 60_000, { timeInForce: "IOC" });
  assert.equal(ioc.remaining, 0);
  const fok = await trader.createOrder(LINEAR, "limit", "sell", 0.01, 59_900, { timeInForce: "FOK" });
  assert.equal(fok.remaining, 0);
  const poor = oldExchange(venue, (await venue.trader("old-swap-poor", {})).key);
  await assert.rejects(poor.createOrder(LINEAR, "limit", "buy", 1, 60_000), isError("InsufficientFunds"));
  assert.ok((await trader.fetchClosedOrders(LINEAR)).length >= 4);
});

test("stop orders wait and are cancelled by id, by client id and all", async () => {
  const stop = (more = {}) =>
    trader.createOrder(LINEAR, "limit", "buy", 0.01, 58_000, { triggerPrice: 57_000, stop_type: 2, ...more });
  const waiting = () => trader.fetchOpenOrders(LINEAR, undefined, undefined, { stop: true });
  await stop();
  const [first] = await waiting();
  assert.deepEqual([first?.type, first?.side, first?.price, first?.triggerPrice], ["limit", "buy", 58_000, 57_000]);
  const fetched = await trader.fetchOrder(first?.id as string, LINEAR, { stop: true });
  assert.deepEqual([fetched.id, fetched.status], [first?.id, "open"]);
  assert.equal((await trader.cancelOrder(first?.id as string, LINEAR, { stop: true })).id, first?.id);
  await stop({ clientOrderId: "swap-stop" });
  await trader.cancelOrder("", LINEAR, { stop: true, clientOrderId: "swap-stop" });
  await stop();
  await trader.createOrder(LINEAR, "market", "sell", 0.01, undefined, { triggerPrice: 57_000 });
  assert.equal((await waiting()).length, 2);
  await trader.cancelAllOrders(LINEAR, { stop: true });
  assert.deepEqual(await waiting(), []);
});

test("a position is protected, reduced and closed", async () => {
  const { id } = await trader.fetchPosition(LINEAR);
  const of = { position_id: id };
  await trader.createOrder(LINEAR, "market", "sell", 0, undefined, { ...of, stopLossPrice: 55_000, stop_type: 2 });
  await trader.createOrder(LINEAR, "market", "sell", 0, undefined, { ...of, takeProfitPrice: 70_000, stop_type: 2 });
  const held = await trader.fetchPosition(LINEAR);
  assert.deepEqual([Number(held.stopLossPrice), Number(held.takeProfitPrice)], [55_000, 70_000]);
  const before = held.contracts as number;
  const reduced = await trader.createOrder(LINEAR, "limit", "sell", 0.01, 59_900, { reduceOnly: true, positionId: id });
  assert.equal(reduced.remaining, 0);
  const less = (await trader.fetchPosition(LINEAR)).contracts as number;
  assert.equal(Math.round((before - less) * 100), 1);
  await trader.createOrder(LINEAR, "market", "sell", less, undefined, { reduceOnly: true, positionId: id });
  assert.deepEqual(await trader.fetchPositions([LINEAR]), []);
});

test("it reads what swaps were dealt", { skip: isPlanned("GET /perpetual/v1/market/user_deals") }, async () => {
  // Its fetchMyTrades takes them for deals of the spot market of the same name, and drops them: the answer has no word
  // for the market's kind.
  const asked = { market: "BTCUSDT", side: 0, offset: 0, limit: 100 };
  const { data } = await trader.perpetualPrivateGetMarketUserDeals(asked);
  const first = data.records.find((deal: { amount: string }) => Number(deal.amount) === 0.1);
  const [TAKER, BUY] = [2, 2];
  assert.deepEqual([Number(first.side), Number(first.role), Number(first.price)], [BUY, TAKER, 60_000]);
  assert.ok(Number(first.deal_fee) > 0);
  assert.ok(isNow(Number(first.time) * 1_000));
});

test("balances and transfers of swaps", async () => {
  const before = await trader.fetchBalance();
  await trader.transfer("USDT", 1_000, "swap", "spot");
  const after = await trader.fetchBalance();
  assert.equal(Math.round((before["USDT"]?.free as number) - (after["USDT"]?.free as number)), 1_000);
  const outward = { transfer_type: "transfer_out" };
  const transfers: Transfer[] = await trader.fetchTransfers("USDT", undefined, undefined, outward);
  assert.deepEqual(
    transfers.map(({ amount, fromAccount, status }) => [amount, fromAccount, status]),
    [[1_000, "swap", undefined]],
  );
});

test("an inverse swap is bought and closed in coins", async () => {
  await other.createOrder(INVERSE, "limit", "sell", 1_000, 60_000);
  await other.createOrder(INVERSE, "limit", "buy", 1_000, 59_900);
  await trader.createOrder(INVERSE, "limit", "buy", 600, 60_000);
  const position = await trader.fetchPosition(INVERSE);
  assert.deepEqual(
    [position.symbol, position.side, position.contracts, position.entryPrice],
    [INVERSE, "long", 600, 60_000],
  );
  assert.equal(position.notional, 0.01);
  const closed = await trader.perpetualPrivatePostPositionMarketClose({ market: "BTCUSD", position_id: position.id });
  assert.equal(closed.data.left, "0");
  assert.deepEqual(await trader.fetchPositions([INVERSE]), []);
});
