import assert from "node:assert/strict";
import { test } from "node:test";
import { Decimal as Oracle } from "decimal.js";
import fc from "fast-check";
import { compare, cut, fixed, isDecimal, minus, onGrid, over, plus, times } from "../../web/src/number/decimal.ts";
import { grouped, percent, pieces, short, signed } from "../../web/src/number/show.ts";
import { runs } from "../support/runs.ts";

const Exact = Oracle.clone({ precision: 100, toExpNeg: -50, toExpPos: 50 });
const decimals = fc
  .tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => new Exact(units.toString()).div(new Exact(10).pow(scale)).toFixed());

test("sums, differences, products and comparisons of decimal texts are exact", () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      const [a, b] = [new Exact(one), new Exact(other)];
      assert.equal(plus(one, other), a.plus(b).toFixed());
      assert.equal(minus(one, other), a.minus(b).toFixed());
      assert.equal(new Exact(times(one, other)).eq(a.times(b)), true);
      assert.equal(Math.sign(compare(one, other)), a.cmp(b));
    }),
    runs(300),
  );
});

test("a quotient is rounded at the decimals that were asked for, in the way that was asked for", () => {
  fc.assert(
    fc.property(decimals, decimals, fc.integer({ min: 0, max: 12 }), (one, other, places) => {
      if (new Exact(other).isZero()) return;
      const exact = new Exact(one).div(other);
      assert.equal(over(one, other, places, "down"), exact.toDecimalPlaces(places, Oracle.ROUND_DOWN).toFixed());
      assert.equal(cut(one, places, "up"), new Exact(one).toDecimalPlaces(places, Oracle.ROUND_UP).toFixed());
      assert.equal(over(one, other, places, "floor"), exact.toDecimalPlaces(places, Oracle.ROUND_FLOOR).toFixed());
      assert.equal(over(one, other, places, "nearest"), exact.toDecimalPlaces(places, Oracle.ROUND_HALF_UP).toFixed());
    }),
    runs(300),
  );
});

test("texts that somebody types are told from decimals, and steps are kept to", () => {
  assert.deepEqual(["1", "1.", ".5", "0.25", "", ".", "1e5", "-1", "1,5", "٣"].map(isDecimal), [
    ...[true, true, true, true],
    ...[false, false, false, false, false, false],
  ]);
  assert.equal(onGrid("60004.067", "0.5"), "60004");
  assert.equal(onGrid("60004.067", "0.5", "up"), "60004.5");
  assert.equal(fixed("1.5", 3), "1.500");
  assert.equal(fixed("-0.0159", 3), "-0.015");
  assert.equal(fixed("-0.0155", 3, "nearest"), "-0.016");
});

test("a gain is not shown larger than it is, a loss not smaller, and a rate as the nearest", () => {
  assert.deepEqual([signed("1.239", 2), signed("-1.231", 2), signed("0", 2)], ["+1.23", "−1.24", "0.00"]);
  assert.deepEqual([percent("0.000375", 3), percent("0.123456", 1)], ["0.038\u202f%", "12.3\u202f%"]);
});

test("numbers are shown in groups of three, with a real minus and zeros apart", () => {
  assert.equal(grouped("-1234567.1234").replaceAll("\u202f", " "), "−1 234 567.1234");
  assert.deepEqual(pieces("59980.5", 2), ["59\u202f980.5", "0"]);
  assert.deepEqual(pieces("100", 0), ["100", ""]);
  assert.equal(short("4080283").replaceAll("\u202f", " "), "4.08 M");
  assert.equal(short("0.000123456"), "0.0001234");
});
