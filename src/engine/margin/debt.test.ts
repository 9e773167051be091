import assert from "node:assert/strict";
import { test } from "node:test";
import { type MarginVenue, marginVenue } from "../../../test/support/margin-venue.ts";
import type { Withdraw } from "../payments/forms.ts";

test("who owes a debt withdraws nothing of any currency until it is paid, by a transfer into the account", () => {
  const venue = marginVenue();
  const ann = indebted(venue);
  assert.equal(venue.owed(ann, "USDT"), "816.11000000 + 0.00000000");
  assert.equal(withdrawal(venue, ann, "1", "USDT"), "withdraw_barred");
  assert.equal(withdrawal(venue, ann, "1", "BTC"), "withdraw_barred");
  venue.transfer(ann, "USDT", "816.1");
  assert.equal(withdrawal(venue, ann, "1", "BTC"), "withdraw_barred");
  venue.transfer(ann, "USDT", "0.01");
  assert.equal(withdrawal(venue, ann, "1", "BTC"), undefined);
  venue.assertRepeatable();
});

test("who owes a debt withdraws again when the insurance fund has paid it, and trades meanwhile", () => {
  const venue = marginVenue();
  const ann = indebted(venue);
  const other = venue.addUser("other", { USDT: "10" });
  venue.accept({ kind: "allow_withdraw_address", userId: other, chain: "", address: "bob", memo: "", remark: "" });
  assert.equal(withdrawal(venue, other, "10", "USDT"), undefined);
  assert.equal(venue.place(ann, "sell 0.5 @ 40000.00").refusal, undefined);
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "816.11", note: "" });
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
  venue.accept({ kind: "deposit", cell: "sys:ins_margin", ccy: "USDT", amount: "1000", note: "" });
  venue.accept({ ...give, fromUserId: sub, toUserId: main });
});

test("under rules version 3 a debt barred no withdrawal", () => {
  const venue = marginVenue(3);
  const ann = indebted(venue);
  assert.equal(withdrawal(venue, ann, "1", "BTC"), undefined);
});

/** A user who owes 816.11 USDT that nobody has, and then comes to 1000 USDT and a BTC in spot; bob may be paid by withdrawals. */
function indebted(venue: MarginVenue): number {
  const ann = venue.addUser("ann", { USDT: "1200" });
  ruin(venue, ann);
  venue.deposit(ann, "USDT", "1000");
  venue.deposit(ann, "BTC", "1");
  venue.accept({ kind: "allow_withdraw_address", userId: ann, chain: "", address: "bob", memo: "", remark: "" });
  return ann;
}

/** Lets a user with 1200 USDT buy 0.1996 BTC on credit, and lose so much with them that a debt is left. */
function ruin(venue: MarginVenue, userId: number): void {
  const seller = venue.addUser("seller", { BTC: "1" });
  const bob = venue.addUser("bob", { USDT: "100000" });
  venue.transfer(userId, "USDT", "1200");
  venue.borrow(userId, "USDT", "4800");
  venue.put(seller, "sell 0.2 @ 30000.00");
  venue.put(userId, "buy 0.2 @ 30000.00 margin");
  venue.put(bob, "buy 1 @ 20000.00");
  venue.spotIndex("20500");
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
