import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FuturesVenue } from "../../../../test/support/futures-venue.ts";

/** A venue with an insurance fund, somebody rich, and a user at 100x with so much, in an empty book at 30000. */
function emptyVenue(cash: string, marginMode = "cross") {
  const venue = new FuturesVenue();
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "1000", note: "" });
  const other = venue.addTrader("other", { USDT: "1000000" });
  const user = venue.addTrader("user", { USDT: cash });
  venue.setLeverage(user, 100, marginMode);
  return { venue, other, user };
}

describe("a resting order that would cost its owner more than he has is cancelled instead of taken", () => {
  test("when money has left since it was placed", () => {
    const { venue, other, user } = emptyVenue("3400");
    const { orderId } = venue.rest(user, "sell 1 @ 27000.00");
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "3000").refusal, undefined);
    const done = venue.trade(other, "buy 1 @ 27000.00");
    assert.equal(done.refusal, undefined);
    assert.equal(done.deals.length, 0);
    assert.ok(done.events.some((event) => event.kind === "order" && event.order.orderId === orderId));
    assert.equal(venue.frozen(user), "0.00000000");
    assert.deepEqual(venue.levelsOf("buy"), ["1 @ 27000.00"]);
    assert.equal(venue.fund(), "1000.00000000");
    venue.assertRepeatable();
  });

  test("when the mark has moved, an order of a part of which was still borne", () => {
    const { venue, other, user } = emptyVenue("1000");
    venue.rest(user, "sell 1 @ 30000.00");
    venue.index("31500");
    assert.equal(venue.trade(other, "buy 0.6 @ 30000.00").deals.length, 1);
    venue.assertRepeatable();
  });

  test("when several together are too much", () => {
    const { venue, other, user } = emptyVenue("1100");
    venue.rest(user, "sell 0.2 @ 27000.00");
    venue.rest(user, "sell 0.2 @ 27000.10");
    const done = venue.trade(other, "buy 0.4 @ 27000.10");
    assert.equal(done.deals.length, 1);
    assert.equal(venue.fund(), "1000.00000000");
    venue.assertRepeatable();
  });

  test("of an isolated position by its own margin", () => {
    const { venue, other, user } = emptyVenue("5000", "isolated");
    venue.rest(user, "buy 1 @ 30000.00");
    venue.index("29600");
    assert.equal(venue.trade(other, "sell 1 @ 30000.00").deals.length, 0);
    assert.equal(venue.cash(user), "5000.00000000");
    venue.assertRepeatable();
  });

  test("of a close by what stands behind the position", () => {
    const { venue, other, user } = emptyVenue("1015");
    venue.rest(user, "buy 1 @ 30000.00");
    venue.rest(other, "sell 1 @ 30000.00");
    venue.close(user, "limit 29000.00");
    assert.equal(venue.transfer(user, "FUTURES", "SPOT", "USDT", "400").refusal, undefined);
    const done = venue.trade(other, "buy 1 @ 29000.00");
    assert.equal(done.deals.length, 0);
    assert.match(venue.position(user), /^long 1 /);
    venue.assertRepeatable();
  });
});

test("who trades with himself can bear it", () => {
  const { venue, user } = emptyVenue("3400");
  venue.rest(user, "sell 0.1 @ 27000.00");
  venue.transfer(user, "FUTURES", "SPOT", "USDT", "3300");
  assert.equal(venue.trade(user, "buy 0.1 @ 27000.00").deals.length, 1);
});

test("fill or kill counts on nobody who could not bear it", () => {
  const { venue, other, user } = emptyVenue("1100");
  venue.rest(user, "sell 0.2 @ 27000.00");
  venue.rest(user, "sell 0.2 @ 27000.10");
  assert.equal(venue.trade(other, "buy 0.4 @ 27000.10 fok").refusal, "not_fillable");
  assert.equal(venue.trade(other, "buy 0.2 @ 27000.10 fok").deals.length, 1);
  venue.assertRepeatable();
});
