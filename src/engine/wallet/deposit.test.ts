import assert from "node:assert/strict";
import { test } from "node:test";
import { Venue } from "../../../test/support/venue.ts";
import { CELL } from "../ledger/cell.ts";
import type { Refusal } from "../refusal.ts";
import type { Deposit } from "./command-schemas.ts";

/**
 * Deposits one after the other to user 1 unless told otherwise; the venue may hold 100 USDT, of which it gets ever
 * more.
 */
const DEPOSITS: readonly (readonly [Partial<Deposit>, Refusal | undefined])[] = [
  [{ amount: "10" }, undefined],
  [{ amount: "0.00000001" }, undefined],
  [{ amount: "0.000000001" }, "invalid_command"],
  [{ amount: "0.0000000100" }, undefined],
  [{ amount: "0" }, "invalid_command"],
  [{ amount: "-1" }, "invalid_command"],
  [{ amount: "+1" }, "invalid_command"],
  [{ amount: "1e1" }, "invalid_command"],
  [{ amount: " 1" }, "invalid_command"],
  [{ amount: "" }, "invalid_command"],
  [{ amount: "89.99999999" }, "custody_limit"],
  [{ amount: "9999999999999999999" }, "custody_limit"],
  [{ amount: "1", ccy: "NONE" }, "asset_not_found"],
  [{ amount: "1", userId: 99 }, "user_not_found"],
  [{ amount: "1", userId: 0 }, "user_not_found"],
  [{ amount: "1", userId: undefined }, "invalid_command"],
  [{ amount: "1", cell: "sys:ins_futures" }, "invalid_command"],
  [{ amount: "1", userId: undefined, cell: "sys:fee" }, "cell_not_found"],
  [{ amount: "1", userId: undefined, cell: "ext" }, "cell_not_found"],
  [{ amount: "1", userId: undefined, cell: "sys:ins_futures" }, undefined],
  [{ amount: "2", userId: undefined, cell: "sys:ins_margin" }, undefined],
  [{ amount: "3", userId: undefined, cell: "sys:lend_pool" }, undefined],
  [{ amount: "83.99999999" }, "custody_limit"],
  [{ amount: "83.99999998" }, undefined],
  [{ amount: "0.00000001" }, "custody_limit"],
];

test("deposits come from outside, whole units of the asset, up to the largest custody and not a unit beyond (L2)", () => {
  const venue = new Venue();
  venue.listAsset("USDT", 8, "100");
  venue.addUser("user");
  for (const [change, refusal] of DEPOSITS) {
    const done = venue.execute({ kind: "deposit", userId: 1, ccy: "USDT", amount: "1", note: "n", ...change });
    assert.equal(done.refusal, refusal, JSON.stringify(change));
  }
  const { ledger } = venue.state;
  assert.equal(ledger.custody(0), 100_00000000n);
  assert.equal(venue.balance(1, "USDT"), "94.00000000 + 0.00000000");
  assert.equal(ledger.available(ledger.venueCell(CELL.insurance_futures, 0)), 1_00000000n);
  assert.equal(ledger.available(ledger.venueCell(CELL.outside, 0)), -100_00000000n);
  venue.assertRepeatable();
});

test("a deposit answers its id and is told with its amount at the asset's scale", () => {
  const venue = new Venue();
  venue.listAsset("USDT", 6);
  venue.addUser("user", { USDT: "1" });
  const done = venue.accept({ kind: "deposit", userId: 1, ccy: "USDT", amount: "2.5", note: "second" });
  assert.deepEqual(done.result, { depositId: 2 });
  assert.deepEqual(done.events.at(-1), {
    kind: "json",
    event: { type: "deposited", depositId: 2, userId: 1, cell: null, ccy: "USDT", amount: "2.500000", note: "second" },
  });
});

test("an asset of scale 0 takes all that int64 holds", () => {
  const venue = new Venue();
  venue.listAsset("BIG", 0);
  venue.addUser("user", { BIG: "9223372036854775807" });
  assert.equal(venue.balance(1, "BIG"), "9223372036854775807 + 0");
});
