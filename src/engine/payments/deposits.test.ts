import assert from "node:assert/strict";
import { test } from "node:test";
import { CHAIN, PaymentsVenue, told } from "../../../test/support/payments-venue.ts";
import { payments } from "./payments.ts";
import { withdrawable } from "./withdraw.ts";

test("a payment is seen, confirmed, credited once at safe_confirmations, and may be withdrawn when it is irreversible", () => {
  const venue = new PaymentsVenue();
  venue.head(9);
  assert.deepEqual(venue.seen("t1", "1.5", 0).result, { depositId: 1 });
  assert.equal(venue.status(1), "processing");
  venue.seen("t1", "1.5", 10);
  venue.head(10);
  assert.equal(venue.status(1), "confirming");
  assert.equal(venue.balance(1, "BTC"), "0.00000000 + 0.00000000");
  venue.head(11);
  assert.equal(venue.status(1), "finished");
  assert.equal(venue.balance(1, "BTC"), "1.50000000 + 0.00000000");
  assert.equal(withdrawable(venue.state, 1, venue.assetNamed("BTC")), 0n);
  // The same notices again.
  assert.deepEqual(venue.seen("t1", "1.5", 10).result, { depositId: 1 });
  venue.head(13);
  assert.equal(withdrawable(venue.state, 1, venue.assetNamed("BTC")), 150_000_000n);
  venue.head(14);
  assert.equal(venue.balance(1, "BTC"), "1.50000000 + 0.00000000");
  assert.equal(venue.status(1), undefined);
  assert.equal(venue.seen("t1", "1.5", 10).refusal, "deposit_buried");
  venue.assertRepeatable();
  for (const cut of [8, 10, 11]) venue.assertRepeatable(cut);
});

test("two outputs of one transaction are two deposits, and one that is told otherwise the second time is refused", () => {
  const venue = new PaymentsVenue();
  venue.head(9);
  venue.seen("t1", "1", 10);
  assert.deepEqual(venue.seen("t1", "1", 10, { output: 1 }).result, { depositId: 2 });
  assert.equal(venue.seen("t1", "2", 10).refusal, "invalid_command");
  venue.head(20);
  assert.equal(venue.balance(1, "BTC"), "2.00000000 + 0.00000000");
});

test("a block settles as many deposits as it holds", () => {
  const venue = new PaymentsVenue();
  venue.head(9);
  for (let output = 0; output < 500; output++) venue.seen("t1", "0.01", 10, { output });
  const settled = told(venue.head(11), "deposit_moved").filter(({ status }) => status === "finished");
  assert.equal(settled.length, 500);
  assert.equal(venue.balance(1, "BTC"), "5.00000000 + 0.00000000");
});

test("what cannot be a deposit is refused", () => {
  const venue = new PaymentsVenue();
  venue.head(100);
  for (const [done, refusal] of [
    [venue.seen("t", "1", 101, { ccy: "ETH" }), "asset_not_found"],
    [venue.seen("t", "1", 101, { ccy: "USDT" }), "chain_not_found"],
    [venue.seen("t", "0", 101), "invalid_command"],
    [venue.seen("t", "1001", 101), "invalid_command"],
    [venue.seen("", "1", 101), "invalid_command"],
    [venue.seen("t", "1", -1), "invalid_command"],
    [venue.seen("t", "1", 101, { toAddress: "a2" }), "address_not_found"],
    [venue.seen("t", "1", 96), "deposit_buried"],
    [venue.gone("t"), "deposit_not_found"],
    [venue.execute({ kind: "chain_head", chain: "NONE", height: 1 }), "chain_not_found"],
    [venue.execute({ kind: "chain_head", chain: "TEST", height: -1 }), "invalid_command"],
  ] as const) {
    assert.equal(done.refusal, refusal);
  }
});

test("dust is never credited, nobody has to do with it, and it is forgotten when its block is buried", () => {
  const venue = new PaymentsVenue();
  venue.head(9);
  assert.deepEqual(venue.seen("dust", "0.00099999", 0).result, { depositId: null });
  assert.deepEqual(venue.seen("dust", "0.00099999", 10).result, { depositId: 1 });
  assert.equal(venue.status(1), "too_small");
  venue.head(13);
  assert.equal(venue.balance(1, "BTC"), "0.00000000 + 0.00000000");
  venue.head(14);
  assert.equal(payments.of(venue.state).deposits.size, 0);
  // It does not make another address, either.
  assert.equal(venue.address(1, "a2", 1).refusal, "address_unused");
});

test("what is lost at a transfer is not credited, rounded down", () => {
  const venue = new PaymentsVenue({ deflationRate: "0.0333" });
  venue.seen("t", "0.12345678", 1);
  venue.head(2);
  assert.equal(venue.balance(1, "BTC"), "0.11934566 + 0.00000000");
});

test("the credit is put off by the delay of the chain", () => {
  const venue = new PaymentsVenue({ depositDelayMinutes: 2 });
  venue.seen("t", "1", 1);
  venue.head(2);
  venue.wait(119_999);
  assert.equal(venue.status(1), "confirming");
  venue.wait(1);
  assert.equal(venue.balance(1, "BTC"), "1.00000000 + 0.00000000");
  // And by none while the chain stands in another branch.
  venue.seen("u", "1", 3);
  venue.head(4);
  venue.seen("u", "1", 5);
  venue.wait(120_000);
  assert.equal(venue.status(2), "processing");
  venue.head(6);
  venue.wait(120_000);
  assert.equal(venue.status(2), "finished");
  venue.assertRepeatable(6);
  venue.assertRepeatable(9);
});

test("a deposit that its chain takes back before the credit is cancelled, and credited once when it comes back", () => {
  const venue = new PaymentsVenue();
  venue.seen("t", "1", 10);
  venue.head(10);
  venue.gone("t");
  assert.equal(venue.status(1), "cancelled");
  venue.head(12);
  assert.equal(venue.balance(1, "BTC"), "0.00000000 + 0.00000000");
  assert.deepEqual(venue.seen("t", "1", 13).result, { depositId: 1 });
  venue.head(14);
  assert.equal(venue.balance(1, "BTC"), "1.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("a credited deposit that its chain takes back is taken back; what was spent is owed, keeps the user from withdrawing, and is paid by what comes next", () => {
  const venue = new PaymentsVenue();
  venue.allow();
  venue.seen("t", "3", 10);
  venue.head(11);
  assert.equal(venue.balance(1, "BTC"), "3.00000000 + 0.00000000");
  // Spent before it was for good: between users too it may not go, so an adjustment stands for a trade.
  assert.equal(venue.withdraw("1", { method: "inter_user", toAddress: "ben" }).refusal, "reversible_deposit");
  venue.accept({ kind: "adjust_balance", userId: 1, ccy: "BTC", amount: "-2", note: "spent" });
  const done = venue.gone("t");
  assert.deepEqual(told(done, "deposit_taken_back"), [
    { type: "deposit_taken_back", depositId: 1, userId: 1, ccy: "BTC", taken: "1.00000000", owed: "2.00000000" },
  ]);
  assert.equal(venue.balance(1, "BTC"), "0.00000000 + 0.00000000");
  assert.equal(venue.status(1), "cancelled");
  venue.seen("u", "0.5", 12);
  venue.head(13);
  assert.equal(venue.balance(1, "BTC"), "0.00000000 + 0.00000000");
  venue.deposit(1, "BTC", "10");
  assert.equal(venue.withdraw("1").refusal, "withdraw_barred");
  venue.assertRepeatable();
  venue.head(14);
  assert.equal(venue.balance(1, "BTC"), "8.50000000 + 0.00000000");
  assert.equal(venue.withdraw("1").refusal, undefined);
  venue.assertRepeatable();
});

test("a payment without a memo, or with nobody's, waits for an operator, who gives it to a user or gives it up", () => {
  const venue = new PaymentsVenue();
  venue.address(1, "shared", 0, "MEMO", "100");
  venue.address(2, "shared", 0, "MEMO", "200");
  const memo = { chain: "MEMO", toAddress: "shared" };
  venue.seen("t1", "1", 1, { ...memo, memo: "200" });
  venue.seen("t2", "1", 1, memo);
  venue.seen("t3", "1", 1, { ...memo, memo: "300" });
  venue.head(2, "MEMO");
  assert.deepEqual([venue.status(1), venue.status(2), venue.status(3)], ["finished", "exception", "exception"]);
  assert.equal(venue.balance(2, "BTC"), "1.00000000 + 0.00000000");
  for (const [more, refusal] of [
    [{}, "invalid_command"],
    [{ assignTo: 1, cancel: true }, "invalid_command"],
    [{ assignTo: 99 }, "user_not_found"],
    [{ assignTo: 1, note: "" }, "invalid_command"],
    [{ assignTo: 1, depositId: 1 }, "deposit_status"],
    [{ assignTo: 1, depositId: 9 }, "deposit_not_found"],
  ] as const) {
    assert.equal(venue.execute({ kind: "resolve_deposit", depositId: 2, note: "he wrote", ...more }).refusal, refusal);
  }
  venue.accept({ kind: "resolve_deposit", depositId: 2, assignTo: 1, note: "he wrote" });
  assert.equal(venue.balance(1, "BTC"), "1.00000000 + 0.00000000");
  venue.accept({ kind: "resolve_deposit", depositId: 3, cancel: true, note: "nobody asked" });
  assert.equal(venue.status(3), "cancelled");
  // What was given up stays so, however often it is seen.
  venue.seen("t3", "1", 3, { ...memo, memo: "300" });
  venue.head(9, "MEMO");
  assert.equal(venue.balance(1, "BTC"), "1.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("a payment that is nobody's waits for an operator again when its chain drops it and shows it once more", () => {
  const venue = new PaymentsVenue();
  venue.address(1, "shared", 0, "MEMO", "100");
  const memo = { chain: "MEMO", toAddress: "shared" };
  venue.seen("t1", "1", 1, memo);
  venue.gone("t1", memo);
  assert.equal(venue.status(1), "cancelled");
  venue.seen("t1", "1", 2, memo);
  assert.equal(venue.status(1), "exception");
  venue.head(9, "MEMO");
  assert.equal(venue.status(1), "exception");
  venue.accept({ kind: "resolve_deposit", depositId: 1, assignTo: 1, note: "he wrote" });
  assert.equal(venue.balance(1, "BTC"), "1.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("deposits of a closed chain, and those beyond what the venue may hold, are exceptions until an operator lets them in", () => {
  const venue = new PaymentsVenue();
  venue.accept({ kind: "set_asset_chain", ccy: "BTC", settings: { ...CHAIN, depositEnabled: false } });
  venue.seen("t1", "1", 1);
  assert.equal(venue.status(1), "exception");
  venue.accept({ kind: "set_asset_chain", ccy: "BTC", settings: CHAIN });
  venue.deposit(2, "BTC", "999.5");
  venue.head(2);
  venue.accept({ kind: "resolve_deposit", depositId: 1, assignTo: 1, note: "open again" });
  assert.equal(venue.status(1), "exception");
  venue.accept({ kind: "adjust_balance", userId: 2, ccy: "BTC", amount: "-1", note: "room" });
  venue.accept({ kind: "resolve_deposit", depositId: 1, assignTo: 1, note: "room again" });
  assert.equal(venue.balance(1, "BTC"), "1.00000000 + 0.00000000");
});

test("settings changed under way hold from then on, and more confirmations never credit what was told before again", () => {
  const venue = new PaymentsVenue();
  venue.seen("t", "1", 10);
  venue.head(10);
  venue.accept({ kind: "set_asset_chain", ccy: "BTC", settings: { ...CHAIN, safeConfirmations: 5 } });
  venue.head(13);
  assert.equal(venue.status(1), "confirming");
  venue.accept({ kind: "set_asset_chain", ccy: "BTC", settings: CHAIN });
  assert.equal(venue.status(1), "finished");
  venue.head(20);
  assert.equal(venue.status(1), undefined);
  venue.accept({ kind: "set_asset_chain", ccy: "BTC", settings: { ...CHAIN, irreversibleConfirmations: 100 } });
  assert.equal(venue.seen("t", "1", 10).refusal, "deposit_buried");
  venue.assertRepeatable();
  const unsound = { ...CHAIN, withdrawalFee: "0.000000001" };
  assert.equal(venue.execute({ kind: "set_asset_chain", ccy: "BTC", settings: unsound }).refusal, "invalid_listing");
});

test("an address is one user's, is given once until it was used, and old ones go on receiving", () => {
  const venue = new PaymentsVenue();
  assert.deepEqual(venue.address(1, "other").result, { address: "a1", memo: "" });
  for (const [done, refusal] of [
    [venue.address(9, "x"), "user_not_found"],
    [venue.address(2, "x", 0, "NONE"), "chain_not_found"],
    [venue.address(2, "a1"), "address_taken"],
    [venue.address(2, ""), "invalid_command"],
    [venue.address(2, "x", 1), "address_superseded"],
    [venue.address(1, "a2", 1), "address_unused"],
  ] as const) {
    assert.equal(done.refusal, refusal);
  }
  venue.seen("t1", "1", 1);
  assert.deepEqual(venue.address(1, "a2", 1).result, { address: "a2", memo: "" });
  venue.seen("t2", "2", 1);
  venue.seen("t3", "4", 1, { toAddress: "a2" });
  venue.head(2);
  assert.equal(venue.balance(1, "BTC"), "7.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("what networks take is booked once, as what the venue owes itself", () => {
  const venue = new PaymentsVenue();
  venue.deposit(1, "BTC", "1");
  const cost = { kind: "network_paid", chain: "TEST", ccy: "BTC", amount: "0.1", reference: "sweep 1" } as const;
  venue.accept(cost);
  assert.deepEqual(venue.accept(cost).result, { repeated: true });
  assert.equal(venue.state.ledger.custody(0), 90_000_000n);
  // More than is held for users is the venue's own.
  venue.accept({ ...cost, amount: "1", reference: "sweep 2" });
  assert.equal(venue.state.ledger.custody(0), 0n);
  assert.equal(venue.execute({ ...cost, amount: "1001" }).refusal, "invalid_command");
  venue.assertRepeatable();
});
