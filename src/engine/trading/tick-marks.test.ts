import assert from "node:assert/strict";
import { test } from "node:test";
import { TickMarks } from "./tick-marks.ts";

test("what rested at a tick has rested since the last command before it", () => {
  const marks = new TickMarks();
  assert.equal(marks.restedBefore(9_000), 0);
  marks.note(10_000, 9_400, 7);
  assert.equal(marks.restedBefore(9_399), 0);
  assert.equal(marks.restedBefore(9_400), 7);
  marks.note(11_000, 10_900, 12);
  assert.equal(marks.restedBefore(10_899), 7);
  assert.equal(marks.restedBefore(10_900), 12);
});

test("a second has one tick, the first", () => {
  const marks = new TickMarks();
  assert.equal(marks.note(10_000, 9_400, 7), true);
  assert.equal(marks.note(10_999, 10_500, 8), false);
  assert.equal(marks.note(11_000, 10_999, 9), true);
  assert.deepEqual(
    marks.rows.map(({ prio }) => prio),
    [7, 9],
  );
});

test("ticks are kept for ten seconds, and the newest one of those before, so that every rest finds its tick", () => {
  const marks = new TickMarks();
  for (let second = 0; second < 100; second++) {
    marks.note(second * 1_000, second * 1_000 - 1, second);
    assert.ok(marks.rows.length <= 12);
    if (second > 10) assert.equal(marks.restedBefore(second * 1_000 - 10_000), second - 10);
  }
  // After a standstill the last tick before it is known.
  marks.note(900_000, 99_000, 100);
  assert.equal(marks.restedBefore(890_000), 100);
});
