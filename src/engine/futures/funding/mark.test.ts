import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, rareEvents } from "../../../../test/support/futures-venue.ts";

test("a minute that ends has a premium, and the mark leans by the mean over the minutes of an interval", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000" });
  venue.rest(maker, "buy 1 @ 30030.00");
  venue.rest(maker, "sell 1 @ 30090.00");
  assert.deepEqual(rareEvents(venue.wait(58_000), "premium_sampled"), []);

  const done = venue.wait(1_000);

  const [sample] = rareEvents(done, "premium_sampled");
  assert.deepEqual([sample?.minuteMs, sample?.premiumE8, sample?.markPremiumE8], [0, 200_000, 100_000]);
  // 0.1 % for one minute of 480 moves the mark by 6 ticks.
  assert.equal(venue.mark(), "30000.06");
  venue.index("30000");
  assert.deepEqual(rareEvents(venue.wait(30_000), "premium_sampled"), []);
  venue.index("30060");
  assert.equal(venue.mark(), "30060.06");
  venue.assertRepeatable();
});

test("in the first version of the rules the mean was over the samples that there were", () => {
  const venue = new FuturesVenue(undefined, 1);
  const maker = venue.addTrader("maker", { USDT: "100000" });
  venue.rest(maker, "buy 1 @ 30030.00");
  venue.wait(59_000);
  assert.equal(venue.mark(), "30030.00");
  venue.assertRepeatable();
});

test("the mark stays within half of the least maintenance rate around the index, whatever the book says for however long", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000" });
  venue.rest(maker, "buy 0.2 @ 32900.00");
  for (let minute = 0; minute < 480; minute++) {
    venue.index("30000");
    venue.wait(60_000);
  }
  assert.equal(venue.mark(), "30075.00");
  venue.assertRepeatable();
});

test("an operator narrows or widens the band up to the least maintenance rate", () => {
  const venue = new FuturesVenue();
  const band = (markBand: string) =>
    venue.execute({ kind: "change_market", market: "BTCUSDT", marketType: "FUTURES", markBand });
  assert.match(band("0.0051").detail ?? "", /mark_band must not exceed the least maintenance margin rate/);
  assert.equal(band("0").refusal, undefined);
  const maker = venue.addTrader("maker", { USDT: "100000" });
  venue.rest(maker, "buy 0.2 @ 32900.00");
  venue.wait(58_000);
  venue.wait(1_000);
  assert.equal(venue.mark(), "30000.00");
  venue.assertRepeatable();
});

test("an index without a source is stale and stays, whatever is traded, and is fresh with two updates five seconds apart", () => {
  const venue = new FuturesVenue();
  assert.deepEqual(
    rareEvents(venue.wait(60_001), "index_stale").map(({ isStale }) => isStale),
    [true, true],
  );
  assert.deepEqual(rareEvents(venue.wait(61_000), "index_stale"), []);
  venue.listMarket("BTC", "USDT");
  const [buyer, seller] = [venue.addUser("b", { USDT: "100000" }), venue.addUser("s", { BTC: "1" })];
  venue.put(seller, "sell 1 @ 31000.00");
  venue.put(buyer, "buy 1 @ 31000.00");
  venue.wait(5_000);
  assert.equal(venue.mark(), "30000.00");

  const first = venue.index("30500");
  assert.deepEqual(rareEvents(first, "index_price").length, 1);
  assert.deepEqual(rareEvents(first, "index_stale"), []);
  assert.equal(venue.mark(), "30000.00");
  venue.timeMs += 4_999;
  venue.index("30600");
  assert.equal(venue.mark(), "30000.00");
  venue.timeMs += 1;
  const back = venue.index("30700");
  assert.deepEqual(
    rareEvents(back, "index_stale").map(({ marketId, isStale }) => [marketId, isStale]),
    [[0, false]],
  );
  assert.equal(venue.mark(), "30700.00");
  venue.assertRepeatable();
});

test("an update that comes alone brings no index back: a minute later the count begins anew", () => {
  const venue = new FuturesVenue();
  venue.wait(70_000);
  venue.index("30500");
  venue.wait(60_001);
  venue.index("30500");
  assert.equal(venue.mark(), "30000.00");
  venue.timeMs += 5_000;
  venue.index("30500");
  assert.equal(venue.mark(), "30500.00");
});

test("the first command after a standstill finds the index stale, whichever it is", () => {
  const venue = new FuturesVenue();
  const trader = venue.addTrader("trader", { USDT: "1000" });
  venue.timeMs += 3_600_000;
  assert.equal(venue.trade(trader, "buy 0.01 @ 30000.00").refusal, "index_stale");
  venue.timeMs += 1;
  venue.index("45000");
  assert.equal(venue.mark(), "30000.00");
  venue.assertRepeatable();
});
