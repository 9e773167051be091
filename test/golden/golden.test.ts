import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { SECTIONS } from "../../src/engine/snapshot/sections.ts";
import { onePerFamily } from "../support/ring.ts";
import type { ChangeTask } from "./fault-worker.ts";
import { unrecordedForms } from "./forms.ts";
import { goldenVenues } from "./golden.ts";
import { differencesOf } from "./replay.ts";

for (const venue of goldenVenues()) {
  test(`commands, events and snapshots of rules ${venue.rulesVersion}, ${venue.name}, come to what they came to`, () => {
    assert.deepEqual(differencesOf(venue), []);
  });
}

test("what each section writes is recorded by its version", (t) => {
  const unrecorded = unrecordedForms();
  // New until the release that records it.
  for (const key of unrecorded)
    t.diagnostic(`The form of "${key}" is not recorded yet: node test/golden/record-forms.ts`);
  assert.ok(unrecorded.length < SECTIONS.length);
});

/**
 * The rules as they were before commits that changed outcomes without anybody having to say so, and a form without a
 * migration.
 */
const CHANGES: readonly (ChangeTask & { readonly name: string })[] = [
  {
    name: "an isolated payer of funding pays out of its profit on paper",
    file: "futures/funding/funding.ts",
    code: "smaller(margin, positive(margin + unrealized - maintenance - closing))",
    instead: "positive(margin + unrealized - maintenance - closing)",
  },
  {
    name: "a position in a suspended market protects all others of its account",
    file: "futures/liquidation/liquidation.ts",
    code: "if (sellable(state, account).length > 0 &&",
    instead:
      "if (crossOf(state, account).length > 0 && crossOf(state, " +
      "account).every((slot) => mayLiquidate(state, marketOf(state, slot))) &&",
  },
  {
    name: "a close at market is refused where the position does not pay for all of it",
    file: "futures/orders/accept.ts",
    code: "return refusal === 0 || !isImmediate(flags) ? refusal :",
    instead: "return true ? refusal :",
  },
  {
    name: "free cash counts for the close of an isolated position",
    file: "futures/positions/account-sums.ts",
    code: "return marginOf(state, slot) + closed;",
    instead: "return marginOf(state, slot) + closed + accountSumsOf(state, positions.account(slot)).cash;",
  },
  {
    name: "the form of a section changes and its version does not",
    file: "maintenance/maintenance-section.ts",
    code: "write: ({ maintenance }) => [jsonChunk(maintenance)],",
    instead: "write: ({ maintenance }) => [jsonChunk({ windows: maintenance })],",
  },
];

for (const { name, ...change } of onePerFamily(CHANGES, ({ file }) =>
  file.endsWith("-section.ts") ? "form" : "rule",
)) {
  test(`the golden venues come out differently when ${name}`, async (t) => {
    const worker = new Worker(new URL("fault-worker.ts", import.meta.url), { workerData: change });
    const [difference] = (await once(worker, "message")) as [string | undefined];
    await worker.terminate();
    assert.ok(difference !== undefined, `Nothing came out differently with the change in ${change.file}.`);
    t.diagnostic(difference);
  });
}
