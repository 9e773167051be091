import assert from "node:assert/strict";
import { test } from "node:test";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { formatDecimal, isDecimal, parseDecimal, pow10 } from "./decimal.ts";
import { INT64_MAX } from "./int64.ts";

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });

/** Text, scale, and the units it stands for; undefined where it is refused. */
const PARSED: readonly (readonly [text: string, scale: number, units: bigint | undefined])[] = [
  ["0", 8, 0n],
  ["1", 0, 1n],
  ["1", 8, 100000000n],
  ["007", 2, 700n],
  ["0.1", 1, 1n],
  ["0.10", 1, 1n],
  ["0.100000000000000000", 1, 1n],
  ["0.11", 1, undefined],
  ["0.000000000000000001", 18, 1n],
  ["0.0000000000000000010", 18, undefined],
  ["9999999999999999999.999999999999999999", 18, 9999999999999999999999999999999999999n],
  ["10000000000000000000", 0, undefined],
  ["1.", 2, undefined],
  [".1", 2, undefined],
  ["", 2, undefined],
  [" 1", 2, undefined],
  ["1 ", 2, undefined],
  ["1\n", 2, undefined],
  ["+1", 2, undefined],
  ["-1", 2, undefined],
  ["1e2", 2, undefined],
  ["1,5", 2, undefined],
  ["1_000", 2, undefined],
  ["0x10", 2, undefined],
  ["NaN", 2, undefined],
  ["Infinity", 2, undefined],
  ["١", 2, undefined],
  ["1.5.5", 2, undefined],
];

test("a decimal is digits with at most one point, and never rounded", () => {
  for (const [text, scale, units] of PARSED) {
    assert.equal(parseDecimal(text, scale), units, JSON.stringify(text));
    if (units !== undefined) assert.ok(isDecimal(text), text);
  }
});

test("units are shown with all decimals of their scale", () => {
  const shown: readonly (readonly [bigint, number, string])[] = [
    [0n, 0, "0"],
    [0n, 3, "0.000"],
    [5n, 3, "0.005"],
    [-5n, 3, "-0.005"],
    [12345n, 3, "12.345"],
    [-12345n, 0, "-12345"],
    [INT64_MAX, 18, "9.223372036854775807"],
    [-INT64_MAX - 1n, 18, "-9.223372036854775808"],
  ];
  for (const [units, scale, text] of shown) assert.equal(formatDecimal(units, scale), text);
});

test("what is shown reads back as the same units", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: INT64_MAX }), fc.nat(18), (units, scale) => {
      assert.equal(parseDecimal(formatDecimal(units, scale), scale), units);
    }),
    runs(100),
  );
});

test("parsing and showing agree with decimal arithmetic", () => {
  const text = fc
    .tuple(fc.bigInt(0n, 9999999999999999999n), fc.stringMatching(/^\d{0,18}$/))
    .map(([whole, fraction]) => (fraction === "" ? `${whole}` : `${whole}.${fraction}`));
  fc.assert(
    fc.property(text, fc.nat(18), (decimal, scale) => {
      const scaled = new Exact(decimal).times(new Exact(10).pow(scale));
      const expected = scaled.isInteger() ? BigInt(scaled.toFixed()) : undefined;
      assert.equal(parseDecimal(decimal, scale), expected);
      if (expected !== undefined) assert.equal(formatDecimal(expected, scale), new Exact(decimal).toFixed(scale));
    }),
    runs(100),
  );
});

test("a power of ten is exact at any width", () => {
  assert.equal(pow10(0), 1n);
  assert.equal(pow10(36), 1000000000000000000000000000000000000n);
});
