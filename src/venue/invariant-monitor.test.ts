import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Venue } from "../../test/support/venue.ts";
import { CELL } from "../engine/ledger/cell.ts";
import { POSTING } from "../engine/ledger/posting.ts";
import { InvariantMonitor } from "./invariant-monitor.ts";

/** A state with a user who has money, and its invariant monitor with what that reports. */
function guarded(t: TestContext, liveMax?: number) {
  const venue = new Venue();
  venue.listAsset("USDT");
  const userId = venue.addUser("ann");
  venue.deposit(userId, "USDT", "100");
  const reported: (readonly string[])[] = [];
  const checked: number[] = [];
  const failed: Error[] = [];
  const invariantMonitor = new InvariantMonitor({
    state: venue.state,
    onBreach: (breaches) => reported.push(breaches),
    onChecked: (breaches) => checked.push(breaches.length),
    onFailed: (error) => failed.push(error),
    ...(liveMax === undefined ? {} : { liveMax }),
  });
  t.after(() => invariantMonitor.stop());
  /** A unit out of nowhere: no counterpart outside. */
  const breakIt = () => {
    const { ledger, events } = venue.state;
    ledger.post(events, ledger.venueCell(CELL.fee, 0), 1n, 0n, POSTING.adjust, 0);
  };
  return { venue, userId, invariantMonitor, reported, checked, failed, breakIt };
}

for (const [how, liveMax] of [
  ["of a small state, which is looked at as it is,", undefined],
  ["of a large state, of which a copy is looked at,", 0],
] as const) {
  test(`a breach ${how} is reported once, however often it is found, and a sound state never`, async (t) => {
    const { invariantMonitor, reported, checked, breakIt } = guarded(t, liveMax);
    assert.deepEqual((await invariantMonitor.audit()).breaches, []);
    assert.deepEqual(reported, []);
    breakIt();
    assert.equal((await invariantMonitor.audit()).ok, false);
    await invariantMonitor.audit();
    assert.equal(reported.length, 1);
    assert.deepEqual(
      checked.map((breaches) => breaches > 0),
      [false, true, true],
    );
  });
}

test("an audit of a copy says what an audit of the state itself says", async (t) => {
  const live = guarded(t);
  const copied = guarded(t, 0);
  assert.deepEqual(await copied.invariantMonitor.audit(), await live.invariantMonitor.audit());
});

test("an audit that is asked for while another one runs sees what was done before it was asked for, and shares its copy", async (t) => {
  const { venue, userId, invariantMonitor, checked } = guarded(t, 0);
  const first = invariantMonitor.audit();
  // By now its copy is taken.
  await turn();
  venue.deposit(userId, "USDT", "5");
  const [one, two, three] = await Promise.all([first, invariantMonitor.audit(), invariantMonitor.audit()]);
  assert.deepEqual(
    [one, two, three].map(({ totals }) => totals[0]?.custody.replace(/\.?0+$/, "")),
    ["100", "105", "105"],
  );
  assert.deepEqual(checked, [0, 0]);
});

test("an audit of a copy ends with the venue", async (t) => {
  const { invariantMonitor, failed } = guarded(t, 0);
  const asked = invariantMonitor.audit();
  invariantMonitor.stop();
  await assert.rejects(asked);
  await assert.rejects(invariantMonitor.audit(), /stopping/);
  assert.deepEqual(failed, []);
});
