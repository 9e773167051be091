import assert from "node:assert/strict";
import { test } from "node:test";
import { PaymentsVenue } from "../../../test/support/payments-venue.ts";
import { Venue } from "../../../test/support/venue.ts";
import { EventAudit } from "../audit/event-audit.ts";
import { checkInvariants } from "../invariants.ts";
import type { Refusal } from "../refusal.ts";
import { findChainBook } from "./chain-book.ts";
import type { SignPayment } from "./command-schemas.ts";

const FIRST: SignPayment = {
  kind: "sign_payment",
  chain: "ERC20",
  paymentId: "cold 1",
  purpose: "cold",
  fromAddress: "hot",
  nonce: 7,
  ccy: "USDT",
  toAddress: "somebody",
  memo: "",
  amount: "12.5",
  txId: "a",
  raw: "raw of a",
};

/** Signatures one after the other, each changing the first; the account hot has used nonces up to 7 by then. */
const SIGNATURES: readonly (readonly [Partial<SignPayment>, Refusal | undefined])[] = [
  [{}, undefined],
  [{}, undefined],
  [{ raw: "another form" }, "payment_differs"],
  [{ txId: "b", raw: "raw of b" }, undefined],
  [{ txId: "c", nonce: 8 }, "payment_differs"],
  [{ txId: "c", fromAddress: "another" }, "payment_differs"],
  [{ txId: "c", amount: "12.50" }, "payment_differs"],
  [{ txId: "c", toAddress: "somebody else" }, "payment_differs"],
  [{ txId: "c", memo: "1" }, "payment_differs"],
  [{ txId: "c", ccy: "BTC" }, "payment_differs"],
  [{ paymentId: "cold 2", txId: "d" }, "nonce_taken"],
  [{ paymentId: "cold 2", txId: "d", nonce: 6 }, "nonce_taken"],
  [{ paymentId: "cold 2", txId: "d", nonce: -1 }, "invalid_command"],
  [{ paymentId: "cold 2", txId: "d", nonce: 8, amount: "0" }, "invalid_command"],
  [{ paymentId: "cold 2", txId: "", nonce: 8 }, "invalid_command"],
  [{ paymentId: "cold 2", txId: "d", nonce: 8, ccy: "NONE" }, "asset_not_found"],
  [{ paymentId: "cold 2", txId: "d", nonce: 9 }, undefined],
  [{ paymentId: "cold 2", txId: "d", nonce: 7, chain: "TRC20" }, undefined],
];

function bookVenue(): Venue {
  const venue = new Venue();
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  return venue;
}

test("a payment is signed with one sender and nonce for ever, and no other payment gets them", () => {
  const venue = bookVenue();
  for (const [change, refusal] of SIGNATURES) {
    assert.equal(venue.execute({ ...FIRST, ...change }).refusal, refusal, JSON.stringify(change));
  }
  const book = findChainBook(venue.state, "ERC20");
  assert.deepEqual(
    [...(book?.payments.values() ?? [])].map(({ id, nonce, signed }) => [id, nonce, signed.map(({ txId }) => txId)]),
    [
      ["cold 1", 7, ["a", "b"]],
      ["cold 2", 9, ["d"]],
    ],
  );
  venue.assertRepeatable();
});

test("a payment that is settled is out no more, and its nonce stays used", () => {
  const venue = bookVenue();
  venue.accept(FIRST);
  const settle = {
    kind: "settle_payment",
    chain: "ERC20",
    paymentId: "cold 1",
    txId: "a",
    failed: false,
  } as const;
  assert.equal(venue.execute({ ...settle, txId: "b" }).refusal, "payment_differs");
  assert.equal(venue.execute({ ...settle, chain: "TRC20" }).refusal, "payment_not_due");
  venue.accept(settle);
  assert.equal(venue.execute(settle).refusal, "payment_not_due");
  assert.equal(venue.execute({ ...FIRST, paymentId: "cold 2" }).refusal, "nonce_taken");
  venue.assertRepeatable();
});

test("a swept address is forgotten, unless more came after what was swept", () => {
  const venue = bookVenue();
  const userId = venue.addUser("ann");
  const box = { chain: "ERC20", address: "box", ccy: "USDT" } as const;
  const unswept = () => findChainBook(venue.state, "ERC20")?.unswept.size;
  venue.accept({ kind: "note_unswept", ...box, userId, renewals: 0, height: 5 });
  venue.accept({ kind: "note_unswept", ...box, userId, renewals: 0, height: 9 });
  venue.accept({ kind: "forget_unswept", ...box, height: 8 });
  assert.equal(unswept(), 1);
  venue.assertRepeatable();
  venue.accept({ kind: "forget_unswept", ...box, height: 9 });
  assert.equal(unswept(), 0);
  venue.accept({ kind: "forget_unswept", ...box, height: 9 });
});

test("a seed is kept once, and sealed anew", () => {
  const venue = bookVenue();
  const keep = { kind: "keep_chain_seed", chain: "ERC20", seedCipher: "one" } as const;
  venue.accept(keep);
  assert.equal(venue.execute(keep).refusal, "seed_kept");
  assert.equal(
    venue.execute({ kind: "reseal_chain_seeds", seeds: [{ chain: "TRC20", seedCipher: "x" }] }).refusal,
    "invalid_command",
  );
  venue.accept({ kind: "reseal_chain_seeds", seeds: [{ chain: "ERC20", seedCipher: "two" }] });
  assert.equal(findChainBook(venue.state, "ERC20")?.seedCipher, "two");
  venue.assertRepeatable();
});

test("two payments that share a nonce are found by the invariants and by the audit", () => {
  const venue = bookVenue();
  venue.accept(FIRST);
  venue.accept({ ...FIRST, paymentId: "cold 2", nonce: 8, txId: "b" });
  const audit = new EventAudit(venue.state);
  const payment = findChainBook(venue.state, "ERC20")?.payments.get("cold 2") as { nonce: number };
  payment.nonce = 7;
  assert.deepEqual(checkInvariants(venue.state), ["cold 2 shares nonce 7 of hot on ERC20."]);
  assert.deepEqual(audit.compare(), ["Events tell of cold 2 on ERC20 otherwise than the state."]);
});

test("a withdrawal is signed as it was asked for, once it has begun, and kept until it is finished", () => {
  const venue = new PaymentsVenue();
  venue.deposit(venue.ann, "BTC", "5");
  venue.allow();
  venue.withdraw("1");
  const sign = { ...FIRST, paymentId: "withdrawal 1", purpose: "withdrawal", chain: "TEST", ccy: "BTC" } as const;
  const right = { ...sign, toAddress: "x1", amount: "0.99950000" } as const;
  assert.equal(venue.execute(right).refusal, "payment_not_due", "nobody has begun to pay it");
  venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
  for (const wrong of [{ amount: "1" }, { toAddress: "x2" }, { memo: "1" }, { paymentId: "withdrawal 2" }]) {
    assert.equal(venue.execute({ ...right, ...wrong }).refusal, "payment_not_due", JSON.stringify(wrong));
  }
  venue.accept(right);
  const settle = {
    kind: "settle_payment",
    chain: "TEST",
    paymentId: "withdrawal 1",
    txId: "a",
    failed: false,
  } as const;
  const fail = { kind: "withdrawal_failed", withdrawId: 1, reason: "" } as const;
  assert.equal(venue.execute(fail).refusal, "withdrawal_status", "what is signed may still be carried out");
  venue.accept({ kind: "withdrawal_mined", withdrawId: 1, txId: "a", height: 1 });
  assert.equal(venue.execute(settle).refusal, "payment_not_due");
  venue.head(2);
  assert.equal(venue.withdrawalStatus(1), "finished");
  venue.accept(settle);
  assert.equal(venue.execute(right).refusal, "nonce_taken");
  assert.equal(venue.execute({ ...right, nonce: 8 }).refusal, "payment_not_due", "it is paid");
  venue.assertRepeatable();
});

test("a withdrawal whose transaction moved nothing is given back, and never signed again", () => {
  const venue = new PaymentsVenue();
  venue.deposit(venue.ann, "BTC", "5");
  venue.allow();
  venue.withdraw("1");
  venue.accept({ kind: "withdrawal_started", withdrawId: 1 });
  const terms = { paymentId: "withdrawal 1", purpose: "withdrawal", chain: "TEST", ccy: "BTC" } as const;
  const sign = { ...FIRST, ...terms, toAddress: "x1", amount: "0.99950000" } as const;
  venue.accept(sign);
  venue.accept({ kind: "settle_payment", chain: "TEST", paymentId: "withdrawal 1", txId: "a", failed: true });
  venue.accept({ kind: "withdrawal_failed", withdrawId: 1, reason: "It moved nothing." });
  assert.equal(venue.execute({ ...sign, nonce: 8 }).refusal, "payment_not_due");
  assert.equal(venue.balance(venue.ann, "BTC"), "5.00000000 + 0.00000000");
  venue.assertRepeatable();
});
