import assert from "node:assert/strict";
import { test } from "node:test";
import { TickMarks } from "./tick-marks.ts";

/** The next number, where none of the known ones is meant. */
const NEXT = 999;

/** Takes down a tick, before which the last command came at `beforeMs`. */
function tick(marks: TickMarks, tickMs: number, beforeMs: number, prio: number): boolean {
  marks.beforeMs = beforeMs;
  return marks.note(tickMs, prio);
}

test("what rested at a tick has rested since the last command before it", () => {
  const marks = new TickMarks();
  tick(marks, 10_000, 9_400, 7);
  tick(marks, 11_000, 10_900, 12);
  marks.beforeMs = 11_500;
  assert.equal(marks.restedBefore(9_399, NEXT), 0);
  assert.equal(marks.restedBefore(9_400, NEXT), 7);
  assert.equal(marks.restedBefore(10_899, NEXT), 7);
  assert.equal(marks.restedBefore(10_900, NEXT), 12);
});

test("where no command came for as long everything has rested, whenever the last tick was", () => {
  const marks = new TickMarks();
  tick(marks, 10_000, 9_400, 7);
  marks.beforeMs = 10_500;
  assert.equal(marks.restedBefore(10_499, NEXT), 7);
  assert.equal(marks.restedBefore(10_500, NEXT), NEXT);
});

test("a second has one tick, the first", () => {
  const marks = new TickMarks();
  assert.equal(tick(marks, 10_000, 9_400, 7), true);
  assert.equal(tick(marks, 10_999, 10_500, 8), false);
  assert.equal(tick(marks, 11_000, 10_999, 9), true);
  assert.deepEqual(
    marks.rows.map(({ prio }) => prio),
    [7, 9],
  );
});

test("ticks are kept for ten seconds, and the newest one of those before, so that every rest finds its tick", () => {
  const marks = new TickMarks();
  for (let second = 0; second < 100; second++) {
    tick(marks, second * 1_000, second * 1_000 - 1, second);
    assert.ok(marks.rows.length <= 12);
    if (second > 10) assert.equal(marks.restedBefore(second * 1_000 - 10_000, NEXT), second - 10);
  }
});
