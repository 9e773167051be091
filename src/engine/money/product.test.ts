import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { INT64_MAX } from "./int64.ts";
import { ceilOfProduct, floorOfProduct } from "./product.ts";

/** Figures of every width, those beyond 64 bits included, and those next to a power of two. */
const figures = fc.oneof(
  fc.bigInt(0n, 1_000n),
  fc.bigInt(0n, INT64_MAX),
  fc.bigInt(0n, 1n << 100n),
  fc.tuple(fc.integer({ min: 0, max: 80 }), fc.bigInt(-3n, 3n)).map(([bits, near]) => {
    const figure = (1n << BigInt(bits)) + near;
    return figure < 0n ? 0n : figure;
  }),
);

test("a quotient of a product is exact and rounded as its name says, however wide the product", () => {
  fc.assert(
    fc.property(figures, figures, figures, (amount, factor, by) => {
      const divisor = by + 1n;
      const product = amount * factor;
      assert.equal(floorOfProduct(amount, factor, divisor), product / divisor);
      assert.equal(ceilOfProduct(amount, factor, divisor), (product + divisor - 1n) / divisor);
    }),
    runs(20_000),
  );
});

test("a quotient is exact where its product is a multiple of the divisor, or one off", () => {
  fc.assert(
    fc.property(figures, figures, fc.bigInt(1n, 1_000n), (amount, by, divisor) => {
      const factor = by * divisor;
      assert.equal(floorOfProduct(amount, factor, divisor), amount * by);
      assert.equal(ceilOfProduct(amount, factor, divisor), amount * by);
      assert.equal(floorOfProduct(1n, factor + divisor - 1n, divisor), by);
      assert.equal(ceilOfProduct(1n, factor + 1n, divisor + 1n), (factor + divisor + 1n) / (divisor + 1n));
    }),
    runs(5_000),
  );
});
