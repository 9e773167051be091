import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededChance } from "../../gateway/auth/chance.ts";
import { InjectedFaults } from "./injected-faults.ts";

test("faults are set back with the draws that they had left", () => {
  const faults = new InjectedFaults({
    chanceOf: (id) => new SeededChance(1, `fault ${id}`),
    note: () => {},
    now: () => 0,
  });
  faults.begin(faults.reserve(), { fault: "busy", share: 0.5 });
  const restore = faults.save();
  const before = faults.list();
  faults.end();
  faults.begin(faults.reserve(), { fault: "unavailable" });
  restore();
  assert.deepEqual(faults.list(), before);
  assert.equal(faults.isOnRequests, true);
  assert.equal(faults.reserve(), 2);
});
