import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/runs.ts";
import { LevelList } from "./level-list.ts";

function levelsOf(list: LevelList, direction: "up" | "down"): [bigint, bigint][] {
  const levels: [bigint, bigint][] = [];
  list.walk(direction, (price, lots) => levels.push([price, lots]) > 0);
  return levels;
}

test("the list holds what a map holds, in order, whatever is set and taken away", () => {
  // Few prices make levels come and go; many fill several blocks.
  const changes = (prices: number, length: number) =>
    fc.array(fc.tuple(fc.bigInt({ min: 1n, max: BigInt(prices) }), fc.constantFrom(0n, 0n, 1n, 2n ** 62n)), {
      minLength: length,
      maxLength: length,
    });
  const property = fc.property(
    fc.oneof(changes(8, 60), changes(2_000, 3_000), changes(5_000, 3_000)),
    (list: [bigint, bigint][]) => {
      const levels = new LevelList();
      const expected = new Map<bigint, bigint>();
      for (const [price, lots] of list) {
        levels.set(price, lots);
        if (lots === 0n) expected.delete(price);
        else expected.set(price, lots);
      }
      const sorted = [...expected].sort(([one], [other]) => Number(one - other));
      assert.equal(levels.size, sorted.length);
      assert.deepEqual(levelsOf(levels, "up"), sorted);
      assert.deepEqual(levelsOf(levels, "down"), sorted.reverse());
    },
  );
  fc.assert(property, runs(60));
});

test("a walk ends when the visitor has seen enough, also at the bound of two blocks", () => {
  const levels = new LevelList();
  for (let price = 1n; price <= 1_000n; price++) levels.set(price, price);
  for (const enough of [1, 2, 255, 256, 257, 999]) {
    const seen: bigint[] = [];
    levels.walk("down", (price) => seen.push(price) < enough);
    assert.equal(seen.length, enough);
    assert.equal(seen.at(-1), 1_001n - BigInt(enough));
  }
});
