import assert from "node:assert/strict";
import { test } from "node:test";
import { type MarginVenue, marginVenue } from "../../../test/support/margin-venue.ts";

/**
 * A venue whose margin fund has 10000 USDT, and a user who bought 0.9980 BTC with 6000 USDT and 24000 borrowed, while
 * nobody bids.
 */
function leveraged(rulesVersion?: number): { readonly venue: MarginVenue; readonly ann: number } {
  const venue = marginVenue(rulesVersion);
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "30000", note: "" });
  const ann = venue.addBuyer("ann", "6000", "24000", "1 @ 30000.00", venue.addUser("seller", { BTC: "1" }));
  return { venue, ann };
}

/** Lets so many seconds pass with an index that stands still. */
function stand(venue: MarginVenue, seconds: number, price: string): void {
  for (let passed = 0; passed < seconds; passed += 2) {
    venue.timeMs += 2_000;
    venue.spotIndex(price);
  }
}

test("what an insolvent account could not sell at the index for a minute the fund takes over there, and sells no lower", () => {
  const { venue, ann } = leveraged();
  const bob = venue.addUser("bob", { USDT: "100000" });
  venue.spotIndex("23800.00");
  venue.put(bob, "buy 1 @ 23799.99");
  stand(venue, 58, "23800.00");
  assert.equal(venue.held(ann, "BTC"), "0.99800000");
  stand(venue, 2, "23800.00");
  // 24000.9 are owed, 0.998 BTC are worth 23752.4: the fund loses 248.5 of the 600 that it may.
  assert.equal(venue.held(ann, "BTC"), "0.00000000");
  assert.equal(venue.owed(ann, "USDT"), "0.00000000 + 0.00000000");
  assert.equal(venue.fund("BTC"), "0.99800000");
  assert.equal(venue.fund("USDT"), "5999.37000000");
  stand(venue, 10, "23800.00");
  assert.equal(venue.fund("BTC"), "0.99800000");
  // The index comes down to the bid, which the fund meets without a fee.
  venue.spotIndex("23799.99");
  stand(venue, 2, "23799.99");
  assert.equal(venue.fund("BTC"), "0.00000000");
  assert.equal(venue.fund("USDT"), "29751.76002000");
  venue.assertRepeatable();
});

test("what the fund has taken over is sold in parts as bids come, and is forgotten with the last of them", () => {
  const { venue } = leveraged();
  const bob = venue.addUser("bob", { USDT: "100000" });
  venue.spotIndex("23800.00");
  stand(venue, 60, "23800.00");
  assert.equal(venue.fund("BTC"), "0.99800000");
  venue.put(bob, "buy 0.4 @ 23800.00");
  stand(venue, 4, "23800.00");
  assert.equal(venue.fund("BTC"), "0.59800000");
  assert.equal(venue.state.margin.holdings.size, 1);
  venue.put(bob, "buy 1 @ 23800.00");
  stand(venue, 4, "23800.00");
  assert.equal(venue.fund("BTC"), "0.00000000");
  assert.equal(venue.state.margin.holdings.size, 0);
  venue.assertRepeatable();
});

test("what the budget does not bear waits in shares: nothing leaves the account, nothing is withdrawn, interest runs on", () => {
  const { venue, ann } = leveraged();
  venue.deposit(ann, "BTC", "1");
  venue.addUser("bob");
  venue.accept({ kind: "allow_withdraw_address", userId: ann, chain: "", address: "bob", memo: "", remark: "" });
  venue.spotIndex("22800.00");
  stand(venue, 60, "22800.00");
  // 0.998 BTC are worth 22754.4, 1246.5 less than the 24000.9 that are owed: with 600 the fund takes over 48.1 % of
  // both.
  assert.equal(venue.held(ann, "BTC"), "0.51761492");
  assert.equal(venue.owed(ann, "USDT"), "12448.12021661 + 0.00000000");
  const withdraw = { kind: "withdraw", userId: ann, ccy: "BTC", amount: "1", method: "inter_user", chain: "" } as const;
  const said = venue.execute({ ...withdraw, toAddress: "bob", memo: "", remark: "", needsReview: false });
  assert.equal(said.refusal, "withdraw_barred");
  const out = { kind: "transfer_margin", userId: ann, ccy: "BTC", amount: "0.1", isIn: false } as const;
  assert.equal(venue.ask(out), "margin_liquidating");
  // An hour later there is a budget again, 2 % of the USDT that the fund has by then, and an hour of interest.
  stand(venue, 3_600 + 70, "22800.00");
  assert.equal(venue.held(ann, "BTC"), "0.22243144");
  venue.assertRepeatable();
});

test("who owes base is bought free at the index, and the fund buys back what it gave no higher than the index", () => {
  const venue = marginVenue();
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "BTC", amount: "2", note: "" });
  const ann = venue.addUser("ann", { USDT: "6000" });
  const buyer = venue.addUser("buyer", { USDT: "40000" });
  venue.transfer(ann, "USDT", "6000");
  venue.borrow(ann, "BTC", "0.8");
  venue.put(buyer, "buy 0.8 @ 30000.00");
  venue.put(ann, "sell 0.8 @ 30000.00 margin");
  const seller = venue.addUser("seller", { BTC: "1" });
  venue.put(seller, "sell 1 @ 37500.01");
  venue.spotIndex("37500.00");
  stand(venue, 60, "37500.00");
  assert.equal(venue.owed(ann, "BTC"), "0.00000000 + 0.00000000");
  assert.equal(venue.fund("USDT"), "29952.00000000");
  stand(venue, 10, "37500.00");
  assert.equal(venue.fund("USDT"), "29952.00000000");
  venue.spotIndex("37500.01");
  stand(venue, 2, "37500.01");
  assert.equal(venue.fund("USDT"), "0.02951281");
  venue.assertRepeatable();
});

test("a liquidation that waits ends with the repayment of all that is owed", () => {
  const { venue, ann } = leveraged();
  venue.deposit(ann, "USDT", "25000");
  venue.spotIndex("22800.00");
  stand(venue, 4, "22800.00");
  venue.transfer(ann, "USDT", "24000.9");
  venue.repay(ann, "USDT", "24000.9");
  assert.equal(venue.owed(ann, "USDT"), "0.00000000 + 0.00000000");
  assert.equal(venue.state.margin.liquidations.size, 0);
  venue.accept({ kind: "transfer_margin", userId: ann, market: "BTCUSDT", ccy: "BTC", amount: "0.998", isIn: false });
  venue.assertRepeatable();
});
