import assert from "node:assert/strict";
import { test } from "node:test";
import { CHAIN, PaymentsVenue, told } from "../../../test/support/payments-venue.ts";
import { paymentsDue } from "./pay.ts";

const DAY_MS = 86_400_000;

/** With 10 BTC of ann, and addresses that her keys may withdraw to. */
function fundedVenue(more: Partial<typeof CHAIN> = {}): PaymentsVenue {
  const venue = new PaymentsVenue(more);
  venue.deposit(venue.ann, "BTC", "10");
  venue.allow();
  venue.head(100);
  return venue;
}

test("a withdrawal is frozen, begun, broadcast, mined and finished, and the fee is taken out of it", () => {
  const venue = fundedVenue();
  assert.deepEqual(venue.withdraw("1").result, { withdrawId: 1 });
  assert.equal(venue.withdrawalStatus(1), "audited");
  assert.equal(venue.balance(1, "BTC"), "9.00000000 + 1.00000000");
  assert.deepEqual(
    paymentsDue(venue.state, "TEST").map(({ withdrawId, actualAmount }) => [withdrawId, actualAmount]),
    [[1, 99_950_000n]],
  );
  venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
  venue.accept({ kind: "withdrawal_broadcast", withdrawId: 1, txId: "w1" });
  assert.equal(venue.withdrawalStatus(1), "confirming");
  venue.accept({
    kind: "withdrawal_mined",
    withdrawId: 1,
    txId: "w1",
    height: 101,
    networkFeeCcy: "BTC",
    networkFee: "0.0001",
  });
  venue.head(101);
  assert.equal(venue.balance(1, "BTC"), "9.00000000 + 1.00000000");
  const [, last] = [venue.assertRepeatable(), venue.head(102)];
  assert.deepEqual(
    told(last, "withdrawal_moved").map(({ status, confirmations }) => [status, confirmations]),
    [["finished", 2]],
  );
  assert.equal(venue.balance(1, "BTC"), "9.00000000 + 0.00000000");
  assert.equal(venue.fees("BTC"), "0.00050000");
  // 10 less what was paid out and what the network took.
  assert.equal(venue.state.ledger.custody(0), 900_040_000n);
  venue.head(105);
  assert.equal(venue.withdrawalStatus(1), undefined);
  venue.assertRepeatable();
});

test("what may not be withdrawn is refused in a fixed order and freezes nothing", () => {
  const venue = fundedVenue();
  const sub = (venue.accept({ kind: "create_user", name: "sub", mainUserId: 1 }).result as { userId: number }).userId;
  venue.address(2, "b1");
  for (const [more, refusal] of [
    [{ userId: 99 }, "user_not_found"],
    [{ userId: sub }, "sub_account_withdrawal"],
    [{ ccy: "ETH" }, "asset_not_found"],
    [{ method: "by_post" }, "invalid_command"],
    [{ chain: "NONE" }, "chain_not_found"],
    [{ ccy: "USDT" }, "chain_not_found"],
    [{ amount: "0.0000001" }, "withdrawal_precision"],
    [{ amount: "-1" }, "withdrawal_precision"],
    [{ amount: "0" }, "invalid_command"],
    [{ toAddress: "" }, "invalid_command"],
    [{ remark: "x".repeat(257) }, "invalid_command"],
    [{ chain: "MEMO" }, "memo_required"],
    [{ toAddress: "a1" }, "own_address"],
    [{ toAddress: "b1" }, "own_address"],
    [{ toAddress: "x2" }, "withdraw_address_not_allowed"],
    [{ method: "inter_user", toAddress: "sub" }, "counterparty_not_found"],
    [{ method: "inter_user", toAddress: "1" }, "counterparty_not_found"],
    [{ method: "inter_user", toAddress: "nobody" }, "counterparty_not_found"],
    [{ amount: "0.009" }, "withdrawal_too_small"],
    [{ feeCcy: "ETH" }, "asset_not_found"],
    [{ feeCcy: "USDT" }, "no_index_price"],
    [{ amount: "10.000001" }, "insufficient_balance"],
  ] as const) {
    assert.equal(venue.withdraw("1", more).refusal, refusal, JSON.stringify(more));
  }
  assert.equal(venue.balance(1, "BTC"), "10.00000000 + 0.00000000");
  venue.accept({ kind: "set_asset_chain", ccy: "BTC", settings: { ...CHAIN, withdrawEnabled: false } });
  assert.equal(venue.withdraw("1").refusal, "withdrawals_closed");
  venue.accept({ kind: "set_inter_transfer", ccy: "BTC", enabled: false });
  assert.equal(venue.withdraw("1", { method: "inter_user", toAddress: "ben" }).refusal, "withdrawals_closed");
});

test("the fee in another currency is valued by index, rounded up, and frozen beside", () => {
  const venue = fundedVenue({ withdrawalFee: "0.00000001" });
  venue.listMarket("BTC", "USDT", { indexSources: [{ exchange: "one", weight: "1" }] });
  venue.spotIndex("30000.01");
  venue.deposit(1, "USDT", "0.0003");
  assert.equal(venue.withdraw("1", { feeCcy: "USDT" }).refusal, "insufficient_balance");
  venue.deposit(1, "USDT", "0.00000001");
  venue.accept({ kind: "adjust_balance", userId: 1, ccy: "USDT", amount: "0.00000009", note: "enough" });
  venue.withdraw("1", { feeCcy: "USDT" });
  // 0.00000001 at 30000.01 is 0.0003000001 USDT.
  assert.equal(venue.balance(1, "USDT"), "0.00000009 + 0.00030001");
  venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
  venue.accept({ kind: "withdrawal_mined", withdrawId: 1, txId: "w1", height: 101 });
  venue.head(102);
  assert.equal(venue.balance(1, "USDT"), "0.00000009 + 0.00000000");
  assert.equal(venue.fees("USDT"), "0.00030001");
  assert.equal(venue.state.ledger.custody(0), 900_000_000n);
});

test("between users the amount changes hands at once, without a fee", () => {
  const venue = fundedVenue();
  const done = venue.withdraw("1.23456789", { method: "inter_user", chain: "", toAddress: "ben", feeCcy: "USDT" });
  assert.equal(done.refusal, undefined);
  assert.equal(venue.balance(1, "BTC"), "8.76543211 + 0.00000000");
  assert.equal(venue.balance(2, "BTC"), "1.23456789 + 0.00000000");
  assert.deepEqual(
    told(done, "withdrawal_moved").map(({ status }) => status),
    ["created", "finished"],
  );
  assert.deepEqual(
    told(done, "deposit_moved").map(({ userId, status, txId }) => [userId, status, txId]),
    [[2, "finished", ""]],
  );
});

test("what is above the review bound waits for an operator, who lets it go or stops it; between users as well", () => {
  const venue = fundedVenue();
  venue.withdraw("1", { needsReview: true });
  venue.withdraw("2", { needsReview: true });
  venue.withdraw("3", { needsReview: true, method: "inter_user", toAddress: "2" });
  assert.deepEqual(paymentsDue(venue.state, "TEST"), []);
  const review = (withdrawId: number, approve: boolean, note = "looked at") =>
    venue.execute({ kind: "review_withdrawal", withdrawId, approve, note });
  assert.equal(review(9, true).refusal, "withdrawal_not_found");
  assert.equal(review(1, true, "").refusal, "invalid_command");
  assert.deepEqual(review(1, true).result, { withdrawId: 1, status: "audited" });
  assert.equal(review(1, true).refusal, "withdrawal_status");
  assert.deepEqual(review(2, false).result, { withdrawId: 2, status: "failed" });
  assert.deepEqual(review(3, true).result, { withdrawId: 3, status: "finished" });
  assert.equal(venue.balance(1, "BTC"), "6.00000000 + 1.00000000");
  assert.equal(venue.balance(2, "BTC"), "3.00000000 + 0.00000000");
  assert.deepEqual(review(1, false).result, { withdrawId: 1, status: "cancelled" });
  assert.equal(venue.balance(1, "BTC"), "7.00000000 + 0.00000000");
  venue.assertRepeatable(12);
});

test("a user cancels until the venue begins to pay, and only his own", () => {
  const venue = fundedVenue();
  const cancel = (userId: number, withdrawId: number) =>
    venue.execute({ kind: "cancel_withdrawal", userId, withdrawId }).refusal;
  venue.withdraw("1");
  venue.withdraw("2", { needsReview: true });
  assert.equal(cancel(2, 1), "withdrawal_not_found");
  assert.equal(cancel(1, 2), undefined);
  venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
  assert.equal(cancel(1, 1), "withdrawal_status");
  assert.equal(cancel(1, 2), "withdrawal_not_found");
  assert.equal(venue.balance(1, "BTC"), "9.00000000 + 1.00000000");
  // Nothing is begun twice, nor what was cancelled.
  assert.equal(venue.execute({ kind: "withdrawal_started", withdrawId: 1 }).refusal, "withdrawal_status");
  assert.equal(venue.execute({ kind: "withdrawal_started", withdrawId: 2 }).refusal, "withdrawal_not_found");
});

test("a stop that comes too late ends finished or failed", () => {
  const venue = fundedVenue();
  for (const withdrawId of [1, 2]) {
    venue.withdraw("1");
    venue.accept({ kind: "withdrawal_started", withdrawId });
    assert.equal(venue.execute({ kind: "withdrawal_unstoppable", withdrawId }).refusal, "withdrawal_status");
    venue.accept({ kind: "review_withdrawal", withdrawId, approve: false, note: "stolen key" });
    venue.accept({ kind: "withdrawal_broadcast", withdrawId, txId: `w${withdrawId}` });
    venue.accept({ kind: "withdrawal_unstoppable", withdrawId });
    assert.equal(venue.withdrawalStatus(withdrawId), "cancellation_failed");
  }
  venue.accept({ kind: "withdrawal_mined", withdrawId: 1, txId: "w1", height: 101 });
  assert.equal(venue.withdrawalStatus(1), "cancellation_failed");
  venue.head(102);
  assert.equal(venue.withdrawalStatus(1), "finished");
  venue.accept({ kind: "withdrawal_failed", withdrawId: 2, reason: "the block says that nothing moved" });
  assert.equal(venue.balance(1, "BTC"), "9.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("a chain that takes a withdrawal back has it sent again; after its confirmations somebody is told and nothing is paid twice", () => {
  const venue = fundedVenue();
  venue.withdraw("1");
  venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
  venue.accept({ kind: "withdrawal_mined", withdrawId: 1, txId: "w1", height: 101 });
  venue.head(101);
  venue.accept({ kind: "withdrawal_gone", withdrawId: 1 });
  venue.head(103);
  assert.equal(venue.withdrawalStatus(1), "confirming");
  venue.accept({ kind: "withdrawal_mined", withdrawId: 1, txId: "w1b", height: 104 });
  venue.head(105);
  assert.equal(venue.withdrawalStatus(1), "finished");
  const lost = venue.execute({ kind: "withdrawal_gone", withdrawId: 1 });
  assert.deepEqual(told(lost, "withdrawal_lost"), [
    { type: "withdrawal_lost", withdrawId: 1, chain: "TEST", txId: "w1b" },
  ]);
  assert.equal(venue.execute({ kind: "withdrawal_failed", withdrawId: 1, reason: "" }).refusal, "withdrawal_status");
  assert.equal(venue.balance(1, "BTC"), "9.00000000 + 0.00000000");
  venue.assertRepeatable();
});

test("a day's limit holds for what is not given back, a user's own comes first, and midnight begins anew", () => {
  const venue = fundedVenue();
  const limit = (amount: string | null, userId?: number) =>
    venue.accept({ kind: "set_withdraw_limit", userId, ccy: "BTC", amount });
  limit("3");
  venue.withdraw("1", { method: "inter_user", toAddress: "ben" });
  venue.withdraw("1");
  assert.equal(venue.withdraw("1.5").refusal, "withdrawal_limit");
  venue.accept({ kind: "cancel_withdrawal", userId: 1, withdrawId: 2 });
  assert.equal(venue.withdraw("1.5").refusal, undefined);
  limit("2.6", 1);
  assert.equal(venue.withdraw("0.2").refusal, "withdrawal_limit");
  limit(null, 1);
  assert.equal(venue.withdraw("0.5").refusal, undefined);
  assert.equal(venue.withdraw("0.01").refusal, "withdrawal_limit");
  venue.assertRepeatable();
  venue.wait(DAY_MS);
  assert.equal(venue.withdraw("3").refusal, undefined);
  // What yesterday's comes to changes nothing of today.
  venue.accept({ kind: "cancel_withdrawal", userId: 1, withdrawId: 3 });
  assert.equal(venue.withdraw("0.01").refusal, "withdrawal_limit");
});

test("operators keep the list of addresses; an entry without memo lets any memo through", () => {
  const venue = fundedVenue();
  const allow = (chain: string, address: string, memo = "") =>
    venue.execute({ kind: "allow_withdraw_address", userId: 1, chain, address, memo, remark: "" });
  assert.equal(allow("NONE", "x").refusal, "chain_not_found");
  assert.equal(allow("", "nobody").refusal, "user_not_found");
  assert.equal(allow("TEST", "").refusal, "invalid_command");
  assert.deepEqual(allow("TEST", "x1").result, { addressId: 1 });
  assert.deepEqual(allow("MEMO", "x2", "7").result, { addressId: 4 });
  assert.equal(
    venue.withdraw("1", { chain: "MEMO", toAddress: "x2", memo: "8" }).refusal,
    "withdraw_address_not_allowed",
  );
  assert.equal(venue.withdraw("1", { chain: "MEMO", toAddress: "x2", memo: "7" }).refusal, undefined);
  assert.equal(venue.withdraw("1", { chain: "MEMO", toAddress: "x1", memo: "9" }).refusal, undefined);
  venue.accept({ kind: "forbid_withdraw_address", addressId: 1 });
  assert.equal(venue.withdraw("1").refusal, "withdraw_address_not_allowed");
  assert.equal(venue.execute({ kind: "forbid_withdraw_address", addressId: 1 }).refusal, "address_not_found");
  venue.assertRepeatable();
});

test("a user has so many withdrawals under way and no more", () => {
  const venue = fundedVenue();
  for (let made = 0; made < 100; made++) assert.equal(venue.withdraw("0.01").refusal, undefined);
  assert.equal(venue.withdraw("0.01").refusal, "too_many_withdrawals");
  venue.accept({ kind: "cancel_withdrawal", userId: 1, withdrawId: 50 });
  assert.equal(venue.withdraw("0.01").refusal, undefined);
});
