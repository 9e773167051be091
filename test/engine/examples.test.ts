import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinVenue } from "../support/venue.ts";

test("worked example E1, a taker against two makers, comes out to the digit", () => {
  const venue = bitcoinVenue();
  const buyer = venue.addUser("buyer", { USDT: "20000" });
  const first = venue.addUser("first seller", { BTC: "1" });
  const second = venue.addUser("second seller", { BTC: "1" });
  venue.put(first, "sell 0.2 @ 30000.00");
  venue.put(second, "sell 0.25 @ 30005.50");

  venue.wait(10);
  const done = venue.place(buyer, "buy 0.5 @ 30010.00");

  assert.deepEqual(
    done.deals.map((deal) => venue.dealText(deal)),
    ["0.2 @ 30000.00", "0.25 @ 30005.50"],
  );
  assert.deepEqual(
    done.deals.map(({ value, taker, maker }) => [value, taker.fee, maker.fee]),
    [
      [6000_00000000n, 40000n, 6_00000000n],
      [7501_37500000n, 50000n, 7_50137500n],
    ],
  );
  const { order } = done;
  assert.ok(order);
  assert.equal(order.status, "part_filled");
  assert.equal(order.filledLots, 450000n);
  assert.equal(order.filledValue, 13501_37500000n);
  assert.equal(order.baseFee, 90000n);
  assert.equal(order.quoteFee, 0n);
  assert.equal(order.left, 50000n);
  assert.equal(order.lastFilledLots, 250000n);
  assert.equal(order.lastFilledPrice, 3000550n);

  // 13501.375 paid, 1500.5 frozen for 0.05 at 30010; of the 15005 that the whole order could have cost 3.125 are left
  // over.
  assert.equal(venue.balance(buyer, "USDT"), "4998.12500000 + 1500.50000000");
  assert.equal(venue.balance(buyer, "BTC"), "0.44910000 + 0.00000000");
  assert.equal(venue.balance(first, "USDT"), "5994.00000000 + 0.00000000");
  assert.equal(venue.balance(first, "BTC"), "0.80000000 + 0.00000000");
  assert.equal(venue.balance(second, "USDT"), "7493.87362500 + 0.00000000");
  assert.equal(venue.balance(second, "BTC"), "0.75000000 + 0.00000000");
  assert.equal(venue.fees("BTC"), "0.00090000");
  assert.equal(venue.fees("USDT"), "13.50137500");
  assert.deepEqual(venue.levels("buy"), ["0.05 @ 30010.00"]);
  assert.deepEqual(venue.levels("sell"), []);
  venue.assertRepeatable();
});
