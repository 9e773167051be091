import assert from "node:assert/strict";
import { test } from "node:test";
import { adlLevel, adlPriority, byAdlPriority } from "./adl-rank.ts";

test("seven positions stand in levels 5 5 4 3 3 2 1", () => {
  const levels = [1, 2, 3, 4, 5, 6, 7].map((rank) => adlLevel(rank, 7));
  assert.deepEqual(levels, [5, 5, 4, 3, 3, 2, 1]);
});

const BASE = { positionId: 1, entryCost: 1_000n, valueAtMark: 1_500n, margin: 100n, gainsWithValue: true };

for (const [what, position, expected] of [
  ["a gain of half at ten times", BASE, 15_00000000n],
  ["a short that loses as much", { ...BASE, gainsWithValue: false }, 6_66666660n],
  ["a profit floored before it is multiplied", { ...BASE, entryCost: 3n, valueAtMark: 2n, margin: 1n }, 1_99999998n],
  ["no margin", { ...BASE, margin: 0n }, 0n],
  ["a value of nothing", { ...BASE, valueAtMark: 0n, gainsWithValue: false }, 0n],
] as const) {
  test(`priority of ${what}`, () => {
    assert.equal(adlPriority(position), expected);
  });
}

test("the highest priority comes first, among equals the older position", () => {
  const rows = [
    { priority: 1n, positionId: 1 },
    { priority: 2n, positionId: 9 },
    { priority: 2n, positionId: 3 },
  ];
  assert.deepEqual(
    rows.sort(byAdlPriority).map((row) => row.positionId),
    [3, 9, 1],
  );
});
