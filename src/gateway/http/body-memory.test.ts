import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyMemory, giveBack } from "./body-memory.ts";

test("memory of a large body is used again, that of a small one is of its own size", () => {
  const memory = bodyMemory(100_000);
  assert.equal(memory.length, 131_072);
  giveBack(memory);
  assert.equal(bodyMemory(131_072), memory);
  assert.notEqual(bodyMemory(131_072), memory);
  const small = bodyMemory(1_000);
  assert.equal(small.length, 1_000);
  giveBack(small);
  assert.notEqual(bodyMemory(1_000), small);
  assert.equal(bodyMemory(200_000).length, 200_000, "larger than any size that is kept");
});

test("no more is kept than 8 MiB of a size", () => {
  const many = Array.from({ length: 200 }, () => bodyMemory(65_536));
  for (const memory of many) giveBack(memory);
  const again = new Set(Array.from({ length: 200 }, () => bodyMemory(65_536)));
  assert.equal(many.filter((memory) => again.has(memory)).length, 128);
});
