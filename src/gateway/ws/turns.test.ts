import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Turns } from "./turns.ts";

test("work is done one piece a turn, in the order in which it came", async () => {
  const turns = new Turns();
  const done: number[] = [];
  for (let piece = 0; piece < 3; piece++) turns.take(() => void done.push(piece));
  assert.deepEqual(done, []);
  for (let piece = 0; piece < 3; piece++) {
    await turn();
    assert.equal(done.length, piece + 1);
  }
  assert.deepEqual(done, [0, 1, 2]);
});

test("so much may wait and no more", async () => {
  const turns = new Turns();
  for (let piece = 0; piece < 255; piece++) turns.take(() => {});
  assert.equal(turns.hasRoom, true);
  turns.take(() => {});
  assert.equal(turns.hasRoom, false);
  await turn();
  assert.equal(turns.hasRoom, true);
});
