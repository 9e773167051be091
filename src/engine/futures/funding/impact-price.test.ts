import assert from "node:assert/strict";
import { test } from "node:test";
import { roundedE8 } from "../positions/fraction.ts";
import { impactPrice, type Level } from "./impact-price.ts";

const ASKS: Level[] = [
  { price: 100n, lots: 10n },
  { price: 110n, lots: 30n },
];

const INDEX = 105n;

for (const [what, levels, quantity, inverse, expectedE8] of [
  ["within the first level it is that level", ASKS, 5n, false, 100_00000000n],
  ["over two levels it is weighed by amount", ASKS, 20n, false, 105_00000000n],
  ["what a thinner side lacks stands at the index", ASKS, 1_000n, false, 105_10000000n],
  ["an empty side stands at the index", [], 20n, false, 105_00000000n],
  ["an inverse contract weighs by the coins a contract is worth", ASKS, 20n, true, 104_76190476n],
  ["an inverse book of one level is that level", ASKS.slice(0, 1), 10n, true, 100_00000000n],
  ["what a thinner inverse side lacks is worth what it is at the index", ASKS.slice(0, 1), 20n, true, 102_43902439n],
] as const) {
  test(`impact price: ${what}`, () => {
    assert.equal(roundedE8(impactPrice(levels, quantity, inverse, INDEX)), expectedE8);
  });
}

test("impact price: in the first version of the rules a thinner side counted as far as it goes", () => {
  assert.equal(roundedE8(impactPrice(ASKS, 1_000n, false, INDEX, true)), 107_50000000n);
  assert.equal(roundedE8(impactPrice(ASKS.slice(0, 1), 20n, true, INDEX, true)), 100_00000000n);
});
