import assert from "node:assert/strict";
import { test } from "node:test";
import { Beat } from "./beat.ts";

const dueTimes = (beat: Beat, times: readonly number[]) => times.filter((time) => beat.isDue(time));

test("a beat keeps its rhythm when it is looked at late", () => {
  const beat = new Beat(1_000, 5_000);
  assert.deepEqual(dueTimes(beat, [4_999, 5_000, 5_001, 5_999, 6_150, 6_900, 7_050]), [5_000, 6_150, 7_050]);
});

test("a beat that slept through many is due once", () => {
  const beat = new Beat(1_000, 5_000);
  assert.deepEqual(dueTimes(beat, [5_000, 3_605_000, 3_605_200, 3_606_000]), [5_000, 3_605_000, 3_606_000]);
});

test("a beat can be told to sleep", () => {
  const beat = new Beat(1_000);
  assert.ok(beat.isDue(10_000));
  beat.sleep(10_000, 30_000);
  assert.deepEqual(dueTimes(beat, [11_000, 39_999, 40_000]), [40_000]);
});
