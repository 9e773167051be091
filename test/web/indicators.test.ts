/** The indicators of the chart, against figures that were worked out by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { distanceTo, levelsOf } from "../../web/src/chart/drawings.ts";
import {
  averageTrueRange,
  type Bar,
  bollinger,
  convergence,
  exponentialAverage,
  firstChanged,
  INDICATORS,
  relativeStrength,
  simpleAverage,
  type Values,
  volumeWeightedPrice,
} from "../../web/src/chart/indicators.ts";

const DAY_MS = 86_400_000;

function bar(high: number, low: number, close: number, volume = 1, at = 0): Bar {
  return { at, open: close, high, low, close, volume };
}

function near(values: Values, expected: Values): void {
  const rounded = (all: Values) =>
    all.map((value) => (value === undefined ? undefined : Math.round(value * 1e6) / 1e6));
  assert.deepEqual(rounded(values), rounded(expected));
}

test("a moving average is the mean of its last values, and there is none before", () => {
  near(simpleAverage([1, 2, 3, 4, 5], 3), [undefined, undefined, 2, 3, 4]);
});

test("an exponential average begins with a mean and moves by 2 / (n + 1) of the way", () => {
  // (2 + 4 + 6) / 3 = 4; 4 + (8 - 4) / 2 = 6; 6 + (12 - 6) / 2 = 9.
  near(exponentialAverage([2, 4, 6, 8, 12], 3), [undefined, undefined, 4, 6, 9]);
});

test("Bollinger bands lie two deviations of the whole off the mean", () => {
  // The mean of these is 5, the deviation √(32 / 8) = 2.
  const [upper, middle, lower] = bollinger([2, 4, 4, 4, 5, 5, 7, 9], 8, 2);
  assert.deepEqual([upper.at(-1), middle.at(-1), lower.at(-1)], [9, 5, 1]);
  assert.equal(upper[6], undefined);
});

test("VWAP weighs typical prices by volume, and begins anew with the day", () => {
  // 9 · 2 and 12 · 1 come to 30 / 3; the next day knows nothing of it.
  near(volumeWeightedPrice([bar(12, 6, 9, 2), bar(15, 9, 12, 1), bar(20, 20, 20, 5, DAY_MS)]), [9, 10, 20]);
  near(volumeWeightedPrice([bar(12, 6, 9, 0)]), [undefined]);
});

test("RSI smooths rises and falls as Wilder does", () => {
  // Moves +2, -1, +2: rises 1, then 1.5; falls 0.5, then 0.25.
  near(relativeStrength([10, 12, 11, 13], 2), [undefined, undefined, 100 / 1.5, 150 / 1.75]);
  near(relativeStrength([10, 10, 10], 2), [undefined, undefined, 50]);
});

test("MACD is the difference of two averages, with its own average and what lies between", () => {
  // Averages of 2: 1.5, 2.5, 3.5, 4.5, 37/6; of 3: 2, 3, 4, 5.5.
  const [line, signal, histogram] = convergence([1, 2, 3, 4, 5, 7], 2, 3, 2);
  near(line, [undefined, undefined, 0.5, 0.5, 0.5, 2 / 3]);
  near(signal, [undefined, undefined, undefined, 0.5, 0.5, 0.5 + (2 / 3) * (1 / 6)]);
  near(histogram, [undefined, undefined, undefined, 0, 0, 1 / 18]);
});

test("ATR counts the gap to the close before", () => {
  // Ranges 2, 3, 4, and 12 - 8 = 4 over a gap.
  const bars = [bar(10, 8, 9), bar(12, 9, 11), bar(11, 7, 8), bar(12, 10, 11)];
  near(averageTrueRange(bars, 2), [undefined, 2.5, 3.25, 3.625]);
});

test("every indicator gives a line for each of its names, as long as the candles", () => {
  const bars = Array.from({ length: 120 }, (_, at) =>
    bar(100 + (at % 7), 90 - (at % 5), 95 + (at % 3), 1 + at, at * 60_000),
  );
  for (const { id, lines, of } of INDICATORS) {
    const values = of(bars);
    assert.equal(values.length, lines.length, id);
    for (const each of values) {
      assert.equal(each.length, bars.length, id);
      assert.ok(Number.isFinite(each.at(-1)), id);
    }
  }
});

test("a retracement marks the way back from its end to its beginning", () => {
  const [from, to] = [
    { at: 0, price: 100 },
    { at: 1, price: 200 },
  ];
  assert.deepEqual(
    levelsOf({ id: "1", tool: "fibonacci", from, to }).map((price) => Math.round(price * 10) / 10),
    [200, 176.4, 161.8, 150, 138.2, 121.4, 100],
  );
  assert.deepEqual(levelsOf({ id: "1", tool: "horizontal", from, to }), [100]);
});

test("the distance to a stretch is that to its nearest place", () => {
  const [one, other] = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
  ];
  assert.equal(distanceTo({ x: 5, y: 3 }, one, other), 3);
  assert.equal(distanceTo({ x: 13, y: 4 }, one, other), 5);
  assert.equal(distanceTo({ x: 3, y: 4 }, one, one), 5);
});

test("deals change the last candle that was there and all behind it, and before the first answer there is none", () => {
  assert.deepEqual(
    [
      [3, 3],
      [3, 5],
      [1, 1],
      [0, 1],
      [0, 0],
    ].map(([before = 0, now = 0]) => firstChanged(before, now)),
    [2, 2, 0, 0, 0],
  );
});
