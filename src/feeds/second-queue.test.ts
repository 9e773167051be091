import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/runs.ts";
import { SecondQueue } from "./second-queue.ts";
import type { TradedSecond } from "./ticker.ts";

const amount = fc.bigInt({ min: 0n, max: (1n << 63n) - 1n });
const large = fc.oneof(
  { weight: 9, arbitrary: amount },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n << 63n, max: 1n << 90n }) },
);
/** Mostly near, as prices within a second are. */
const apart = fc.oneof(
  { weight: 9, arbitrary: fc.bigInt({ min: -(1n << 31n), max: (1n << 31n) - 1n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(1n << 40n), max: 1n << 40n }) },
);
const gap = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 ** 30, max: 2 ** 33 }) },
);
const traded = fc
  .tuple(gap, amount, fc.tuple(apart, apart, apart), fc.tuple(large, large, large))
  .map(([after, close, [open, high, low], [volume, value, volumeBuy]]) => ({
    gap: after,
    ...{ open: close + open, high: close + high, low: close + low, close, volume, value, volumeBuy },
  }));

test("seconds come out as they went in, the oldest first, however large their sums are", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(traded, fc.nat(2)), { maxLength: 300 }), (steps) => {
      const queue = new SecondQueue();
      const expected: TradedSecond[] = [];
      let second = 40_000_000_000;
      for (const [{ gap, ...amounts }, shifts] of steps) {
        second += gap;
        queue.push({ second, ...amounts });
        expected.push({ second, ...amounts });
        for (let shift = 0; shift < shifts; shift++) {
          queue.shift();
          expected.shift();
        }
        assert.deepEqual(queue.first(), expected[0]);
        assert.equal(queue.firstSecond, expected[0]?.second ?? Number.POSITIVE_INFINITY);
      }
      for (; expected.length > 0; queue.shift()) assert.deepEqual(queue.first(), expected.shift());
      assert.equal(queue.first(), undefined);
    }),
    runs(100),
  );
});
