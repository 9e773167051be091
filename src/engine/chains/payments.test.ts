import assert from "node:assert/strict";
import { test } from "node:test";
import { Venue } from "../../../test/support/venue.ts";
import { EventAudit } from "../audit/event-audit.ts";
import { checkInvariants } from "../invariants.ts";
import type { Refusal } from "../refusal.ts";
import { findChainBook } from "./chain-book.ts";
import type { SignPayment } from "./forms.ts";

const FIRST: SignPayment = {
  kind: "sign_payment",
  chain: "ERC20",
  paymentId: "withdrawal 1",
  purpose: "withdrawal",
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
  [{ paymentId: "withdrawal 2", txId: "d" }, "nonce_taken"],
  [{ paymentId: "withdrawal 2", txId: "d", nonce: 6 }, "nonce_taken"],
  [{ paymentId: "withdrawal 2", txId: "d", nonce: -1 }, "invalid_command"],
  [{ paymentId: "withdrawal 2", txId: "d", nonce: 8, amount: "0" }, "invalid_command"],
  [{ paymentId: "withdrawal 2", txId: "", nonce: 8 }, "invalid_command"],
  [{ paymentId: "withdrawal 2", txId: "d", nonce: 8, ccy: "NONE" }, "asset_not_found"],
  [{ paymentId: "withdrawal 2", txId: "d", nonce: 9 }, undefined],
  [{ paymentId: "withdrawal 2", txId: "d", nonce: 7, chain: "TRC20" }, undefined],
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
      ["withdrawal 1", 7, ["a", "b"]],
      ["withdrawal 2", 9, ["d"]],
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
    paymentId: "withdrawal 1",
    txId: "a",
    failed: false,
  } as const;
  assert.equal(venue.execute({ ...settle, txId: "b" }).refusal, "payment_differs");
  assert.equal(venue.execute({ ...settle, chain: "TRC20" }).refusal, "payment_not_due");
  venue.accept(settle);
  assert.equal(venue.execute(settle).refusal, "payment_not_due");
  assert.equal(venue.execute({ ...FIRST, paymentId: "withdrawal 2" }).refusal, "nonce_taken");
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
  venue.accept({ ...FIRST, paymentId: "withdrawal 2", nonce: 8, txId: "b" });
  const audit = new EventAudit(venue.state);
  const payment = findChainBook(venue.state, "ERC20")?.payments.get("withdrawal 2") as { nonce: number };
  payment.nonce = 7;
  assert.deepEqual(checkInvariants(venue.state), ["withdrawal 2 shares nonce 7 of hot on ERC20."]);
  assert.deepEqual(audit.compare(), ["Events tell of withdrawal 2 on ERC20 otherwise than the state."]);
});
