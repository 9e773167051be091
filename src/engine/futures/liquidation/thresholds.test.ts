import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../../test/support/runs.ts";
import { Thresholds, WAY } from "./thresholds.ts";

const MARKET = 1;

test("a mark reaches the seats whose thresholds lie at it or before it, wherever they have been moved from", () => {
  // Few seats and prices, so that thresholds move often and meet.
  const seat = fc.nat(20);
  const way = fc.constantFrom(WAY.falls, WAY.rises);
  const ticks = fc.option(fc.nat(30), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.tuple(seat, way, ticks), { maxLength: 200, size: "max" }), fc.nat(30), (steps, mark) => {
      const thresholds = new Thresholds();
      const model = new Map<string, number>();
      for (const [row, side, at] of steps) {
        if (at === undefined) {
          thresholds.disarm(MARKET, row, side);
          model.delete(`${row}:${side}`);
        } else {
          thresholds.arm(MARKET, row, side, at);
          model.set(`${row}:${side}`, at);
        }
        assert.equal(thresholds.at(row, side), at);
      }
      const isReached = ([name, at]: [string, number]) => (name.endsWith(`:${WAY.falls}`) ? mark <= at : mark >= at);
      const expected = [...model].filter(isReached).map(([name]) => name);
      const reached = thresholds.reached(MARKET, mark).map((entry) => `${entry.row}:${entry.way}`);
      assert.deepEqual(reached.sort(), expected.sort());
    }),
    runs(500),
  );
});
