import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { INT64_MAX } from "./int64.ts";
import { feeOn, parseRateE8 } from "./rate.ts";

test("a fee is the exact product, rounded up, whatever the amount and the rate", () => {
  const amounts = fc.oneof(
    fc.bigInt(0n, INT64_MAX),
    fc.bigInt(0n, 1_000n),
    fc.bigInt(0n, 92_233_720_368n).map((whole) => whole * 100_000_000n),
    fc.bigInt(INT64_MAX - 1_000n, INT64_MAX),
  );
  const rates = fc.oneof(fc.bigInt(0n, 99_999_999n), fc.constantFrom(0n, 1n, 99_999_999n), fc.bigInt(0n, 300_000n));
  fc.assert(
    fc.property(amounts, rates, (amount, rateE8) => {
      const fee = feeOn(amount, rateE8);
      assert.equal(fee, (amount * rateE8 + 99_999_999n) / 100_000_000n);
      assert.ok(fee >= 0n && fee <= amount, "A fee never exceeds what it is taken from.");
    }),
    runs(2_000),
  );
});

test("fees of the worked example: 0.333333 BTC at 0.2 % is 0.00066667, 7501.375 USDT at 0.1 % is 7.501375", () => {
  assert.equal(feeOn(33_333_300n, 200_000n), 66_667n);
  assert.equal(feeOn(750_137_500_000n, 100_000n), 750_137_500n);
  assert.equal(feeOn(1n, 1n), 1n);
  assert.equal(feeOn(INT64_MAX, 99_999_999n), 9_223_371_944_621_055_439n);
});

test("a rate is from 0 to below 1 and has at most 8 decimals (L5)", () => {
  const parsed: readonly (readonly [string, number | undefined])[] = [
    ["0", 0],
    ["0.002", 200_000],
    ["0.00000001", 1],
    ["0.99999999", 99_999_999],
    ["0.999999990", 99_999_999],
    ["0.999999999", undefined],
    ["1", undefined],
    ["1.00000000", undefined],
    ["-0.001", undefined],
    ["0.1%", undefined],
    ["", undefined],
  ];
  for (const [text, rateE8] of parsed) assert.equal(parseRateE8(text), rateE8, text);
});
