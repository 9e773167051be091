import assert from "node:assert/strict";
import { test } from "node:test";
import { REAL_CHANCE, SeededChance } from "./chance.ts";

const hex = (seed: number, purpose: string, ...counts: number[]) => {
  const chance = new SeededChance(seed, purpose);
  return counts.map((count) => chance.bytes(count).toString("hex"));
};

test("what follows from a seed is the same every time, of any length, and another for another seed, purpose or turn", () => {
  assert.deepEqual(hex(1, "keys", 16, 32, 100), hex(1, "keys", 16, 32, 100));
  assert.deepEqual(
    hex(1, "keys", 16, 32, 100).map((text) => text.length),
    [32, 64, 200],
  );
  const all = [...hex(1, "keys", 16, 16, 16), ...hex(2, "keys", 16), ...hex(1, "tokens", 16), ...hex(11, "keys", 16)];
  assert.equal(new Set(all).size, all.length);
});

test("real chance is never the same", () => {
  assert.equal(REAL_CHANCE.bytes(24).length, 24);
  assert.notDeepEqual(REAL_CHANCE.bytes(24), REAL_CHANCE.bytes(24));
});
