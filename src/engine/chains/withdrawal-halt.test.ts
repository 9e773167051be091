import assert from "node:assert/strict";
import { test } from "node:test";
import { PaymentsVenue, told } from "../../../test/support/payments-venue.ts";
import { haltOf } from "./withdrawal-halt.ts";

function funded(): PaymentsVenue {
  const venue = new PaymentsVenue();
  venue.allow();
  venue.deposit(venue.ann, "BTC", "10");
  return venue;
}

function missing(venue: PaymentsVenue, ...shortfalls: readonly (readonly [string, string])[]): void {
  const listed = shortfalls.map(([ccy, units]) => ({ ccy, missing: units }));
  venue.accept({ kind: "note_shortfalls", shortfalls: listed });
}

const resume = { kind: "resume_withdrawals", note: "Found." } as const;

test("a shortfall of one currency halts withdrawals over chains of all of them, and nothing else", () => {
  const venue = funded();
  const waiting = (venue.withdraw("1").result as { withdrawId: number }).withdrawId;
  const begun = (venue.withdraw("1").result as { withdrawId: number }).withdrawId;
  venue.accept({ kind: "withdrawal_started", withdrawId: begun });
  const done = venue.accept({ kind: "note_shortfalls", shortfalls: [{ ccy: "USDT", missing: "5" }] });
  assert.equal(told(done, "withdrawals_halted")[0]?.["reason"], haltOf(venue.state)?.reason);
  assert.match(haltOf(venue.state)?.reason ?? "", /^The ledger has 5\.0+ USDT more than all that holds it\.$/);
  assert.equal(venue.withdraw("1").refusal, "withdrawals_halted");
  assert.equal(venue.execute({ kind: "withdrawal_started", withdrawId: waiting }).refusal, "withdrawals_halted");
  const terms = { paymentId: `withdrawal ${begun}`, purpose: "withdrawal", fromAddress: "hot", nonce: 0 } as const;
  const paid = { ccy: "BTC", toAddress: "x1", memo: "", amount: "0.99950000", txId: "t", raw: "r" };
  const sign = { kind: "sign_payment", chain: "TEST", ...terms, ...paid } as const;
  assert.equal(venue.execute(sign).refusal, "payment_not_due");
  assert.equal(venue.withdraw("1", { method: "inter_user", toAddress: "ben" }).refusal, undefined);
  venue.accept({ kind: "cancel_withdrawal", userId: venue.ann, withdrawId: waiting });
  venue.accept(resume);
  assert.equal(venue.execute(sign).refusal, undefined);
  venue.assertRepeatable();
});

test("what is signed is carried out while withdrawals are halted", () => {
  const venue = funded();
  const { withdrawId } = venue.withdraw("1").result as { withdrawId: number };
  venue.accept({ kind: "withdrawal_started", withdrawId });
  venue.accept({ kind: "halt_withdrawals", reason: "A key ceremony." });
  venue.accept({ kind: "withdrawal_broadcast", withdrawId, txId: "t" });
  venue.accept({ kind: "withdrawal_mined", withdrawId, txId: "t", height: 5 });
  venue.head(20);
  assert.notEqual(venue.withdrawalStatus(withdrawId), "confirming");
});

test("what an operator has tolerated halts nothing again, and what is more does", () => {
  const venue = funded();
  const isHalted = () => haltOf(venue.state) !== undefined;
  const rows: readonly (readonly [missing: string, isHalted: boolean])[] = [
    ["5", true],
    ["6", true],
    ["resume", false],
    ["6", false],
    ["4", false],
    // What was found meanwhile is not tolerated a second time.
    ["5", true],
    ["resume", false],
    ["", false],
    ["0.00000001", true],
    ["", true],
    ["resume", false],
  ];
  for (const [at, [text, expected]] of rows.entries()) {
    if (text === "resume") venue.accept(resume);
    else missing(venue, ...(text === "" ? [] : ([["BTC", text]] as const)));
    assert.equal(isHalted(), expected, `row ${at}`);
  }
  venue.assertRepeatable();
});

test("halting twice, resuming what goes on, and words that say nothing are refused", () => {
  const venue = funded();
  assert.equal(venue.execute(resume).refusal, "withdrawals_not_halted");
  assert.equal(venue.execute({ kind: "halt_withdrawals", reason: "" }).refusal, "invalid_command");
  venue.accept({ kind: "halt_withdrawals", reason: "A drill." });
  assert.equal(venue.execute({ kind: "halt_withdrawals", reason: "A drill." }).refusal, "withdrawals_halted");
  assert.equal(venue.execute({ ...resume, note: "" }).refusal, "invalid_command");
  const twice = [
    { ccy: "BTC", missing: "1" },
    { ccy: "BTC", missing: "2" },
  ];
  const wrong = [
    twice,
    [{ ccy: "BTC", missing: "0" }],
    [{ ccy: "BTC", missing: "-1" }],
    [{ ccy: "NONE", missing: "1" }],
  ];
  for (const shortfalls of wrong) {
    assert.notEqual(venue.execute({ kind: "note_shortfalls", shortfalls }).refusal, undefined);
  }
});
