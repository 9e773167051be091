import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FLAG } from "../command.ts";
import type { Book, Level } from "./book.ts";
import { LadderBook } from "./ladder-book.ts";
import { NONE, Orders } from "./order.ts";
import { PlainBook } from "./plain-book.ts";

const BOOKS: readonly [string, (orders: Orders) => Book][] = [
  ["the plain book", (orders) => new PlainBook(orders)],
  ["the ladder book", (orders) => new LadderBook(orders)],
];
const BUY = 0;
const SELL = 1;
const HIGHEST_PRICE = 2n ** 53n - 1n;

for (const [name, makeBook] of BOOKS) {
  test(`${name} ranks sells from the lowest price and buys from the highest`, () => {
    const { book, add } = bench(makeBook);
    const sells = [105n, 101n, 103n].map((price) => add(SELL, price, 1n));
    const buys = [95n, 99n, 97n].map((price) => add(BUY, price, 1n));
    assert.deepEqual(inPriority(book, SELL), [sells[1], sells[2], sells[0]]);
    assert.deepEqual(inPriority(book, BUY), [buys[1], buys[2], buys[0]]);
  });

  test(`${name} serves orders at one price by time of insertion, displayed ones before hidden ones`, () => {
    const { book, add } = bench(makeBook);
    const hiddenFirst = add(SELL, 101n, 1n, true);
    const early = add(SELL, 101n, 1n);
    const hiddenSecond = add(SELL, 101n, 1n, true);
    const late = add(SELL, 101n, 1n);
    const worse = add(SELL, 102n, 1n);
    assert.deepEqual(inPriority(book, SELL), [early, late, hiddenFirst, hiddenSecond, worse]);
  });

  test(`${name} shows no level that only hidden orders make, and counts only what is displayed`, () => {
    const { book, add } = bench(makeBook);
    add(BUY, 99n, 5n, true);
    assert.equal(book.shown[0], 0n);
    add(BUY, 98n, 7n);
    add(BUY, 98n, 2n);
    add(BUY, 98n, 3n, true);
    assert.equal(book.shown[0], 9n);
    assert.deepEqual(levelsOf(book, BUY), [{ price: 98n, lots: 9n }]);
  });

  test(`${name} tells after each change what its price still displays`, () => {
    const { book, orders, add } = bench(makeBook);
    const first = add(SELL, 101n, 5n);
    const second = add(SELL, 101n, 4n);
    assert.equal(book.shown[0], 9n);
    book.reduce(first, 2n);
    orders.setLeft(first, 3n);
    assert.equal(book.shown[0], 7n);
    book.remove(first);
    assert.equal(book.shown[0], 4n);
    book.remove(second);
    assert.equal(book.shown[0], 0n);
    assert.equal(book.first(SELL), NONE);
    assert.deepEqual(levelsOf(book, SELL), []);
  });

  test(`${name} takes orders out of the front, the middle and the back of a queue`, () => {
    const { book, add } = bench(makeBook);
    const slots = [1n, 2n, 3n, 4n, 5n].map((lots) => add(BUY, 99n, lots));
    book.remove(slots[2] as number);
    book.remove(slots[0] as number);
    book.remove(slots[4] as number);
    assert.deepEqual(inPriority(book, BUY), [slots[1], slots[3]]);
    assert.deepEqual(levelsOf(book, BUY), [{ price: 99n, lots: 6n }]);
  });

  test(`${name} keeps prices from the lowest to the highest that can be listed`, () => {
    const { book, add } = bench(makeBook);
    const prices = [HIGHEST_PRICE, 1n, 2n ** 30n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 30n - 1n, 64n, 63n];
    for (const price of prices) add(SELL, price, price);
    const ascending = prices.toSorted((left, right) => (left < right ? -1 : 1));
    assert.deepEqual(
      levelsOf(book, SELL),
      ascending.map((price) => ({ price, lots: price })),
    );
  });
}

test("both books agree after every change of any sequence of changes", () => {
  const price = fc.oneof(fc.bigInt(95n, 105n), fc.bigInt(1n, 5000n), fc.bigInt(1n, HIGHEST_PRICE));
  const change = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("add" as const),
        price,
        sell: fc.boolean(),
        hidden: fc.boolean(),
        lots: fc.bigInt(1n, 1000n),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), pick: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("reduce" as const), pick: fc.nat(), lots: fc.bigInt(1n, 1000n) }),
    },
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120, size: "max" }), (changes) => {
      // The plain book reads rows only, so both can stand on the same ones.
      const orders = new Orders();
      const plain = new PlainBook(orders);
      const ladder = new LadderBook(orders);
      const resting: number[] = [];
      for (const step of changes) {
        if (step.kind === "add") {
          const slot = newOrder(orders, step.sell ? SELL : BUY, step.price, step.lots, step.hidden);
          resting.push(slot);
          plain.insert(slot);
          ladder.insert(slot);
        } else if (resting.length > 0) {
          const at = step.pick % resting.length;
          const slot = resting[at] as number;
          if (step.kind === "remove") {
            plain.remove(slot);
            ladder.remove(slot);
            orders.free(slot);
            resting.splice(at, 1);
          } else if (step.lots < orders.left(slot)) {
            plain.reduce(slot, step.lots);
            ladder.reduce(slot, step.lots);
            orders.setLeft(slot, orders.left(slot) - step.lots);
          }
        }
        assert.equal(ladder.shown[0], plain.shown[0]);
        for (const side of [BUY, SELL]) {
          assert.deepEqual(inPriority(ladder, side), inPriority(plain, side));
          assert.deepEqual(levelsOf(ladder, side), levelsOf(plain, side));
        }
      }
    }),
    { numRuns: 200 },
  );
});

function bench(makeBook: (orders: Orders) => Book) {
  const orders = new Orders();
  const book = makeBook(orders);
  const add = (side: number, price: bigint, lots: bigint, hidden = false): number => {
    const slot = newOrder(orders, side, price, lots, hidden);
    book.insert(slot);
    return slot;
  };
  return { orders, book, add };
}

function newOrder(orders: Orders, side: number, price: bigint, lots: bigint, hidden: boolean): number {
  const slot = orders.allocate();
  orders.setFlags(slot, side | (hidden ? FLAG.hidden : 0));
  orders.setPrice(slot, price);
  orders.setLeft(slot, lots);
  return slot;
}

function inPriority(book: Book, side: number): number[] {
  const slots: number[] = [];
  for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) slots.push(slot);
  return slots;
}

function levelsOf(book: Book, side: number): Level[] {
  return [...book.levels(side)].map(({ price, lots }) => ({ price, lots }));
}
