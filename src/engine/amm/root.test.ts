import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { rootFloor } from "./root.ts";

test("the root of any number is the largest whose square it holds", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 1n << 300n), (square) => {
      const root = rootFloor(square);
      assert.ok(root * root <= square && (root + 1n) * (root + 1n) > square);
    }),
    runs(300),
  );
  for (const [square, root] of [
    [0n, 0n],
    [1n, 1n],
    [3n, 1n],
    [4n, 2n],
    [(1n << 128n) - 1n, (1n << 64n) - 1n],
    [1n << 128n, 1n << 64n],
  ] as const) {
    assert.equal(rootFloor(square), root);
  }
});
