import assert from "node:assert/strict";
import { test } from "node:test";
import { checkInvariants } from "../engine/invariants.ts";
import { CELL } from "../engine/ledger/cell.ts";
import { State } from "../engine/state.ts";
import { Guardian } from "./guardian.ts";

test("a breach is reported once, however often it is found, and a sound state never", () => {
  const state = new State();
  const reported: (readonly string[])[] = [];
  const checked: number[] = [];
  const guardian = new Guardian({
    state,
    check: checkInvariants,
    onBreach: (breaches) => reported.push(breaches),
    onChecked: (breaches) => checked.push(breaches.length),
  });
  assert.deepEqual(guardian.checkNow(), []);
  assert.deepEqual(reported, []);

  // A unit out of nowhere: no posting, no counterpart outside.
  state.enterAsset({
    id: 0,
    ccy: "BTC",
    fullName: "Bitcoin",
    scale: 8,
    maxCustody: 1_000n,
    websiteUrl: "",
    whitePaperUrl: "",
    isSt: false,
    interTransferEnabled: true,
    chains: [],
  });
  state.ledger.post(state.events, state.ledger.venueCell(CELL.fee, 0), 1n, 0n, 0, 0);
  assert.equal(guardian.checkNow().length > 0, true);
  guardian.checkNow();
  assert.equal(reported.length, 1);
  assert.equal(checked.length, 3);
});
