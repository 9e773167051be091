import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import type { Market } from "../listing/market.ts";
import { losesToIndex } from "./off-index.ts";

const ONE = 10n ** 12n;
const TICKS = 1_000_000n;

/** A market in which a unit of base is worth `index` ticks of a millionth. */
const marketAt = (index: number) =>
  ({
    index: { price: BigInt(Math.round(index * Number(TICKS))) },
    unitsPerLot: TICKS,
    unitsPerLotTick: 1n,
  }) as unknown as Market;

/** A pool of L = 1 that stands at a price, between the ends of a range: 0 and Infinity have none. */
function poolAt(price: number, low: number, high: number) {
  const units = (amount: number) => BigInt(Math.round(amount * Number(ONE)));
  const at = Math.min(high, Math.max(low, price));
  return {
    base: units(1 / Math.sqrt(at) - 1 / Math.sqrt(high)),
    quote: units(Math.sqrt(at) - Math.sqrt(low)),
    baseOffset: units(1 / Math.sqrt(high)),
    quoteOffset: units(Math.sqrt(low)),
  };
}

/** What a pool of L = 1 is worth at an index to which it has come, or as near as its range lets it. */
function worthAt(price: number, index: number, low: number, high: number): number {
  const at = Math.min(high, Math.max(low, price));
  return (1 / Math.sqrt(at) - 1 / Math.sqrt(high)) * index + Math.sqrt(at) - Math.sqrt(low);
}

const BANDS: readonly (readonly [low: number, high: number, price: number, refused: boolean])[] = [
  [0, Number.POSITIVE_INFINITY, 1.05, false],
  [0, Number.POSITIVE_INFINITY, 0.95, false],
  [0, Number.POSITIVE_INFINITY, 1.12, true],
  [0.5, 2, 1.04, false],
  [0.5, 2, 1.05, true],
  [0.95, 1.05, 1.0138, false],
  [0.95, 1.05, 1.0142, true],
  [0.95, 1.05, 0.9862, false],
  [0.95, 1.05, 0.9855, true],
  [0.99, 1.01, 1.0062, false],
  [0.99, 1.01, 1.0065, true],
  // The index lies beyond the end at which the pool stands: it cannot come back.
  [0.9, 0.97, 0.97, false],
  [1.02, 1.1, 1.02, false],
  [1.02, 1.1, 1.05, true],
];

test("an addition is refused where it would lose more than a thousandth as the pool comes to the index", () => {
  for (const [low, high, price, refused] of BANDS) {
    assert.equal(losesToIndex(marketAt(1), poolAt(price, low, high)), refused, `${low} to ${high} at ${price}`);
  }
  assert.equal(losesToIndex(marketAt(0), poolAt(3, 0, Number.POSITIVE_INFINITY)), false, "no index, no bound");
});

test("whatever the range, no addition that is let through loses more than a thousandth, and none is refused for less", () => {
  const price = fc.double({ min: 0.9, max: 1.1, noNaN: true });
  const ends = fc.tuple(
    fc.double({ min: 0.3, max: 1.06, noNaN: true }),
    fc.double({ min: 0.001, max: 2, noNaN: true }),
  );
  fc.assert(
    fc.property(price, ends, (stands, [low, width]) => {
      const high = low + width;
      const before = worthAt(stands, 1, low, high);
      const lost = before - worthAt(1, 1, low, high);
      // Where it is too close to call, floating point cannot.
      if (Math.abs(lost / before - 0.001) < 1e-6) return;
      assert.equal(losesToIndex(marketAt(1), poolAt(stands, low, high)), lost / before > 0.001, `${lost / before}`);
    }),
    runs(500),
  );
});
