import assert from "node:assert/strict";
import { test } from "node:test";
import { type MarginVenue, marginVenue, ruin } from "../../../test/support/margin-venue.ts";
import type { Withdraw } from "../payments/command-schemas.ts";

test("who owes a debt withdraws nothing of any currency until it is paid, by a transfer into the account", () => {
  const venue = marginVenue();
  const ann = indebted(venue);
  assert.equal(venue.owed(ann, "USDT"), "716.56252000 + 0.00000000");
  assert.equal(withdrawal(venue, ann, "1", "USDT"), "withdraw_barred");
  assert.equal(withdrawal(venue, ann, "1", "BTC"), "withdraw_barred");
  venue.transfer(ann, "USDT", "716.56");
  assert.equal(withdrawal(venue, ann, "1", "BTC"), "withdraw_barred");
  venue.transfer(ann, "USDT", "0.00252");
  assert.equal(withdrawal(venue, ann, "1", "BTC"), undefined);
  venue.assertRepeatable();
});

test("who owes a debt withdraws again when the insurance fund has paid it, and trades meanwhile", () => {
  const venue = marginVenue();
  venue.accept({ kind: "set_fund_budget", hourRate: "0.9", dayRate: "0.9" });
  const ann = indebted(venue);
  const other = venue.addUser("other", { USDT: "10" });
  venue.accept({ kind: "allow_withdraw_address", userId: other, chain: "", address: "bob", memo: "", remark: "" });
  assert.equal(withdrawal(venue, other, "10", "USDT"), undefined);
  assert.equal(venue.place(ann, "sell 0.5 @ 40000.00").refusal, undefined);
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "1000", note: "" });
  assert.equal(withdrawal(venue, ann, "1", "USDT"), undefined);
});

test("a running loan bars no withdrawal: what was lent cannot leave its account by itself", () => {
  const venue = marginVenue();
  const ann = venue.addUser("ann", { USDT: "2000", BTC: "1" });
  venue.addUser("bob");
  venue.accept({ kind: "allow_withdraw_address", userId: ann, chain: "", address: "bob", memo: "", remark: "" });
  venue.transfer(ann, "USDT", "1000");
  venue.borrow(ann, "USDT", "3000");
  assert.equal(withdrawal(venue, ann, "1000", "USDT"), undefined);
});

test("a sub-account that owes a debt gives nothing to its main account, which could withdraw it", () => {
  const venue = marginVenue();
  const main = venue.addUser("main");
  const made = venue.accept({ kind: "create_sub_account", userId: main, name: "main-1", permissions: ["MARGIN"] });
  const { userId: sub } = made.result as { userId: number };
  venue.deposit(sub, "USDT", "1200");
  ruin(venue, sub);
  venue.deposit(sub, "BTC", "1");
  const give = { kind: "sub_transfer", userId: main, from: "SPOT", to: "SPOT", ccy: "BTC", amount: "1" } as const;
  assert.equal(venue.execute({ ...give, fromUserId: sub, toUserId: main }).refusal, "withdraw_barred");
  venue.accept({ kind: "set_fund_budget", hourRate: "0.9", dayRate: "0.9" });
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "1000", note: "" });
  venue.accept({ ...give, fromUserId: sub, toUserId: main });
});

test("under rules version 3 a debt barred no withdrawal", () => {
  const venue = marginVenue(3);
  const ann = indebted(venue);
  assert.equal(withdrawal(venue, ann, "1", "BTC"), undefined);
});

test("of an account whose market leaves the fund takes no more than it pays for, and the rest stays with what is owed", () => {
  const venue = marginVenue();
  const ann = borrower(venue, "ann");
  leave(venue);
  // 1000 USDT and two hours of interest, of which the fund has nothing.
  assert.equal(venue.owed(ann, "USDT"), "1000.00000000 + 0.07500000");
  assert.equal(venue.held(ann, "BTC"), "0.50000000");
  assert.equal(venue.fund("BTC"), "0.00000000");
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "300", note: "" });
  // 30 % of the interest come back to the fund and pay on; the fund gets 300.0225 / 30000 BTC for it.
  assert.equal(venue.owed(ann, "USDT"), "700.05250000 + 0.00000000");
  assert.equal(venue.held(ann, "BTC"), "0.48999925");
  assert.equal(venue.fund("BTC"), "0.01000075");
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "701", note: "" });
  assert.equal(venue.held(ann, "BTC"), "0.00000000");
  assert.equal(venue.balance(ann, "BTC"), "0.46666416 + 0.00000000");
  venue.assertRepeatable();
});

test("a debt of a market that has left is paid by a transfer into its account, of no more than it owes, and what it holds goes to spot", () => {
  const venue = marginVenue();
  const ann = borrower(venue, "ann");
  leave(venue);
  venue.deposit(ann, "USDT", "2000");
  const pay = (amount: string, ccy = "USDT", userId = ann) =>
    venue.ask({ kind: "transfer_margin", userId, ccy, amount, isIn: true });
  assert.equal(pay("1000.07500001"), "transfer_not_possible");
  assert.equal(pay("1", "BTC"), "insufficient_balance");
  venue.deposit(ann, "BTC", "1");
  assert.equal(pay("1", "BTC"), "transfer_not_possible");
  assert.equal(pay("1", "USDT", venue.addUser("other", { USDT: "1" })), "market_not_found");
  assert.equal(
    venue.ask({ kind: "transfer_margin", userId: ann, ccy: "BTC", amount: "0.1", isIn: false }),
    "market_not_found",
  );
  assert.equal(pay("1000"), undefined);
  // Of the interest 0.0225 came to the fund, which paid on with them and got 0.00000075 BTC.
  assert.equal(pay("0.0525"), undefined);
  assert.equal(venue.state.margin.loans.live, 0);
  assert.equal(venue.balance(ann, "BTC"), "1.49999925 + 0.00000000");
  assert.equal(pay("1"), "market_not_found");
  venue.assertRepeatable();
});

test("the fund pays a debt to its end before the next", () => {
  const venue = marginVenue();
  const [ann, bea] = [borrower(venue, "ann"), borrower(venue, "bea")];
  leave(venue);
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "0.01", note: "" });
  assert.equal(venue.fund("USDT"), "0.00000000");
  assert.equal(venue.owed(ann, "USDT"), "1000.00000000 + 0.06071433");
  assert.equal(venue.owed(bea, "USDT"), "1000.00000000 + 0.07500000");
  venue.assertRepeatable();
});

test("under rules version 3 the fund took what an account owed in its other currency, whatever it could pay, and paid each debt once", () => {
  const venue = marginVenue(3);
  const [ann, bea] = [borrower(venue, "ann"), borrower(venue, "bea")];
  leave(venue);
  assert.equal(venue.owed(ann, "USDT"), "1000.00000000 + 0.07500000");
  assert.equal(venue.held(ann, "BTC"), "0.46666416");
  assert.equal(
    venue.ask({ kind: "transfer_margin", userId: ann, ccy: "BTC", amount: "1", isIn: true }),
    "market_not_found",
  );
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "0.01", note: "" });
  assert.equal(venue.owed(bea, "USDT"), "1000.00000000 + 0.07200000");
});

test("a margin market keeps a source of its index, so that no loan is ever settled without one", () => {
  const empty = { kind: "change_market", market: "BTCUSDT", indexSources: [] } as const;
  const venue = marginVenue();
  borrower(venue, "ann");
  assert.equal(venue.execute(empty).refusal, "invalid_listing");
  venue.accept({ ...empty, indexSources: [{ exchange: "two", weight: "1" }] });

  const old = marginVenue(3);
  const bea = borrower(old, "bea");
  old.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "5000", note: "" });
  old.accept(empty);
  old.changeMarket("BTCUSDT", { delistedAt: old.timeMs + 1_000 });
  old.state.rulesVersion = 4;
  old.wait(2_000);
  assert.ok(!old.marketNamed("BTCUSDT").delisted, "it waits for an index");
  old.spotIndex("25000");
  assert.equal(old.state.margin.loans.live, 0);
  // 1000.0375 USDT are 0.0400015 BTC at 25000.
  assert.equal(old.balance(bea, "BTC"), "0.45999850 + 0.00000000");
});

/** A user whose margin account has 0.5 BTC, and owes 1000 USDT that have left it. */
function borrower(venue: MarginVenue, name: string): number {
  const user = venue.addUser(name, { BTC: "0.5" });
  venue.transfer(user, "BTC", "0.5");
  venue.borrow(user, "USDT", "1000");
  venue.accept({ kind: "transfer_margin", userId: user, market: "BTCUSDT", ccy: "USDT", amount: "1000", isIn: false });
  return user;
}

/** Lets the market leave an hour later, at 30000. */
function leave(venue: MarginVenue): void {
  venue.changeMarket("BTCUSDT", { delistedAt: venue.timeMs + 3_601_000 });
  venue.hours(1);
  venue.wait(1_000);
}

/**
 * A user who owes 716.56252 USDT that nobody has, and then comes to 1000 USDT and a BTC in spot; bob may be paid by
 * withdrawals.
 */
function indebted(venue: MarginVenue): number {
  const ann = venue.addUser("ann", { USDT: "1200" });
  ruin(venue, ann);
  venue.deposit(ann, "USDT", "1000");
  venue.deposit(ann, "BTC", "1");
  venue.accept({ kind: "allow_withdraw_address", userId: ann, chain: "", address: "bob", memo: "", remark: "" });
  return ann;
}

/** What the venue says to a withdrawal to bob; undefined: accepted. */
function withdrawal(venue: MarginVenue, userId: number, amount: string, ccy: string) {
  const to: Pick<Withdraw, "method" | "chain" | "toAddress" | "memo" | "remark" | "needsReview"> = {
    method: "inter_user",
    chain: "",
    toAddress: "bob",
    memo: "",
    remark: "",
    needsReview: false,
  };
  return venue.execute({ kind: "withdraw", userId, ccy, amount, ...to }).refusal;
}
