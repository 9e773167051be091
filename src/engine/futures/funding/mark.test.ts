import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue, happenings } from "../../../../test/support/futures-venue.ts";

test("once a minute the book is sampled, and the mark leans by the mean of the samples", () => {
  const venue = new FuturesVenue();
  const maker = venue.addTrader("maker", { USDT: "100000" });
  venue.rest(maker, "buy 1 @ 30030.00");
  venue.rest(maker, "sell 1 @ 30090.00");
  assert.deepEqual(happenings(venue.wait(58_000), "premium_sampled"), []);

  const done = venue.wait(1_000);

  const [sample] = happenings(done, "premium_sampled");
  assert.deepEqual([sample?.minuteMs, sample?.premiumE8, sample?.markPremiumE8], [60_000, 200_000, 100_000]);
  assert.deepEqual([sample?.latestRateE8, sample?.nextRateE8], [170_000, 170_000]);
  assert.equal(venue.mark(), "30030.00");
  assert.deepEqual(happenings(venue.wait(30_000), "premium_sampled"), []);
  venue.index("30060");
  assert.equal(venue.mark(), "30090.06");
  venue.assertRepeatable();
});

test("an index without a source is told once, falls back to the spot market, and comes back with a price", () => {
  const venue = new FuturesVenue();
  assert.deepEqual(
    happenings(venue.wait(61_000), "index_stale").map(({ isStale }) => isStale),
    [true, true],
  );
  assert.deepEqual(happenings(venue.wait(61_000), "index_stale"), []);
  venue.listMarket("BTC", "USDT");
  const [buyer, seller] = [venue.addUser("b", { USDT: "100000" }), venue.addUser("s", { BTC: "1" })];
  venue.put(seller, "sell 1 @ 31000.00");
  venue.put(buyer, "buy 1 @ 31000.00");

  const back = venue.wait(5_000);

  assert.deepEqual(
    happenings(back, "index_stale").map(({ marketId, isStale }) => [marketId, isStale]),
    [[0, false]],
  );
  assert.equal(venue.mark(), "31000.00");
  venue.assertRepeatable();
});
