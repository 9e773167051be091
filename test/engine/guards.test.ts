/** Guards of which no other test noticed the lack: see test/simulation/adversary/guards.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { takeoverPrice } from "../../src/engine/futures/liquidation/takeover-price.ts";
import { FuturesVenue } from "../support/futures-venue.ts";
import { PoolVenue } from "../support/pool-venue.ts";

test("the larger side of what a user holds and may come to hold decides the level of his position", () => {
  const venue = new FuturesVenue();
  const user = venue.addTrader("user", { USDT: "1000000" });
  venue.setLeverage(user, 100);
  venue.rest(user, "buy 6 @ 29000.00");
  // Up to 10 coins the leverage may be 100.
  assert.equal(venue.trade(user, "buy 4.000001 @ 29000.00").refusal, "leverage_above_level");
  assert.equal(venue.trade(user, "buy 4 @ 29000.00").refusal, undefined);
  assert.equal(venue.trade(user, "sell 10.000001 @ 31000.00").refusal, "leverage_above_level");
  // A position of 12 coins may not come to a leverage of 100 later either.
  const [long, short] = ["long", "short"].map((name) => venue.addTrader(name, { USDT: "1000000" })) as [number, number];
  for (const each of [long, short]) venue.setLeverage(each, 20);
  venue.rest(short, "sell 12 @ 30000.00");
  venue.rest(long, "buy 12 @ 30000.00");
  assert.equal(venue.setLeverage(long, 100).refusal, "leverage_above_level");
});

test("an order freezes its margin and its fee, each rounded up", () => {
  const venue = new FuturesVenue();
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.setLeverage(user, 10);
  venue.rest(user, "buy 0.000101 @ 29000.01");
  const { accounts } = venue.state.futures;
  // A value of 292900101 units: a tenth of it is 29290010.1, and 0.05 % 146450.05.
  assert.equal(accounts.frozen(accounts.find(user, venue.assetNamed("USDT").id)), 29_290_011n + 146_451n);
});

test("a reduction in a user's name goes to the last tick that its equity bears, and not one beyond", () => {
  const venue = new FuturesVenue();
  const market = venue.futuresNamed("BTCUSDT");
  const lots = 3n;
  // 3 lots at 30000.00 are worth 9000000 units; an equity of 10 leaves 8999990, which are 2999996.67 ticks a lot.
  assert.equal(takeoverPrice(market, false, lots, 3_000_000n, 10n), 2_999_997n);
  assert.equal(takeoverPrice(market, true, lots, 3_000_000n, 10n), 3_000_003n);
});

test("a pool keeps its liquidity in the second phase of an auction, and does not change under maintenance", () => {
  const venue = new PoolVenue();
  const provider = venue.addProvider();
  const day = 86_400_000;
  const window = { startedAt: day + 1_000, endedAt: day + 2_000, protectDurationStart: 0, protectDurationEnd: 0 };
  const scope = ["SPOT"] as const;
  venue.accept({ kind: "plan_maintenance", scope, ...window, announceUrl: "", announceEnabled: false });
  venue.timeMs = day + 1_500;
  assert.equal(venue.add(provider, "1", "1").refusal, "maintenance");
  assert.equal(venue.remove(provider).refusal, "maintenance");
  venue.timeMs = day + 2_000;
  venue.changeMarket("DSCUSDT", { interruption: { move: "0.01", windowMs: 60_000, auctionMs: 200_000 } });
  const user = venue.addUser("user", { USDT: "100000" });
  venue.place(user, "buy 100 @ 0.0766", "DSCUSDT");
  venue.place(user, "buy 100000 @ 0.09", "DSCUSDT");
  assert.equal(venue.marketNamed("DSCUSDT").status, "bidding");
  venue.changeMarket("DSCUSDT", { noCancelAt: venue.timeMs + 1_000 });
  venue.wait(1_000);
  assert.equal(venue.remove(provider).refusal, "auction_locked");
});
