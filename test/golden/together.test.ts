import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { ChangeTask } from "./fault-worker.ts";
import { goldenVenues } from "./golden.ts";
import { differencesTogether } from "./replay.ts";

test("venues in one process whose commands take turns come to what each of them comes to alone", () => {
  assert.deepEqual(differencesTogether(goldenVenues()), []);
});

/**
 * What engines would share if it were declared in the module. Values between two commands are noticed; those within one
 * never meet.
 */
const SHARED: readonly (ChangeTask & { readonly name: string })[] = [
  {
    name: "the cells for fees",
    file: "ledger/ledger.ts",
    code: "private readonly feeCells: number[] = [];",
    instead: "private readonly feeCells: number[] = (Object.feeCells ??= []);",
  },
  {
    name: "the state of a part",
    file: "slot.ts",
    code: "const known = state.slots.get(this);",
    instead: "const known = state.slots.get(this) ?? this.last; this.last = known;",
  },
];

for (const { name, ...change } of SHARED) {
  test(`it is noticed when they share ${name}`, async (t) => {
    const worker = new Worker(new URL("fault-worker.ts", import.meta.url), {
      workerData: { ...change, together: true } satisfies ChangeTask,
    });
    const [difference] = (await once(worker, "message")) as [string | undefined];
    await worker.terminate();
    assert.ok(difference !== undefined, `Nothing came out differently with the change in ${change.file}.`);
    t.diagnostic(difference);
  });
}
