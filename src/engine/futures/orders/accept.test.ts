import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue, LINEAR } from "../../../../test/support/futures-venue.ts";

/** A venue in which 1 BTC is asked at 30000 and bid at 29900, and a user has 1000 USDT. */
function bookVenue(): { venue: FuturesVenue; maker: number; user: number } {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "10000000" });
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.rest(maker, "sell 1 @ 30000.00");
  venue.rest(maker, "buy 1 @ 29900.00");
  return { venue, maker, user };
}

describe("an order in a futures market is refused", () => {
  for (const [text, refusal] of [
    ["buy 0.0001 @ 30000.00", undefined],
    ["buy 0.00009 @ 30000.00", "amount_too_small"],
    ["buy 10.1 @ 30000.00", "leverage_above_level"],
    ["buy 100 @ 33000.01", "price_outside_index"],
    ["sell 0.1 @ 26999.99", "price_outside_index"],
    ["sell 0.1 @ 27000.00", undefined],
    ["buy 0.1 @ 33000.00 maker_only", "would_take"],
    ["buy 1.5 @ 30000.00 fok", "not_fillable"],
    ["buy 101 @ 29000.00", "amount_too_large"],
    ["buy 0.4 @ 29000.00", "insufficient_balance"],
  ] as const) {
    test(`${text}: ${refusal ?? "taken"}`, () => {
      const { venue, user } = bookVenue();
      if (refusal === "leverage_above_level") venue.setLeverage(user, 100);
      // Big orders fail for what they are, not for want of money.
      if (/ 1.5 | 10.1 /.test(text)) venue.deposit(user, "USDT", "5000000");
      if (/ 1.5 | 10.1 /.test(text)) venue.transfer(user, "SPOT", "FUTURES", "USDT", "5000000");
      assert.equal(venue.trade(user, text).refusal, refusal);
    });
  }

  test("off the market's tick, of another account, or before there is a mark", () => {
    const { venue, user } = bookVenue();
    venue.changeMarket("BTCUSDT", { marketType: "FUTURES", tickSize: "0.5" });
    assert.equal(venue.trade(user, "buy 0.01 @ 29000.20").refusal, "price_off_grid");
    assert.equal(venue.trade(user, "buy 0.01 @ 29000.50").refusal, undefined);
    const { id: marketId } = venue.futuresNamed("BTCUSDT");
    const order = venue.log.findLast(({ command }) => command.kind === "place_order")?.command;
    assert.ok(order?.kind === "place_order");
    assert.equal(venue.execute({ ...order, marketId, account: "spot" }).refusal, "market_not_found");
    venue.accept({ ...LINEAR, market: "BTCNEW" });
    assert.equal(venue.trade(user, "buy 0.01 @ 29000.00", "BTCNEW").refusal, "no_mark_price");
  });

  test("at market when the best price of the other side is more than a tenth from the mark", () => {
    const { venue, user } = bookVenue();
    venue.index("27000");
    assert.equal(venue.trade(user, "buy 0.01").refusal, "buy_far_from_mark");
    venue.index("27273");
    assert.equal(venue.trade(user, "buy 0.01").refusal, undefined);
    venue.index("33300");
    assert.equal(venue.trade(user, "sell 0.01").refusal, "sell_far_from_mark");
  });
});

describe("what an order freezes", () => {
  test("is margin and taker fee at its limit; a sell below the mark freezes at the mark", () => {
    const { venue, user } = bookVenue();
    venue.rest(user, "buy 0.1 @ 29000.00");
    assert.equal(venue.frozen(user), "291.45000000");
    const sell = venue.rest(user, "sell 0.1 @ 29950.00");
    assert.equal(venue.frozen(user), "592.95000000");
    venue.drop(user, sell.orderId);
    assert.equal(venue.frozen(user), "291.45000000");
  });

  test("follows the leverage, the amount and the price", () => {
    const { venue, user } = bookVenue();
    assert.equal(venue.setLeverage(user, 20).refusal, undefined);
    const { orderId } = venue.rest(user, "buy 0.1 @ 29000.00");
    assert.equal(venue.frozen(user), "146.45000000");
    assert.equal(venue.setLeverage(user, 50).refusal, "futures_in_use");
    venue.change(user, orderId, "price 28000.00 amount 0.2");
    assert.equal(venue.frozen(user), "282.80000000");
  });

  test("at market is what the book makes of it, not the bound that it may reach", () => {
    const { venue, maker, user } = bookVenue();
    venue.setLeverage(user, 50);
    // 0.9 BTC at 30000 need 540 of margin and 13.5 of fees; at the bound of 33000 they would lose 2700.
    assert.equal(venue.trade(user, "buy 0.9").refusal, undefined);
    venue.rest(maker, "sell 1 @ 32000.00");
    assert.equal(venue.trade(user, "buy 0.2").refusal, "insufficient_balance", "which would lose 200 at once");
  });

  test("of an isolated order leaves what it would lose at once within its own margin", () => {
    const { venue, maker, user } = bookVenue();
    venue.setLeverage(user, 20, "isolated");
    venue.rest(maker, "sell 1 @ 31500.00");
    venue.rest(user, "buy 0.2 @ 30000.00");
    venue.rest(maker, "buy 0.8 @ 30000.00");
    assert.equal(venue.trade(user, "buy 0.1 @ 31500.00").refusal, "insufficient_balance");
    assert.equal(venue.trade(user, "buy 0.1 @ 31000.00").refusal, undefined);
  });
});

describe("an order that is changed to a worse price", () => {
  for (const [first, meets, change] of [
    ["sell 1 @ 32900.00", "buy 1 @ 27000.00", "price 27000.00"],
    ["buy 1 @ 30000.00", "sell 0.9 @ 33000.00", "price 33000.00 amount 0.9"],
  ] as const) {
    test(`is asked for what it loses at once, though it freezes less: ${first}, ${change}`, () => {
      const venue = new FuturesVenue();
      const other = venue.addTrader("other", { USDT: "1000000" });
      const user = venue.addTrader("user", { USDT: "400" });
      venue.setLeverage(user, 100);
      const { orderId } = venue.rest(user, first);
      venue.rest(other, meets);
      assert.equal(venue.change(user, orderId, change).refusal, "insufficient_balance");
      assert.equal(venue.position(user), "none");
      venue.assertRepeatable();
    });
  }

  test("or to a better one, or a smaller amount, needs no funds when it freezes no more", () => {
    const venue = new FuturesVenue();
    const user = venue.addTrader("user", { USDT: "480" });
    const other = venue.addTrader("other", { USDT: "1000000" });
    venue.setLeverage(user, 100);
    venue.rest(user, "buy 0.5 @ 30000.00");
    venue.rest(other, "sell 0.5 @ 30000.00");
    const { orderId } = venue.rest(user, "buy 1 @ 30000.00");
    venue.index("29900");
    assert.equal(venue.change(user, orderId, "amount 0.9").refusal, undefined);
    assert.equal(venue.change(user, orderId, "price 29950.00").refusal, undefined);
    assert.equal(venue.change(user, orderId, "price 29950.01").refusal, "insufficient_balance");
    venue.assertRepeatable();
  });
});

test("what is left of an order may be less than the least amount when it is changed", () => {
  const { venue, maker, user } = bookVenue();
  const { orderId } = venue.rest(user, "buy 0.01 @ 29950.00");
  venue.rest(maker, "sell 0.00995 @ 29950.00");
  assert.equal(venue.change(user, orderId, "price 29940.00").refusal, undefined);
  assert.equal(venue.change(user, orderId, "amount 0.00996").refusal, undefined);
  assert.equal(venue.change(user, orderId, "amount 0.00995").refusal, "amount_below_filled");
  assert.equal(venue.change(user, orderId, "amount 101").refusal, "amount_too_large");
  venue.assertRepeatable();
});

test("a close may not cost more than the equity of an isolated position, whatever is free besides", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "20000" });
  venue.setLeverage(user, 50, "isolated");
  venue.rest(user, "sell 1.4 @ 29700.00");
  venue.rest(other, "buy 1.4 @ 29700.00");
  venue.rest(other, "sell 0.2 @ 33000.00");
  // 831.6 of margin less 420 of loss; 0.2 at 33000 lose 600.
  assert.equal(venue.close(user, "limit 33000.00 0.2").refusal, "insufficient_balance");
  assert.equal(venue.close(user, "limit 33000.00").refusal, "insufficient_balance");
  assert.match(venue.position(user, true), /^short 1.4 /);
  venue.assertRepeatable();
});

test("of a profit on paper only what is closed pays for the close of a part", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.setLeverage(user, 50, "isolated");
  venue.rest(other, "sell 1 @ 29500.00");
  venue.rest(user, "buy 1 @ 29500.00");
  venue.rest(other, "buy 1 @ 27000.00");
  // 590 of margin and 500 of profit, of which 150 are closed: 0.3 at 27000 lose 900.
  assert.equal(venue.close(user, "limit 27000.00 0.3").refusal, "insufficient_balance");
  assert.equal(venue.close(user, "limit 27000.00 0.2").refusal, undefined);
  assert.match(venue.position(user), /^long 0.8 worth 23600.00000000 margin 87.3/);
  venue.assertRepeatable();
});

test("a close at market that would cost more than stands behind the position goes as far as that pays for", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "315" });
  venue.setLeverage(user, 100, "isolated");
  venue.rest(other, "sell 1 @ 30000.00");
  venue.rest(user, "buy 1 @ 30000.00");
  venue.rest(other, "buy 0.3 @ 29890.00");
  venue.rest(other, "buy 0.3 @ 29700.00");
  venue.rest(other, "buy 5 @ 29699.99");
  venue.exit(user, "stop_loss 29900 mark");
  // 200 are left of 300, which is what 1 BTC loses from 29900 to 29700.
  const done = venue.index("29900");
  assert.deepEqual(
    done.deals.map((deal) => venue.dealText(deal)),
    ["0.3 @ 29890.00", "0.3 @ 29700.00"],
  );
  assert.equal(venue.fund(), "0.00000000");
  venue.assertRepeatable();
});

test("an order that closes and opens at a loss is asked for both together", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "1000000" });
  // Each half loses 3000; what is opened freezes 300 of margin and a fee of 15, what is closed has a margin of 300.
  const [poor, rich] = [3630, 6030].map((cash) => venue.addTrader(`with ${cash}`, { USDT: String(cash) }));
  for (const user of [poor, rich] as number[]) {
    venue.setLeverage(user, 100);
    venue.rest(other, "sell 1 @ 30000.00");
    venue.rest(user, "buy 1 @ 30000.00");
  }
  venue.rest(other, "buy 2 @ 27000.00");
  assert.equal(venue.trade(poor as number, "sell 2 @ 27000.00").refusal, "insufficient_balance");
  assert.equal(venue.trade(rich as number, "sell 2 @ 27000.00").refusal, undefined);
  venue.assertRepeatable();
});

test("an order that turns a small isolated position into a large one brings the margin of what it opens", () => {
  const venue = new FuturesVenue();
  const other = venue.addTrader("other", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: "5000" });
  venue.setLeverage(user, 10, "isolated");
  venue.rest(other, "buy 0.01 @ 30000.00");
  venue.rest(user, "sell 0.01 @ 30000.00");
  venue.rest(other, "sell 1 @ 30010.00");
  assert.equal(venue.trade(user, "buy 1 @ 30010.00").refusal, undefined);
  assert.match(venue.position(user), /^long 0.99 /);
  venue.assertRepeatable();
});

test("nobody can fill a market up with orders that hardly cost anything", () => {
  const venue = new FuturesVenue();
  const many = Array.from({ length: 12 }, (_, at) => venue.addTrader(`sleeper ${at}`, { USDT: "1000" }));
  venue.accept({ ...LINEAR, market: "ETHUSDT", maxPrice: "300000" });
  venue.index("30000", "ETHUSDT");
  const { maxPrice, futures } = venue.futuresNamed("ETHUSDT");
  assert.ok(futures);
  const room = (2n ** 63n - 1n) / (maxPrice * futures.unit);
  venue.changeMarket("ETHUSDT", {
    marketType: "FUTURES",
    maxAmount: "150000",
    levels: [{ amount: "150000", leverage: 100, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" }],
  });
  assert.ok(room < BigInt(many.length) * 150_000_000_000n, "so many orders are more than all positions may hold");
  for (const user of many) venue.rest(user, "buy 150000 @ 0.01", "ETHUSDT");
  const other = venue.addTrader("other", { USDT: "1000000" });
  assert.equal(venue.trade(other, "buy 1 @ 30000.00", "ETHUSDT").refusal, undefined);
});

test("stop orders of a futures market wait and fire there, for its account", () => {
  const { venue, user } = bookVenue();
  venue.trade(user, "buy 0.01 @ 30000.00");
  const { id: marketId } = venue.futuresNamed("BTCUSDT");
  const stop = { userId: user, marketId, side: "sell", type: "limit", amountIn: "base", amount: 10_000n } as const;
  const rest = { price: 2_990_000n, trigger: 2_995_000n, hidden: false, stpMode: "none", clientId: "" } as const;
  assert.equal(
    venue.execute({ kind: "place_stop_order", account: "spot", ...stop, ...rest }).refusal,
    "market_not_found",
  );
  venue.accept({ kind: "place_stop_order", account: "futures", ...stop, ...rest });
  assert.match(venue.position(user), /^long 0.01 /);
  const done = venue.trade(user, "sell 0.001 @ 29900.00");
  assert.ok(done.events.some((event) => event.kind === "stop" && event.event === "active_success"));
  assert.match(venue.position(user, true), /^short 0.001 /);
  venue.assertRepeatable();
});

test("a first order needs all that it freezes, its fee included, to the last unit", () => {
  const { venue, user } = bookVenue();
  const order = "buy 0.01 @ 29000.00";
  venue.trade(user, order);
  const frozen = venue.frozen(user);
  const unit = 10 ** -8;
  const short = venue.addTrader("short", { USDT: (Number(frozen) - unit).toFixed(8) });
  const exact = venue.addTrader("exact", { USDT: frozen });
  assert.equal(venue.trade(short, order).refusal, "insufficient_balance");
  assert.equal(venue.trade(exact, order).refusal, undefined);
  assert.equal(venue.frozen(exact), frozen);
});
