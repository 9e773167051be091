import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import type { Level } from "./book.ts";
import { openingPrice } from "./opening-price.ts";

/** Levels written as "5@102 3@100"; the opening as "5@101", "" for none. */
const TABLE: readonly [rule: string, bids: string, asks: string, reference: bigint, opening: string][] = [
  ["nobody is there", "", "", 0n, ""],
  ["only buyers are there", "5@102 3@100", "", 0n, ""],
  ["only sellers are there", "", "4@99 2@101", 0n, ""],
  ["the sides do not reach each other", "5@100", "5@101", 0n, ""],
  ["they reach each other at one price", "5@100", "5@100", 0n, "5@100"],
  ["most lots trade", "6@102 9@100", "5@99 4@102", 0n, "6@102"],
  ["most lots trade, though fewer would stay unserved elsewhere", "4@101 5@100", "5@100", 0n, "5@100"],
  ["of prices that trade as much the one that leaves least", "4@103 2@101 5@100", "4@99 3@103", 0n, "4@101"],
  ["buyers are left at every best price: the highest", "6@103", "2@99 3@101", 0n, "5@103"],
  ["buyers are left, and the reference counts for nothing", "6@103", "2@99 3@101", 101n, "5@103"],
  ["sellers are left at every best price: the lowest", "3@103 2@101", "6@99", 0n, "5@99"],
  ["sellers are left, and the reference counts for nothing", "3@103 2@101", "6@99", 103n, "5@99"],
  ["nobody is left at two: the one nearer to the reference", "5@104", "5@100", 103n, "5@104"],
  ["nobody is left, the reference is above both", "5@104", "5@100", 900n, "5@104"],
  ["nobody is left, the reference is below both", "5@104", "5@100", 1n, "5@100"],
  ["nobody is left, the reference is in the middle: the lower", "5@104", "5@100", 102n, "5@100"],
  ["nobody is left, no reference: both are as near to the middle, so the lower", "5@104", "5@100", 0n, "5@100"],
  ["buyers are left at some, sellers at others: nearest to the reference", "5@111 2@102", "5@100 2@108", 109n, "5@108"],
  ["as before, the reference between two of them: the lower", "5@111 2@102", "5@100 2@108", 105n, "5@102"],
  ["as before, no reference: nearest to the middle", "5@110 2@102", "5@100 2@107", 0n, "5@107"],
  ["as before, a middle between two ticks is rounded down", "5@111 2@102", "5@100 2@108", 0n, "5@102"],
];

test("the opening price follows its rules, row by row", () => {
  for (const [rule, bids, asks, reference, opening] of TABLE) {
    assert.equal(textOf(openingPrice(levels(bids), levels(asks), reference)), opening, rule);
  }
});

test("the opening price is the one that trying every price finds", () => {
  const side = fc.uniqueArray(fc.record({ price: fc.bigInt(90n, 110n), lots: fc.bigInt(1n, 9n) }), {
    maxLength: 8,
    selector: ({ price }) => price,
  });
  fc.assert(
    fc.property(side, side, fc.constantFrom(0n, 1n, 95n, 100n, 101n, 200n), (wanted, offered, reference) => {
      const bids = wanted.toSorted((first, second) => Number(second.price - first.price));
      const asks = offered.toSorted((first, second) => Number(first.price - second.price));
      assert.equal(textOf(openingPrice(bids, asks, reference)), textOf(tryAll(bids, asks, reference)));
    }),
    runs(2_000),
  );
});

test("amounts whose sum exceeds 64 bits are no obstacle", () => {
  const lots = 2n ** 53n - 1n;
  const many = Array.from({ length: 3_000 }, (_, at) => ({ price: BigInt(5_000 - at), lots }));
  const opening = openingPrice(many, [{ price: 2_001n, lots: lots * 5_000n }], 0n);
  assert.deepEqual(opening?.lots, lots * 3_000n);
});

/** The rules word by word: one price after the other, summed anew each time. */
function tryAll(bids: readonly Level[], asks: readonly Level[], reference: bigint): Level | undefined {
  const sum = (levels: readonly Level[]) => levels.reduce((total, { lots }) => total + lots, 0n);
  const prices = [...new Set([...bids, ...asks].map(({ price }) => price))].sort((a, b) => Number(a - b));
  let best = prices.map((price) => {
    const wanted = sum(bids.filter((level) => level.price >= price));
    const offered = sum(asks.filter((level) => level.price <= price));
    return { price, lots: wanted < offered ? wanted : offered, over: wanted - offered };
  });
  const most = best.reduce((max, { lots }) => (lots > max ? lots : max), 0n);
  if (most === 0n) return undefined;
  best = best.filter(({ lots }) => lots === most);
  const size = (value: bigint) => (value < 0n ? -value : value);
  const least = best.map(({ over }) => size(over)).reduce((min, over) => (over < min ? over : min));
  best = best.filter(({ over }) => size(over) === least);
  if (best.every(({ over }) => over > 0n)) return best.at(-1);
  if (best.every(({ over }) => over < 0n)) return best[0];
  const middle = ((best[0]?.price as bigint) + (best.at(-1)?.price as bigint)) / 2n;
  const near = reference === 0n ? middle : reference;
  return best.toSorted((a, b) => Number(size(a.price - near) - size(b.price - near)) || Number(a.price - b.price))[0];
}

function levels(text: string): Level[] {
  return text
    .split(" ")
    .filter((level) => level !== "")
    .map((level) => level.split("@").map(BigInt) as [bigint, bigint])
    .map(([lots, price]) => ({ price, lots }));
}

function textOf(opening: Level | undefined): string {
  return opening === undefined ? "" : `${opening.lots}@${opening.price}`;
}
