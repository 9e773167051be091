import assert from "node:assert/strict";
import { test } from "node:test";
import { marginVenue } from "../../../test/support/margin-venue.ts";
import { formatDecimal } from "../money/decimal.ts";
import { figuresOf, liqPriceOf, loanLimit, riskRateE8 } from "./risk.ts";

test("worked example E8: interest, risk rate, liquidation price and further loan of a margin loan", () => {
  const venue = marginVenue();
  const user = venue.addUser("ann", { USDT: "2000", BTC: "0.6" });
  venue.transfer(user, "USDT", "2000");
  venue.transfer(user, "BTC", "0.6");
  venue.borrow(user, "USDT", "10000");
  venue.hours(2);
  const { margin, markets } = venue.state;
  const row = margin.accounts.find(user, 0);
  const market = markets[0] as (typeof markets)[number];
  assert.equal(venue.owed(user, "USDT"), "10000.00000000 + 1.12500000");
  const figures = figuresOf(venue.state, row);
  // The example holds 2000 USDT without what was borrowed.
  const held = { ...figures, quoteHave: figures.quoteHave - 1_000_000_000_000n };
  assert.equal(formatDecimal(riskRateE8(market, market.index.price, held) as bigint, 8), "1.99988750");
  assert.equal(formatDecimal(liqPriceOf(market, held, 108_000_000n) as bigint, 2), "14668.54");
  assert.equal(formatDecimal(loanLimit(market, market.index.price, held, 5, true), 8), "29995.50000000");
  venue.assertRepeatable();
});

test("a loan is charged at once and each full hour, repaid interest first, and ends with the last unit", () => {
  const venue = marginVenue();
  const user = venue.addUser("ann", { USDT: "5000" });
  venue.transfer(user, "USDT", "5000");
  venue.borrow(user, "USDT", "10000");
  assert.equal(venue.owed(user, "USDT"), "10000.00000000 + 0.37500000");
  venue.borrow(user, "USDT", "1000");
  venue.hours(1);
  assert.equal(venue.owed(user, "USDT"), "11000.00000000 + 0.82500000");
  venue.repay(user, "USDT", "0.5");
  assert.equal(venue.owed(user, "USDT"), "11000.00000000 + 0.32500000");
  venue.repay(user, "USDT", "10000.25");
  // All but the interest of the second loan, and what it still owes.
  assert.equal(venue.owed(user, "USDT"), "1000.00000000 + 0.07500000");
  assert.equal(venue.ask({ kind: "repay", userId: user, ccy: "USDT", amount: "1", borrowId: 1 }), "loan_not_found");
  venue.repay(user, "USDT", "99999");
  assert.equal(venue.owed(user, "USDT"), "0.00000000 + 0.00000000");
  assert.equal(venue.state.margin.loans.live, 0);
  assert.equal(venue.held(user, "USDT"), "4999.17500000");
  venue.assertRepeatable();
});

test("a loan needs an account, an offer, a sound amount, a fresh index, the pool and enough worth, in this order", () => {
  const venue = marginVenue();
  const user = venue.addUser("ann", { USDT: "100000", BTC: "1" });
  const borrow = (amount: string, ccy = "USDT", market = "BTCUSDT") =>
    venue.ask({ kind: "borrow", userId: user, ccy, amount, market, isAutoRenew: false });
  assert.equal(borrow("100"), "margin_account_missing");
  venue.transfer(user, "USDT", "1000");
  for (const [amount, ccy, refusal] of [
    ["100", "DOGE", "asset_not_found"],
    ["0", "USDT", "invalid_command"],
    ["0.000000001", "USDT", "invalid_command"],
    ["9.99999999", "USDT", "loan_too_small"],
    ["1000001", "USDT", "loan_too_large"],
    ["4000.00000001", "USDT", "loan_exceeds_worth"],
    ["0.13333334", "BTC", "loan_exceeds_worth"],
    ["4000", "USDT", undefined],
  ] as const) {
    assert.equal(borrow(amount, ccy), refusal, amount + ccy);
  }
  assert.equal(borrow("100", "USDT", "ETHUSDT"), "market_not_found");
  venue.transfer(user, "USDT", "90000");
  assert.equal(borrow("300000"), "lending_pool_short");
  venue.silence();
  assert.equal(borrow("10"), "margin_index_stale");
  assert.equal(
    venue.ask({ kind: "transfer_margin", userId: user, ccy: "USDT", amount: "1", isIn: false }),
    "margin_index_stale",
  );
});

test("nothing leaves an account with a loan that would leave it below its transfer rate", () => {
  const venue = marginVenue();
  const user = venue.addUser("ann", { USDT: "3000" });
  venue.transfer(user, "USDT", "3000");
  const out = (amount: string) =>
    venue.ask({ kind: "transfer_margin", userId: user, ccy: "USDT", amount, isIn: false });
  assert.equal(out("500"), undefined);
  venue.borrow(user, "USDT", "4000");
  // 2500 + 4000 - 0.15 of interest, of which 5000 stay.
  assert.equal(out("1499.85000001"), "insufficient_balance");
  assert.equal(out("1499.85"), undefined);
  venue.repay(user, "USDT", "4001");
  assert.equal(out("2000"), "insufficient_balance");
  assert.equal(out("1000"), undefined);
  assert.equal(venue.held(user, "USDT"), "0.00000000");
});

test("a margin order trades in the book of spot with the money of its account alone", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { USDT: "5000" });
  const bob = venue.addUser("bob", { BTC: "1" });
  assert.equal(venue.place(ann, "buy 0.1 @ 30000.00 margin").refusal, "margin_account_missing");
  venue.transfer(ann, "USDT", "1000");
  assert.equal(venue.place(ann, "buy 0.1 @ 30000.00 margin").refusal, "insufficient_balance");
  venue.borrow(ann, "USDT", "3000");
  const order = venue.put(ann, "buy 0.1 @ 30000.00 margin hidden");
  assert.equal(venue.held(ann, "USDT"), "1000.00000000 and 3000.00000000");
  assert.equal(venue.place(bob, "sell 0.1 @ 30000.00").deals[0]?.maker.account, "margin");
  assert.equal(venue.held(ann, "BTC"), "0.09990000");
  assert.equal(venue.place(ann, "sell 0.05 @ 44000.00 margin").order?.status, "open");
  assert.equal(venue.place(ann, "sell 0.01 @ 14000.00 margin").refusal, "price_far_from_index");
  assert.equal(venue.place(ann, "buy 0.01 @ 46000.00 margin").refusal, "price_far_from_index");
  assert.equal(venue.modify(ann, order.orderId, "price 1").refusal, "order_not_found");
  const cancelled = venue.accept({ kind: "cancel_all_orders", userId: ann, marketId: 0, account: "margin" });
  assert.equal(cancelled.events.filter((event) => event.kind === "order").length, 1);
  venue.assertRepeatable();
});

test("spot and margin orders of a user are one user to self-trade protection", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { USDT: "5000", BTC: "1" });
  venue.transfer(ann, "USDT", "1000");
  venue.put(ann, "sell 0.01 @ 30000.00");
  assert.equal(venue.place(ann, "buy 0.01 @ 30000.00 margin stp:ct").order?.status, "canceled");
});

test("a stop order of a margin account fires as one of it", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { BTC: "1" });
  const bob = venue.addUser("bob", { USDT: "9000", BTC: "1" });
  venue.transfer(ann, "BTC", "0.5");
  venue.put(bob, "buy 0.2 @ 29000.00");
  const stop = { ...venue.orderOf(ann, "sell 0.1 @ 28000.00 margin"), kind: "place_stop_order" as const };
  venue.accept({ ...stop, trigger: 2_950_000n });
  const done = venue.place(bob, "sell 0.01 @ 29000.00");
  assert.equal(done.deals[1]?.taker.account, "margin");
  assert.equal(venue.held(ann, "BTC"), "0.40000000");
});

test("an account is warned once each time its risk rate comes down to the warning", () => {
  const venue = marginVenue();
  const ann = leveraged(venue);
  const alerts = (price: string) =>
    venue.rareEvents(venue.spotIndex(price), "margin_alert").map(({ userId }) => userId);
  // 0.1996 BTC against 4800 and 0.18 of interest: the risk rate is 1.21 at 29099.09.
  assert.deepEqual(alerts("29099.10"), []);
  assert.deepEqual(alerts("29099.09"), [ann]);
  assert.deepEqual(alerts("29050"), []);
  assert.deepEqual(alerts("29099.10"), []);
  assert.deepEqual(alerts("29099"), [ann]);
  venue.assertRepeatable();
});

test("at its liquidation rate an account sells just enough by the book, pays and is charged once", () => {
  const venue = marginVenue();
  const ann = leveraged(venue);
  const bob = venue.addUser("bob", { USDT: "100000" });
  venue.put(bob, "buy 1 @ 25500.00");
  assert.equal(venue.rareEvents(venue.spotIndex("25972.85"), "margin_liquidation").length, 0);
  const stages = venue.rareEvents(venue.spotIndex("25972.84"), "margin_liquidation").map(({ stage }) => stage);
  assert.deepEqual(stages, ["begun", "done"]);
  assert.equal(venue.owed(ann, "USDT"), "0.00000000 + 0.00000000");
  // 4800.18 and 2 % of it are 4896.1836, which 0.192392 BTC bring at 25500 less 0.2 %.
  assert.equal(venue.held(ann, "BTC"), "0.00720800");
  assert.equal(venue.held(ann, "USDT"), "0.00040800");
  assert.equal(venue.fund("USDT"), "96.05760000");
  venue.assertRepeatable();
});

/** A user with 0.1996 BTC who owes 4800.18 USDT, at 31000. */
function leveraged(venue: ReturnType<typeof marginVenue>): number {
  const ann = venue.addBuyer("ann", "1200", "4800", "0.2 @ 30000.00", venue.addUser("seller", { BTC: "1" }));
  venue.spotIndex("31000");
  return ann;
}

test("a liquidation in a thin book goes on every two seconds, and sells at nothing that the fund would pay for", () => {
  const venue = marginVenue();
  const ann = leveraged(venue);
  const bob = venue.addUser("bob", { USDT: "100000" });
  // Solvent down to 24097.48; the band of 5 % reaches down to 24673.41.
  venue.put(bob, "buy 0.05 @ 24700.00");
  venue.put(bob, "buy 0.05 @ 24600.00");
  const begun = venue.spotIndex("25972");
  assert.deepEqual(
    begun.deals.map((deal) => venue.dealText(deal)),
    ["0.05 @ 24700.00"],
  );
  assert.equal(venue.place(ann, "buy 0.001 @ 25000.00 margin").refusal, "margin_liquidating");
  venue.put(bob, "buy 1 @ 25000.00");
  venue.timeMs += 1_999;
  assert.deepEqual(venue.accept({ kind: "tick" }).deals, []);
  venue.timeMs += 1;
  const done = venue.accept({ kind: "tick" });
  assert.equal(done.deals.length, 1);
  assert.deepEqual(
    venue.rareEvents(done, "margin_liquidation").map(({ stage }) => stage),
    ["done"],
  );
  assert.equal(venue.owed(ann, "USDT"), "0.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("an account that a liquidation spares after its index has come back is liquidated when that falls again", () => {
  const venue = marginVenue();
  leveraged(venue);
  const stages = (done: ReturnType<typeof venue.accept>) =>
    venue.rareEvents(done, "margin_liquidation").map(({ stage }) => stage);
  // Nobody buys, so nothing is sold, and then there is no need any more.
  assert.deepEqual(stages(venue.spotIndex("25972")), ["begun"]);
  venue.timeMs += 1_000;
  venue.spotIndex("30000");
  venue.timeMs += 1_000;
  assert.deepEqual(stages(venue.accept({ kind: "tick" })), ["spared"]);
  assert.deepEqual(stages(venue.spotIndex("25972")), ["begun"]);
  venue.assertRepeatable();
});

test("what nobody pays is a debt: it bars the account, bears no interest, and is paid by what comes in or by the fund", () => {
  const venue = marginVenue();
  const ann = leveraged(venue);
  const bob = venue.addUser("bob", { USDT: "100000" });
  venue.put(bob, "buy 1 @ 20500.00");
  const done = venue.spotIndex("20500");
  assert.deepEqual(
    venue.rareEvents(done, "margin_liquidation").map(({ stage }) => stage),
    ["begun", "done"],
  );
  // 0.1996 BTC bring 4083.6164, and the fund has 0.054 of interest, of which it may lose 0.00108.
  assert.equal(venue.owed(ann, "USDT"), "716.56252000 + 0.00000000");
  assert.equal(venue.held(ann, "BTC"), "0.00000000");
  venue.hours(2);
  // It bears no interest; an hour later the fund pays 0.00105840 of it, once more what it may lose.
  assert.equal(venue.owed(ann, "USDT"), "716.56146160 + 0.00000000");
  venue.deposit(ann, "USDT", "1000");
  venue.deposit(ann, "BTC", "1");
  venue.transfer(ann, "USDT", "500");
  assert.equal(venue.owed(ann, "USDT"), "216.56146160 + 0.00000000");
  assert.equal(venue.held(ann, "USDT"), "0.00000000");
  venue.transfer(ann, "BTC", "0.1");
  assert.equal(
    venue.ask({ kind: "transfer_margin", userId: ann, ccy: "BTC", amount: "0.1", isIn: false }),
    "margin_debt",
  );
  assert.equal(
    venue.ask({ kind: "borrow", userId: ann, ccy: "USDT", amount: "10", isAutoRenew: false }),
    "margin_debt",
  );
  venue.accept({ kind: "set_fund_budget", hourRate: "0.9", dayRate: "0.9" });
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "400", note: "" });
  assert.equal(venue.state.margin.loans.live, 0);
  assert.equal(venue.fund("USDT"), "183.49040000");
  venue.assertRepeatable();
});

test("while the index is stale nobody is liquidated, and interest runs on", () => {
  const venue = marginVenue();
  const ann = leveraged(venue);
  venue.silence();
  venue.wait(3_600_000);
  assert.equal(venue.owed(ann, "USDT"), "4800.00000000 + 0.36000000");
  assert.equal(venue.place(ann, "buy 0.001 @ 25000.00 margin").refusal, "insufficient_balance");
  assert.equal(venue.place(ann, "sell 0.1 @ 30000.00 margin").refusal, "margin_waits_for_index");
  assert.equal(venue.place(ann, "sell 0.1 @ 31000.00 margin").refusal, undefined);
  assert.equal(venue.rareEvents(venue.spotIndex("20000"), "margin_liquidation").length, 0);
  venue.timeMs += 5_000;
  assert.equal(venue.rareEvents(venue.spotIndex("20000"), "margin_liquidation").length, 1);
  venue.assertRepeatable();
});

test("a loan is renewed if that was wished, else has one more day, and is then repaid by force", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { USDT: "3000" });
  const bob = venue.addUser("bob", { USDT: "3000", BTC: "1" });
  venue.transfer(ann, "USDT", "3000");
  venue.transfer(bob, "USDT", "1000");
  venue.borrow(ann, "USDT", "1000", true);
  venue.borrow(ann, "USDT", "1000", false);
  const bobs = venue.borrow(bob, "USDT", "1000", false);
  const term = (borrowId: number) => {
    const { loans } = venue.state.margin;
    const slot = loans.find(borrowId);
    return slot < 0 ? "gone" : Math.round((loans.expiredAt(slot) - loans.createdAt(slot)) / 86_400_000);
  };
  const days = (count: number) => venue.wait(count * 86_400_000);
  days(10);
  assert.deepEqual([1, 2, bobs].map(term), [20, 11, 11]);
  days(1);
  // The index is stale: nothing is repaid by force.
  assert.deepEqual([1, 2, bobs].map(term), [20, 11, 11]);
  // Bob has bought with all he has.
  venue.speak("30000");
  assert.deepEqual([1, 2, bobs].map(term), [20, "gone", "gone"]);
  assert.equal(venue.state.margin.loans.live, 1);
  venue.assertRepeatable();
});

test("who cannot repay a loan that is due is liquidated to its end", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { BTC: "1" });
  const bob = venue.addUser("bob", { USDT: "30000", BTC: "1" });
  venue.transfer(ann, "BTC", "0.2");
  venue.borrow(ann, "USDT", "1000");
  venue.put(bob, "sell 1 @ 30000.00");
  venue.put(ann, "buy 0.03 @ 30000.00 margin");
  venue.wait(11 * 86_400_000);
  venue.put(bob, "buy 1 @ 29500.00");
  venue.speak("30000");
  assert.equal(venue.state.margin.loans.live, 0);
  assert.equal(venue.state.margin.liquidations.size, 0);
  venue.assertRepeatable();
});

test("a base loan is sold short, fears a rise and is bought back", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { USDT: "1500" });
  const bob = venue.addUser("bob", { USDT: "30000", BTC: "2" });
  venue.transfer(ann, "USDT", "1500");
  venue.borrow(ann, "BTC", "0.2");
  venue.put(bob, "buy 0.2 @ 30000.00");
  venue.put(ann, "sell 0.2 @ 30000.00 margin");
  venue.put(bob, "sell 1 @ 34900.00");
  // 7488 USDT against 0.2 BTC and 0.00000417 of interest: 1.08 at 34665.9.
  assert.equal(venue.rareEvents(venue.spotIndex("34665"), "margin_liquidation").length, 0);
  const done = venue.spotIndex("34667");
  assert.deepEqual(
    venue.rareEvents(done, "margin_liquidation").map(({ stage }) => stage),
    ["begun", "done"],
  );
  assert.equal(venue.owed(ann, "BTC"), "0.00000000 + 0.00000000");
  // 2 % of what was owed, and the fund's share of the interest.
  assert.equal(venue.fund("BTC"), "0.00400134");
  venue.assertRepeatable();
});

test("an account cannot give what it owes to a second account by a price that it could not bear", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { USDT: "1000" });
  const friend = venue.addUser("friend", { BTC: "2", USDT: "100" });
  venue.transfer(ann, "USDT", "1000");
  venue.borrow(ann, "USDT", "4000");
  venue.put(friend, "sell 0.12 @ 40000.00");
  assert.equal(venue.place(ann, "buy 0.12 @ 40000.00 margin").refusal, "margin_worth_at_risk");
  assert.equal(venue.place(ann, "buy 0.12 @ 40000.00 fok margin").refusal, "margin_worth_at_risk");
  const fair = venue.put(ann, "buy 0.16 @ 30000.00 margin");
  // The index goes; the order that rests is fair no more, and its owner could not bear all of it.
  venue.spotIndex("25000");
  const done = venue.place(friend, "sell 0.16 @ 30000.00");
  assert.deepEqual(done.deals, []);
  assert.equal(venue.modify(ann, fair.orderId, "price 1").refusal, "order_not_found");
  venue.assertRepeatable();
});

test("an index costs by the accounts that it endangers", () => {
  const venue = marginVenue();
  for (let count = 0; count < 20; count++) {
    const user = venue.addUser(`user${count}`, { BTC: "0.01" });
    venue.transfer(user, "BTC", "0.01");
    venue.borrow(user, "USDT", `${100 + count * 30}`);
  }
  const before = venue.state.margin.evaluations;
  venue.spotIndex("30001");
  venue.spotIndex("29000");
  assert.equal(venue.state.margin.evaluations, before);
  venue.spotIndex("12000");
  const looked = venue.state.margin.evaluations - before;
  assert.ok(looked > 0 && looked < 20, `${looked} accounts were looked at`);
});

test("a market that leaves settles its margin accounts by the last index", () => {
  const venue = marginVenue();
  const ann = leveraged(venue);
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "10000", note: "" });
  venue.changeMarket("BTCUSDT", { delistedAt: venue.timeMs + 1_000 });
  venue.wait(1_000);
  assert.equal(venue.state.margin.loans.live, 0);
  // 4800.18 USDT are 0.15484452 BTC at 31000.
  assert.equal(venue.balance(ann, "BTC"), "0.04475548 + 0.00000000");
  venue.assertRepeatable();
});

test("a market order of a margin account ends where the account could bear no further fill", () => {
  const venue = marginVenue();
  const seller = venue.addUser("seller", { BTC: "1" });
  const ann = venue.addBuyer("ann", "2000", "8000", "0.3 @ 30000.00", seller);
  venue.spotIndex("27200");
  const bidder = venue.addUser("bidder", { USDT: "100000" });
  for (const bid of ["0.1 @ 27200.00", "0.1 @ 24500.00", "1 @ 24480.00"]) venue.put(bidder, `buy ${bid}`);
  // 9143.68 USDT are worth 503 more than 1.08 of 8000 and the interest; two fills cost 280 of it, and a third one would
  // cost 274.
  const { order, deals } = venue.place(ann, "sell 0.2994 margin");
  assert.deepEqual(
    deals.map((deal) => venue.dealText(deal)),
    ["0.1 @ 27200.00", "0.1 @ 24500.00"],
  );
  assert.equal(order?.status, "part_canceled");
  assert.equal(venue.held(ann, "BTC"), "0.09940000");
  venue.assertRepeatable();
});
