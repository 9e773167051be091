import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../../test/support/runs.ts";
import type { DepthRow } from "../../../feeds/depth.ts";
import { changedRows } from "./depth-changes.ts";

test("rows that are new, changed or gone are told, best first, and the others are not", () => {
  const before: DepthRow[] = [
    ["9.00", "1"],
    ["10.00", "2"],
    ["11.00", "3"],
  ];
  const after: DepthRow[] = [
    ["8.50", "4"],
    ["10.00", "5"],
    ["11.00", "3"],
  ];
  const expected: DepthRow[] = [
    ["8.50", "4"],
    ["9.00", "0"],
    ["10.00", "5"],
  ];
  assert.deepEqual(changedRows(before, after, true), expected);
  assert.deepEqual(changedRows(before.toReversed(), after.toReversed(), false), expected.toReversed());
  assert.deepEqual(changedRows(before, before, true), []);
  assert.equal(changedRows(before, [], true).length, 3);
  assert.deepEqual(changedRows([], after, true), after);
});

test("whatever the two sides are, the changes turn one into the other", () => {
  const side = fc
    .uniqueArray(fc.integer({ min: 1, max: 120 }), { maxLength: 12 })
    .chain((prices) => fc.tuple(fc.constant(prices), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 12 })));
  fc.assert(
    fc.property(side, side, fc.boolean(), (before, after, isAscending) => {
      const rowsOf = ([prices, amounts]: [number[], number[]]): DepthRow[] =>
        prices
          .map((price, at): [number, number] => [price, amounts[at] as number])
          .sort(([one], [other]) => (isAscending ? one - other : other - one))
          .map(([price, amount]) => [`${price}.50`, String(amount)]);
      const [from, to] = [rowsOf(before), rowsOf(after)];
      const changes = changedRows(from, to, isAscending);
      const book = new Map(from);
      for (const [price, amount] of changes) {
        if (amount === "0") assert.ok(book.delete(price));
        else book.set(price, amount);
      }
      assert.deepEqual(new Map([...book].sort()), new Map(to.toSorted()));
      const prices = changes.map(([price]) => Number(price) * (isAscending ? 1 : -1));
      assert.deepEqual(
        prices,
        prices.toSorted((one, other) => one - other),
      );
    }),
    runs(100),
  );
});
