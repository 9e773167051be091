import assert from "node:assert/strict";
import { test } from "node:test";
import { WordBuffer } from "./words.ts";

test("a record that does not fit finds room, and what was written before it stays", () => {
  const buffer = new WordBuffer(2);
  for (let value = 0; value < 1_000; value++) {
    const at = buffer.open(3);
    assert.equal(at, value * 3);
    buffer.f64[at] = value;
    buffer.i64[at + 1] = BigInt(-value);
    buffer.i32[(at + 2) * 2] = value;
  }
  assert.equal(buffer.length, 3_000);
  const read = WordBuffer.over(buffer.copy());
  for (let value = 0; value < 1_000; value++) {
    assert.equal(read.f64[value * 3], value);
    assert.equal(read.i64[value * 3 + 1], BigInt(-value));
    assert.equal(read.i32[(value * 3 + 2) * 2], value);
  }
});

test("a cleared buffer begins at its first word again", () => {
  const buffer = new WordBuffer(4);
  buffer.open(9);
  buffer.clear();
  assert.equal(buffer.open(1), 0);
});
