import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { bestLevel, type Curve, curveAfter, type Grid, levelsFrom } from "./curve.ts";
import { gridDown, gridUp } from "./grid.ts";

const NOWHERE = [(1n << 63n) - 1n, 0n] as const;

const grids: fc.Arbitrary<Grid> = fc.record({
  unitsPerLot: fc.constantFrom(1n, 100n, 1_000_000n),
  unitsPerLotTick: fc.constantFrom(1n, 7n, 1_000n),
  digits: fc.constantFrom(3, 4, 5),
  maxPrice: fc.constantFrom(1_000n, 10n ** 9n),
});
const reserves = fc.bigInt(0n, 1n << 62n).chain((most) => fc.bigInt(0n, most));
const curves: fc.Arbitrary<Curve> = fc.record({
  base: reserves,
  quote: reserves,
  baseOffset: fc.oneof(fc.constant(0n), reserves),
  quoteOffset: fc.oneof(fc.constant(0n), reserves),
  grid: grids,
});

const product = ({ base, quote, baseOffset, quoteOffset }: Curve) => (base + baseOffset) * (quote + quoteOffset);

describe("the curve of a pool", () => {
  test("offers what moves its price there: no lot less, no lot more", () => {
    fc.assert(
      fc.property(curves, fc.constantFrom(0, 1), (curve, side) => {
        const level = bestLevel(curve, side, NOWHERE[side] as bigint);
        if (level === undefined) return;
        const { unitsPerLot: u, unitsPerLotTick: c } = curve.grid;
        const wholes = ({ base, quote, baseOffset, quoteOffset }: Curve) =>
          [base + baseOffset, quote + quoteOffset] as const;
        const [base, quote] = wholes(curveAfter(curve, side, level));
        // Its price has not passed that of the level.
        if (side === 1) assert.ok(quote * u <= level.price * c * base);
        else assert.ok(quote * u >= level.price * c * base);
        const isBounded = side === 1 ? level.lots === curve.base / u : level.lots === curve.quote / (level.price * c);
        const [next, paid] = wholes(curveAfter(curve, side, { ...level, lots: level.lots + 1n }));
        if (isBounded) return;
        if (side === 1) assert.ok(paid * u > level.price * c * next);
        else assert.ok(paid * u < level.price * c * next);
      }),
      runs(500),
    );
  });

  test("leaves exactly the rest of a level of which a part is taken", () => {
    fc.assert(
      fc.property(curves, fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }), (curve, side, part) => {
        const level = bestLevel(curve, side, NOWHERE[side] as bigint);
        if (level === undefined || level.lots < 2n) return;
        const lots = 1n + (BigInt(Math.floor(part * 1_000)) * (level.lots - 2n)) / 1_000n;
        const rest = bestLevel(curveAfter(curve, side, { ...level, lots }), side, NOWHERE[side] as bigint);
        assert.deepEqual(rest, { price: level.price, lots: level.lots - lots });
      }),
      runs(500),
    );
  });

  test("never loses by trade, whoever takes how much of which side, and its bids stay below its asks", () => {
    const takes = fc.array(fc.tuple(fc.constantFrom(0, 1), fc.bigInt(1n, 1n << 50n)), { maxLength: 30 });
    fc.assert(
      fc.property(curves, takes, (curve, all) => {
        let at = curve;
        for (const [side, most] of all) {
          const level = bestLevel(at, side, NOWHERE[side] as bigint);
          if (level === undefined) continue;
          const next = curveAfter(at, side, { ...level, lots: most < level.lots ? most : level.lots });
          assert.ok(product(next) >= product(at));
          assert.ok(next.base >= 0n && next.quote >= 0n);
          at = next;
          const [bid, ask] = [0, 1].map((each) => bestLevel(at, each, NOWHERE[each] as bigint));
          assert.ok(bid === undefined || ask === undefined || bid.price < ask.price);
        }
      }),
      runs(300),
    );
  });

  test("goes from better to worse, on its grid, up to the highest price and beyond no order", () => {
    fc.assert(
      fc.property(curves, fc.constantFrom(0, 1), fc.bigInt(1n, 10n ** 9n), (curve, side, beyond) => {
        let before = beyond;
        for (const { price, lots } of levelsFrom(curve, side, beyond).take(40)) {
          assert.ok(lots > 0n && price > 0n && price <= curve.grid.maxPrice);
          assert.ok(side === 1 ? price > before : price < before);
          assert.equal(gridUp(price, curve.grid.digits), price);
          before = price;
        }
      }),
      runs(300),
    );
  });
});

test("the grid has prices of so many digits: steps of a tenth to one percent with three", () => {
  const cases: readonly (readonly [bigint, number, bigint, bigint])[] = [
    [76_500n, 3, 76_500n, 76_500n],
    [76_501n, 3, 76_500n, 76_600n],
    [99_950n, 3, 99_900n, 100_000n],
    [100_001n, 3, 100_000n, 101_000n],
    [100_001n, 5, 100_000n, 100_010n],
    [7n, 3, 7n, 7n],
  ];
  for (const [price, digits, down, up] of cases) {
    assert.deepEqual([gridDown(price, digits), gridUp(price, digits)], [down, up], `${price}`);
  }
});
