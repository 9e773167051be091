import assert from "node:assert/strict";
import { test } from "node:test";
import { fundingRateE8, HOUR_MS, type IntervalWatch, nextFundingTime, noteHour } from "./funding-rate.ts";

/** 0.03 % and 0.375 %. */
const TERMS = { dampingE8: 30_000, capE8: 375_000 };

for (const [what, sumE8, count, expected] of [
  ["without a sample there is none", 0, 0, 0],
  ["a small premium is drawn to the interest rate, which is 0", 60_000, 3, 0],
  ["a premium at the edge of the damping is drawn to 0", -30_000, 1, 0],
  ["a larger one is drawn by the damping", 100_000, 1, 70_000],
  ["a negative one likewise", -200_000, 2, -70_000],
  ["it stays within the cap", 900_000, 1, 375_000],
  ["and within the cap below", -900_000, 1, -375_000],
  ["the mean rounds half away from zero", 100_001, 2, 20_001],
] as const) {
  test(`funding rate: ${what}`, () => {
    assert.equal(fundingRateE8(sumE8, count, TERMS), expected);
  });
}

function watchOf(intervalH: 8 | 4 | 2, changedAt = 0): IntervalWatch {
  return { intervalH, changedAt, hoursOutside: 0, hoursInside: 0 };
}

/** Runs hours with these mean premiums from `firstHour` on and says which interval followed each. */
function intervalsAfter(watch: IntervalWatch, firstHour: number, meansE8: readonly number[]): number[] {
  return meansE8.map((meanE8, at) => {
    noteHour(watch, meanE8 * 60, 60, TERMS.capE8, (firstHour + at) * HOUR_MS);
    return watch.intervalH;
  });
}

const OUT = 375_001;

test("four hours outside the cap shorten the interval by one step, either way the premium points", () => {
  assert.deepEqual(intervalsAfter(watchOf(8), 100, [OUT, -OUT, OUT, OUT]), [8, 8, 8, 4]);
});

test("an hour at the cap is inside, and begins the count anew", () => {
  assert.deepEqual(intervalsAfter(watchOf(8), 100, [OUT, OUT, OUT, 375_000, OUT, OUT, OUT, OUT]).at(-2), 8);
});

test("the interval rests for 8 h after a change and never goes below 2 h", () => {
  const watch = watchOf(8);
  const intervals = intervalsAfter(watch, 100, Array<number>(24).fill(OUT));
  assert.equal(intervals.indexOf(4), 3);
  assert.equal(intervals.indexOf(2), 11);
  assert.equal(intervals.at(-1), 2);
});

test("a day of hours inside lengthens it by one step, up to 8 h", () => {
  const intervals = intervalsAfter(watchOf(2), 100, Array<number>(80).fill(0));
  assert.equal(intervals.indexOf(4), 23);
  assert.equal(intervals.indexOf(8), 47);
  assert.equal(intervals.at(-1), 8);
});

test("an hour without samples says nothing", () => {
  const watch = watchOf(8);
  for (let hour = 0; hour < 30; hour++) noteHour(watch, 0, 0, TERMS.capE8, hour * HOUR_MS);
  assert.deepEqual(watch, watchOf(8));
});

test("collections lie on multiples of the interval from midnight UTC", () => {
  assert.equal(nextFundingTime(0, 8), 8 * HOUR_MS);
  assert.equal(nextFundingTime(8 * HOUR_MS - 1, 8), 8 * HOUR_MS);
  assert.equal(nextFundingTime(8 * HOUR_MS, 2), 10 * HOUR_MS);
});
