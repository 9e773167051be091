import assert from "node:assert/strict";
import { test } from "node:test";
import { PoolVenue } from "../support/pool-venue.ts";

test("E6: a buy of 1500.00 takes three levels of the pool, and half of its fee is the providers'", () => {
  const venue = new PoolVenue();
  const provider = venue.addProvider();
  assert.equal(venue.pool.shares, 27_658_633_371_878n);
  assert.deepEqual(venue.quotes("sell", 3), ["652.74 @ 0.076600", "651.46 @ 0.076700", "650.19 @ 0.076800"]);
  const taker = venue.addUser("taker", { DSC: "5000", USDT: "1000" });
  const { deals, order } = venue.place(taker, "buy 1500 @ 0.1", "DSCUSDT");
  assert.deepEqual(
    deals.map((deal) => venue.dealText(deal)),
    ["652.74 @ 0.076600", "651.46 @ 0.076700", "195.8 @ 0.076800"],
  );
  assert.deepEqual(
    deals.map(({ value }) => value),
    [4_999_988_400n, 4_996_698_200n, 1_503_744_000n],
  );
  assert.equal(order?.filledValue, 11_500_430_600n);
  assert.equal(order?.baseFee, 450_000_000n);
  assert.equal(venue.balance(taker, "DSC"), "6495.50000000 + 0.00000000");
  assert.equal(venue.fees("DSC"), "2.25000000");
  assert.equal(venue.pots(), "2.25000000 + 0.00000000");
  assert.equal(venue.reserves(), "998500.00000000 + 76615.00430600");
  assert.deepEqual(venue.quotes("sell"), ["454.39 @ 0.076800"]);
  assert.deepEqual(venue.quotes("buy"), ["195.92 @ 0.076700"]);

  const before = venue.balance(taker, "USDT");
  assert.equal(before, "884.99569400 + 0.00000000");
  const added = venue.add(taker, "5000", "400");
  assert.equal(added.refusal, undefined);
  assert.equal(venue.pool.providers.get(taker)?.shares, 138_500_918_236n);
  assert.equal(venue.balance(taker, "DSC"), "1495.50000002 + 0.00000000");
  assert.equal(venue.balance(taker, "USDT"), "501.34519672 + 0.00000000");
  assert.equal(venue.proportion(taker), "0.00498256");
  assert.equal(venue.proportion(provider), "0.99501743");
  venue.assertRepeatable();
});
