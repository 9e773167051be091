import assert from "node:assert/strict";
import { test } from "node:test";
import { IntColumn } from "./int-column.ts";

test("a column has its initial value at every row that nobody has set, on both sides of what it holds", () => {
  const column = new IntColumn(-1);
  column.set(3, 7);
  column.set(1_000, 8);
  column.set(0, 0);
  assert.deepEqual(
    [0, 1, 3, 999, 1_000, 1_001, 5_000_000].map((row) => column.get(row)),
    [0, -1, 7, -1, 8, -1, -1],
  );
});
