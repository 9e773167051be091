import assert from "node:assert/strict";
import { test } from "node:test";
import { whole } from "../positions/fraction.ts";
import { markPrice, premiumSample } from "./premium.ts";

for (const [what, bid, ask, premiumE8, markPremiumE8] of [
  ["around the index", 9_990n, 10_030n, 100_000, 0],
  ["above the index", 10_020n, 10_040n, 300_000, 200_000],
  ["below the index", 9_950n, 9_980n, -350_000, -200_000],
  ["at the index", 10_000n, 10_000n, 0, 0],
] as const) {
  test(`a premium sample of a book ${what}`, () => {
    assert.deepEqual(premiumSample(whole(bid), whole(ask), 10_000n), { premiumE8, markPremiumE8 });
  });
}

test("a premium is rounded once, half away from zero", () => {
  // (1/3 + 2/3) / 2 - 3 = -2.5 of 3.
  const { premiumE8 } = premiumSample({ num: 1n, den: 3n }, { num: 2n, den: 3n }, 3n);
  assert.equal(premiumE8, -83_333_333);
});

for (const [what, sumE8, count, expected] of [
  ["is the index before the first sample", 0, 0, 3_000_000n],
  ["leans by the mean of the mark premiums", 300_000, 3, 3_003_000n],
  ["leans down as well", -300_000, 3, 2_997_000n],
  ["rounds half away from zero", 50, 3, 3_000_001n],
  ["never falls below one tick", -200_000_000, 1, 1n],
] as const) {
  test(`the mark price ${what}`, () => {
    assert.equal(markPrice(3_000_000n, sumE8, count), expected);
  });
}
