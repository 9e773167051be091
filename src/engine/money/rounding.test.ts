import assert from "node:assert/strict";
import { test } from "node:test";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { divCeil, divFloor, divHalfAwayFromZero } from "./rounding.ts";

const Exact = Decimal.clone({ precision: 200 });

/** Each division with its name in decimal.js. */
const DIVISIONS = [
  [divFloor, Decimal.ROUND_FLOOR],
  [divCeil, Decimal.ROUND_CEIL],
  // decimal.js calls halves that go away from zero "half up".
  [divHalfAwayFromZero, Decimal.ROUND_HALF_UP],
] as const;

test("each named division rounds as decimal arithmetic does", () => {
  const dividends = fc.oneof(fc.bigInt(-20n, 20n), fc.bigInt(-(2n ** 127n), 2n ** 127n));
  const divisors = fc.oneof(fc.bigInt(1n, 10n), fc.bigInt(1n, 2n ** 64n));
  fc.assert(
    fc.property(dividends, divisors, (dividend, divisor) => {
      for (const [divide, mode] of DIVISIONS) {
        const expected = new Exact(dividend.toString()).div(divisor.toString()).toDecimalPlaces(0, mode);
        assert.equal(divide(dividend, divisor), BigInt(expected.toFixed()), `${dividend} / ${divisor}, mode ${mode}`);
      }
    }),
    runs(100),
  );
});

test("halves go away from zero, on both sides of it", () => {
  const rounded = [-5n, -4n, -3n, -2n, -1n, 0n, 1n, 2n, 3n, 4n, 5n].map((dividend) =>
    divHalfAwayFromZero(dividend, 2n),
  );
  assert.deepEqual(rounded, [-3n, -2n, -2n, -1n, -1n, 0n, 1n, 1n, 2n, 2n, 3n]);
});
