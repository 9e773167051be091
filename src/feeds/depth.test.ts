import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../test/support/runs.ts";
import type { Side } from "../engine/command.ts";
import { formatDecimal, parseDecimal } from "../engine/money/decimal.ts";
import { checksumOf, Depth, type DepthRow, stepOf } from "./depth.ts";

const CENTS = { pricePrecision: 2, amountPrecision: 8 };

function depthOf(levels: readonly [Side, string, string][]): Depth {
  const depth = new Depth(0);
  for (const [side, price, amount] of levels) {
    depth.set(side, parseDecimal(price, 2) as bigint, parseDecimal(amount, 8) as bigint, 1_000);
  }
  return depth;
}

const BIDS: [Side, string, string][] = [
  ["buy", "100.00", "0.5"],
  ["buy", "100.10", "2"],
];
const ASKS: [Side, string, string][] = [
  ["sell", "100.50", "3"],
  ["sell", "100.20", "1.25"],
];

test("the checksum is that of the contract's worked examples", () => {
  const both = depthOf([...BIDS, ...ASKS]).view(5, 1n, CENTS);
  assert.deepEqual(both.bids, [
    ["100.10", "2.00000000"],
    ["100.00", "0.50000000"],
  ]);
  assert.deepEqual(both.asks, [
    ["100.20", "1.25000000"],
    ["100.50", "3.00000000"],
  ]);
  assert.equal(both.checksum, 1338560837);
  assert.equal(depthOf(ASKS).view(5, 1n, CENTS).checksum, 2426497583);
  assert.equal(depthOf([]).view(5, 1n, CENTS).checksum, 0);
  assert.equal(
    both.json,
    '"asks":[["100.20","1.25000000"],["100.50","3.00000000"]],"bids":[["100.10","2.00000000"],["100.00","0.50000000"]]',
  );
});

test("asks are merged up, bids down, and the limit counts merged rows", () => {
  const depth = depthOf([
    ["buy", "99.99", "1"],
    ["buy", "99.90", "2"],
    ["buy", "99.89", "4"],
    ["buy", "90.00", "8"],
    ["sell", "100.00", "1"],
    ["sell", "100.01", "2"],
    ["sell", "100.10", "4"],
    ["sell", "110.00", "8"],
  ]);
  const table: [interval: string, limit: number, asks: [string, number][], bids: [string, number][]][] = [
    [
      "0",
      2,
      [
        ["100.00", 1],
        ["100.01", 2],
      ],
      [
        ["99.99", 1],
        ["99.90", 2],
      ],
    ],
    ["0.000000000001", 1, [["100.00", 1]], [["99.99", 1]]],
    [
      "0.01",
      2,
      [
        ["100.00", 1],
        ["100.01", 2],
      ],
      [
        ["99.99", 1],
        ["99.90", 2],
      ],
    ],
    [
      "0.1",
      5,
      [
        ["100.00", 1],
        ["100.10", 6],
        ["110.00", 8],
      ],
      [
        ["99.90", 3],
        ["99.80", 4],
        ["90.00", 8],
      ],
    ],
    [
      "0.1",
      2,
      [
        ["100.00", 1],
        ["100.10", 6],
      ],
      [
        ["99.90", 3],
        ["99.80", 4],
      ],
    ],
    [
      "1",
      5,
      [
        ["100.00", 1],
        ["101.00", 6],
        ["110.00", 8],
      ],
      [
        ["99.00", 7],
        ["90.00", 8],
      ],
    ],
    [
      "10",
      5,
      [
        ["100.00", 1],
        ["110.00", 14],
      ],
      [["90.00", 15]],
    ],
    ["1000", 5, [["1000.00", 15]], [["0.00", 15]]],
  ];
  const rows = (given: [string, number][]) => given.map(([price, amount]) => [price, `${amount}.00000000`]);
  for (const [interval, limit, asks, bids] of table) {
    const view = depth.view(limit, stepOf(interval, CENTS), CENTS);
    assert.deepEqual(view.asks, rows(asks), `asks by ${interval}`);
    assert.deepEqual(view.bids, rows(bids), `bids by ${interval}`);
    assert.equal(view.checksum, checksumOf(view.bids, view.asks));
  }
});

test("a view is made once and again only after a change", () => {
  const depth = depthOf(ASKS);
  const before = depth.view(5, 1n, CENTS);
  assert.equal(depth.view(5, 1n, CENTS), before);
  assert.equal(before.updatedAt, 1_000);
  depth.set("sell", 10_020n, 0n, 2_000);
  const after = depth.view(5, 1n, CENTS);
  assert.deepEqual(after.asks, [["100.50", "3.00000000"]]);
  assert.equal(after.updatedAt, 2_000);
});

test("any book, merged by any step to any limit, is what plain sums over its levels give", () => {
  const level = fc.record({
    side: fc.constantFrom<Side>("buy", "sell"),
    price: fc.bigInt({ min: 1n, max: 5_000n }),
    lots: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  });
  const property = fc.property(
    fc.array(level, { maxLength: 200, size: "max" }),
    fc.constantFrom(5, 10, 20, 50),
    fc.constantFrom("0", "0.01", "0.1", "1", "10", "100"),
    (levels, limit, interval) => {
      const depth = new Depth(0);
      const book = { buy: new Map<bigint, bigint>(), sell: new Map<bigint, bigint>() };
      for (const { side, price, lots } of levels) {
        depth.set(side, price, lots, 1);
        book[side].set(price, lots);
      }
      const step = stepOf(interval, CENTS);
      const expected = (side: Side): DepthRow[] => {
        const merged = new Map<bigint, bigint>();
        for (const [price, lots] of book[side]) {
          if (lots === 0n) continue;
          const floor = (price / step) * step;
          const to = side === "sell" && floor < price ? floor + step : floor;
          merged.set(to, (merged.get(to) ?? 0n) + lots);
        }
        return [...merged]
          .sort(([one], [other]) => Number(side === "sell" ? one - other : other - one))
          .slice(0, limit)
          .map(([price, lots]) => [formatDecimal(price, 2), formatDecimal(lots, 8)]);
      };
      const view = depth.view(limit, step, CENTS);
      assert.deepEqual(view.asks, expected("sell"));
      assert.deepEqual(view.bids, expected("buy"));
    },
  );
  fc.assert(property, runs(200));
});
