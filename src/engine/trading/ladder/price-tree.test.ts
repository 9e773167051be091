import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../../test/support/runs.ts";
import { PriceTree } from "./price-tree.ts";

const HIGHEST_PLACE = 2 ** 49 - 1;
/** From the lowest place up, and from the highest one down. */
const TURNS = [0, -1];

test("the tree finds values and neighbours like a sorted list, whatever the distance between places", () => {
  const near = fc.integer({ min: 2_999_900, max: 3_000_100 });
  const far = fc.integer({ min: 0, max: HIGHEST_PLACE });
  const high = near.map((value) => HIGHEST_PLACE - value);
  // Edges of the tree's digits and of the two parts of a place.
  const edge = fc.tuple(fc.nat(49), fc.integer({ min: -1, max: 1 })).map(([bits, by]) => 2 ** bits + by);
  const price = fc.oneof(
    near,
    far,
    high,
    edge.filter((value) => value >= 0 && value <= HIGHEST_PLACE),
  );
  const change = fc.record({ remove: fc.boolean(), pick: fc.nat(), price });
  fc.assert(
    fc.property(fc.constantFrom(...TURNS), fc.array(change, { maxLength: 150, size: "max" }), (turn, changes) => {
      const tree = new PriceTree(turn);
      const sorted: { price: number; value: number }[] = [];
      let nextValue = 0;
      for (const step of changes) {
        const at = sorted.findIndex((entry) => entry.price >= step.price);
        const present = at >= 0 && sorted[at]?.price === step.price;
        if (step.remove && sorted.length > 0) {
          const [entry] = sorted.splice(step.pick % sorted.length, 1);
          const { low, leaf } = place(tree, (entry as { price: number }).price);
          tree.remove(leaf, low);
        } else if (!present) {
          const { low, leaf } = place(tree, step.price);
          assert.equal(tree.valueAt(leaf, low), -1);
          tree.put(leaf, low, nextValue);
          sorted.splice(at < 0 ? sorted.length : at, 0, { price: step.price, value: nextValue++ });
        }
        assert.equal(tree.count, sorted.length);
        assert.equal(tree.lowest(), sorted[0]?.value ?? -1);
        sorted.forEach((entry, index) => {
          const { low, leaf } = place(tree, entry.price);
          assert.equal(tree.valueAt(leaf, low), entry.value);
          assert.equal(tree.above(leaf, low), sorted[index + 1]?.value ?? -1);
        });
      }
    }),
    runs(200),
  );
});

test("an emptied tree gives its nodes back: filling it again takes no more memory", () => {
  const tree = new PriceTree(0);
  const prices = [1, 5000, 3_000_000, 2 ** 40, HIGHEST_PLACE];
  let after = 0;
  for (let round = 0; round < 50; round++) {
    for (const price of prices) {
      const { low, leaf } = place(tree, price);
      tree.put(leaf, low, 1);
    }
    for (const price of prices) {
      const { low, leaf } = place(tree, price);
      tree.remove(leaf, low);
    }
    if (round === 0) after = tree.byteLength;
  }
  assert.equal(tree.byteLength, after);
});

test("a tree of buys is no higher than one of sells: prices far below the highest one cost it no nodes", () => {
  const sizes = TURNS.map((turn) => {
    const tree = new PriceTree(turn);
    const { low, leaf } = place(tree, turn === 0 ? 187_500 : HIGHEST_PLACE - 187_500);
    tree.put(leaf, low, 1);
    return tree.byteLength;
  });
  assert.equal(sizes[0], sizes[1]);
});

function place(tree: PriceTree, price: number): { low: number; leaf: number } {
  const low = price % 2 ** 30;
  return { low, leaf: tree.leafFor(low, Math.floor(price / 2 ** 30)) };
}
