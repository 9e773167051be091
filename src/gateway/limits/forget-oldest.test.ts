import assert from "node:assert/strict";
import { test } from "node:test";
import { forgetOldest } from "./forget-oldest.ts";

const filled = (size: number) => new Map(Array.from({ length: size }, (_, at) => [at, at]));

test("a map with room keeps everything", () => {
  const map = filled(99);
  forgetOldest(map, 100);
  assert.equal(map.size, 99);
});

test("a full map forgets what was put in first, a sixty-fourth at a time and at least one", () => {
  for (const [most, first] of [
    [6_400, 100],
    [100, 1],
    [10, 1],
  ] as const) {
    const map = filled(most);
    forgetOldest(map, most);
    assert.deepEqual([map.size, map.keys().next().value], [most - first, first]);
  }
});

test("what was put in anew is among the last", () => {
  const map = filled(10);
  map.delete(0);
  map.set(0, 0);
  forgetOldest(map, 10);
  assert.ok(map.has(0) && !map.has(1));
});
