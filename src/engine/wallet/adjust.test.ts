import assert from "node:assert/strict";
import { test } from "node:test";
import { PaymentsVenue } from "../../../test/support/payments-venue.ts";
import { Venue } from "../../../test/support/venue.ts";
import { CELL } from "../ledger/cell.ts";
import type { Refusal } from "../refusal.ts";
import type { AdjustBalance } from "./command-schemas.ts";

/**
 * Adjustments one after the other, of user 1 in USDT and against the outside world unless told otherwise. The user
 * begins with 10 USDT, 4 of them frozen; the venue may hold 100, and holds 11, 1 of them in its fund for futures.
 */
const ADJUSTMENTS: readonly (readonly [Partial<AdjustBalance>, Refusal | undefined, detail?: RegExp])[] = [
  [{ amount: "-6.00000001" }, "insufficient_balance", /6\.00000000 USDT available/],
  [{ amount: "-6" }, undefined],
  [{ amount: "-0.00000001" }, "insufficient_balance", /0\.00000000 USDT available/],
  [{ amount: "95" }, undefined],
  [{ amount: "0.00000001" }, "custody_limit", /holds at most 100\.00000000 USDT/],
  [{ amount: "-95.0" }, undefined],
  [{ amount: "2", cell: "sys:ins_futures" }, "insufficient_balance", /sys:ins_futures holds 1\.00000000 USDT/],
  [{ amount: "1", cell: "sys:ins_futures" }, undefined],
  [{ amount: "0.5", cell: "sys:fee" }, "insufficient_balance", /sys:fee holds 0\.00000000 USDT/],
  [{ amount: "-0.25", cell: "sys:fee" }, undefined],
  [{ amount: "0.25", cell: "sys:fee" }, undefined],
  [{ amount: "1", cell: "sys:interest" }, "insufficient_balance", /sys:interest holds 0\.00000000 USDT/],
  [{ amount: "1", cell: "sys:clearing" }, "cell_not_found", /one of sys:fee, sys:ins_futures/],
  [{ amount: "1", cell: "ext" }, "cell_not_found"],
  [{ amount: "0" }, "invalid_command"],
  [{ amount: "-0" }, "invalid_command"],
  [{ amount: "" }, "invalid_command"],
  [{ amount: "-" }, "invalid_command"],
  [{ amount: "--1" }, "invalid_command"],
  [{ amount: "+1" }, "invalid_command"],
  [{ amount: "1e1" }, "invalid_command"],
  [{ amount: "-0.000000001" }, "invalid_command"],
  [{ amount: "-9999999999999999999" }, "insufficient_balance"],
  [{ amount: "9999999999999999999" }, "custody_limit"],
  [{ note: "" }, "invalid_command", /note must say why/],
  [{ ccy: "NONE" }, "asset_not_found"],
  [{ userId: 0 }, "user_not_found"],
  [{ userId: 99 }, "user_not_found"],
  [{ userId: 2, amount: "-1" }, "insufficient_balance"],
];

test("an adjustment changes what is available and the custody, or a cell of the venue, and neither below zero", () => {
  const venue = adjustedVenue();
  for (const [change, refusal, detail = /./] of ADJUSTMENTS) {
    const done = venue.execute({ ...ADJUSTMENT, ...change });
    assert.equal(done.refusal, refusal, `${JSON.stringify(change)} ${done.detail}`);
    if (refusal !== undefined) assert.match(done.detail ?? "", detail);
  }
  const { ledger } = venue.state;
  assert.equal(venue.balance(1, "USDT"), "1.00000000 + 4.00000000");
  assert.equal(ledger.available(ledger.venueCell(CELL.fee, 0)), 0n);
  assert.equal(ledger.custody(0), 5_00000000n);
  venue.assertRepeatable();
});

test("an adjustment answers its id, and is told with its note; its postings bear the id and sum to zero", () => {
  const venue = adjustedVenue();
  const done = venue.accept({ ...ADJUSTMENT, amount: "-2.5", note: "booked twice" });
  assert.deepEqual(done.result, { adjustmentId: 1 });
  assert.deepEqual(done.events.at(-1), {
    kind: "json",
    event: {
      type: "adjusted",
      adjustmentId: 1,
      userId: 1,
      cell: null,
      ccy: "USDT",
      amount: "-2.50000000",
      note: "booked twice",
    },
  });
  const postings = done.events.filter((event) => event.kind === "posting");
  assert.deepEqual(
    postings.map(({ userId, posting, available, frozen, ref }) => [userId, posting, available, frozen, ref]),
    [
      [-1, "adjust", 2_50000000n, 0n, 1],
      [1, "adjust", -2_50000000n, 0n, 1],
    ],
  );
  assert.deepEqual(venue.accept(ADJUSTMENT).result, { adjustmentId: 2 });
});

const ADJUSTMENT: AdjustBalance = { kind: "adjust_balance", userId: 1, ccy: "USDT", amount: "1", note: "a correction" };

function adjustedVenue(): Venue {
  const venue = new Venue();
  venue.listAsset("USDT", 8, "100");
  venue.listAsset("BTC");
  venue.listMarket("BTC", "USDT");
  const user = venue.addUser("user", { USDT: "10" });
  venue.addUser("other");
  venue.put(user, "buy 1 @ 4.00");
  venue.accept({ kind: "deposit", cell: "sys:ins_futures", ccy: "USDT", amount: "1", note: "" });
  return venue;
}

test("an adjustment takes no more out of the venue than it holds, though a user has it", () => {
  const venue = new PaymentsVenue();
  venue.listMarket("BTC", "USDT");
  venue.deposit(venue.ben, "USDT", "100");
  venue.seen("t", "10", 10);
  venue.head(13);
  venue.put(venue.ann, "sell 10 @ 10");
  venue.put(venue.ben, "buy 10 @ 10");
  // Its chain takes the deposit back, of which the venue holds nothing any more.
  venue.gone("t");
  assert.equal(venue.state.ledger.custody(venue.assetNamed("BTC").id), 0n);
  const less = { kind: "adjust_balance", userId: venue.ben, ccy: "BTC", amount: "-0.00000001", note: "none" } as const;
  const { refusal, detail } = venue.execute(less);
  assert.equal(refusal, "insufficient_balance");
  assert.match(detail ?? "", /The venue holds less BTC/);
  venue.assertRepeatable();
});
