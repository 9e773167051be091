import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { FLAG } from "../command.ts";
import { decodeEvents, type LevelEvent } from "../event.ts";
import type { BookMaker } from "../state.ts";
import { WordBuffer } from "../words.ts";
import { type Book, type Level, NO_BUY, NO_SELL } from "./book.ts";
import { Draft } from "./draft.ts";
import { LadderBook } from "./ladder-book.ts";
import { NONE, Orders } from "./order.ts";
import { PlainBook } from "./plain-book.ts";

const BOOKS: readonly [string, BookMaker][] = [
  ["the plain book", (orders, events, marketId) => new PlainBook(orders, events, marketId)],
  ["the ladder book", (orders, events, marketId) => new LadderBook(orders, events, marketId)],
];
const MARKET = 3;
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
    const { book, add, published } = bench(makeBook);
    add(BUY, 99n, 5n, true);
    assert.deepEqual(published(), []);
    add(BUY, 98n, 7n);
    add(BUY, 98n, 2n);
    add(BUY, 98n, 3n, true);
    assert.deepEqual(published(), ["buy 7 @ 98", "buy 9 @ 98"]);
    assert.deepEqual(levelsOf(book, BUY), [{ price: 98n, lots: 9n }]);
    assert.equal(book.bestPrice[BUY], 99n);
  });

  test(`${name} shows an iceberg in slices, the next at the back of the queue`, () => {
    const { orders, book, add, addIceberg, published } = bench(makeBook);
    const iceberg = addIceberg(SELL, 101n, 10n, 4n);
    const other = add(SELL, 101n, 3n);
    assert.deepEqual(inPriority(book, SELL), [iceberg, other]);
    book.fillSlice(iceberg, 1n);
    assert.deepEqual([orders.left(iceberg), orders.shown(iceberg)], [9n, 3n]);
    book.fillSlice(iceberg, 3n);
    assert.deepEqual([orders.left(iceberg), orders.shown(iceberg)], [6n, 4n]);
    assert.deepEqual(inPriority(book, SELL), [other, iceberg]);
    assert.deepEqual([...book.wholeLevels(SELL)], [{ price: 101n, lots: 9n }]);
    book.remove(other);
    book.fillSlice(iceberg, 4n);
    assert.equal(orders.shown(iceberg), 2n);
    book.remove(iceberg);
    const lots = [4, 7, 6, 7, 4, 2, 0];
    assert.deepEqual(
      published(),
      lots.map((each) => `sell ${each} @ 101`),
    );
    assert.equal(book.first(SELL), NONE);
  });

  test(`${name} takes from what an iceberg does not show, and gives it a new slice where it grows or moves`, () => {
    const { orders, book, addIceberg, add } = bench(makeBook);
    const iceberg = addIceberg(BUY, 99n, 10n, 4n);
    const other = add(BUY, 99n, 1n);
    const figures = () => [orders.left(iceberg), orders.shown(iceberg), ...levelsOf(book, BUY).map(({ lots }) => lots)];
    book.fillSlice(iceberg, 1n);
    book.resize(iceberg, 5n);
    assert.deepEqual(figures(), [5n, 3n, 4n]);
    book.resize(iceberg, 2n);
    assert.deepEqual(figures(), [2n, 2n, 3n]);
    assert.deepEqual(inPriority(book, BUY), [iceberg, other]);
    book.resize(iceberg, 9n);
    assert.deepEqual(figures(), [9n, 4n, 5n]);
    assert.deepEqual(inPriority(book, BUY), [other, iceberg]);
    book.fillSlice(iceberg, 1n);
    const draft = new Draft();
    draft.price = 98n;
    draft.left = 8n;
    book.move(iceberg, draft);
    assert.deepEqual(figures(), [8n, 4n, 1n, 4n]);
  });

  test(`${name} counts hidden orders where everything counts`, () => {
    const { book, add } = bench(makeBook);
    assert.deepEqual([...book.wholeLevels(BUY)], []);
    add(BUY, 99n, 5n, true);
    add(BUY, 98n, 7n);
    add(BUY, 98n, 3n, true);
    add(BUY, 98n, 2n, true);
    const levels = [
      { price: 99n, lots: 5n },
      { price: 98n, lots: 12n },
    ];
    assert.deepEqual([...book.wholeLevels(BUY)], levels);
    for (const room of [1, 2, 3]) {
      const words = new BigInt64Array(room * 2);
      assert.equal(book.copyWholeLevels(BUY, words), Math.min(room, 2));
      assert.deepEqual([...words], [99n, 5n, 98n, 12n, 0n, 0n].slice(0, room * 2));
    }
    assert.deepEqual([...book.wholeLevels(SELL)], []);
  });

  test(`${name} publishes after each change what the price still displays`, () => {
    const { book, add, published } = bench(makeBook);
    const first = add(SELL, 101n, 5n);
    const second = add(SELL, 101n, 4n);
    book.resize(first, 3n);
    book.remove(first);
    book.remove(second);
    assert.deepEqual(published(), ["sell 5 @ 101", "sell 9 @ 101", "sell 7 @ 101", "sell 4 @ 101", "sell 0 @ 101"]);
    assert.equal(book.first(SELL), NONE);
    assert.deepEqual(levelsOf(book, SELL), []);
  });

  test(`${name} leaves an order that shrinks in its place and sends one that grows to the back`, () => {
    const { book, orders, add } = bench(makeBook);
    const [first, second, third] = [5n, 5n, 5n].map((lots) => add(SELL, 101n, lots)) as [number, number, number];
    book.resize(first, 2n);
    book.resize(second, 8n);
    assert.deepEqual(inPriority(book, SELL), [first, third, second]);
    assert.equal(orders.left(first), 2n);
    assert.deepEqual(levelsOf(book, SELL), [{ price: 101n, lots: 15n }]);
  });

  test(`${name} moves an order to the back of the queue at another price`, () => {
    const { book, add, published } = bench(makeBook);
    const [mover, other] = [add(SELL, 101n, 5n), add(SELL, 102n, 4n)] as [number, number];
    const draft = new Draft();
    draft.price = 102n;
    draft.left = 3n;
    book.move(mover, draft);
    assert.deepEqual(inPriority(book, SELL), [other, mover]);
    assert.deepEqual(published().slice(2), ["sell 0 @ 101", "sell 7 @ 102"]);
    assert.equal(book.bestPrice[SELL], 102n);
  });

  test(`${name} knows the best price of each side, hidden orders counted`, () => {
    const { book, add } = bench(makeBook);
    assert.deepEqual([...book.bestPrice], [NO_BUY, NO_SELL]);
    add(BUY, 97n, 1n);
    const best = add(BUY, 99n, 1n, true);
    add(SELL, 120n, 1n);
    const ask = add(SELL, 102n, 1n);
    assert.deepEqual([...book.bestPrice], [99n, 102n]);
    book.remove(best);
    book.remove(ask);
    assert.deepEqual([...book.bestPrice], [97n, 120n]);
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
  // Near and far, and where a window of levels that starts at 1,024 prices would end.
  const edge = fc
    .tuple(fc.constantFrom(256n, 768n, 1024n), fc.bigInt(-2n, 2n))
    .map(([by, more]) => 100_000n + by + more);
  const price = fc.oneof(
    fc.bigInt(95n, 105n),
    fc.bigInt(1n, 5000n),
    fc.bigInt(1n, HIGHEST_PRICE),
    fc.bigInt(100_000n, 100_016n),
    edge,
    fc.constantFrom(1n, HIGHEST_PRICE),
  );
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
      arbitrary: fc.record({ kind: fc.constant("resize" as const), pick: fc.nat(), lots: fc.bigInt(1n, 1000n) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("move" as const), pick: fc.nat(), price, lots: fc.bigInt(1n, 1000n) }),
    },
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120, size: "max" }), (changes) => {
      // The plain book reads rows only, so both can stand on the same ones.
      const orders = new Orders();
      const plainEvents = new WordBuffer(1024);
      const ladderEvents = new WordBuffer(1024);
      const plain = new PlainBook(orders, plainEvents, MARKET);
      const ladder = new LadderBook(orders, ladderEvents, MARKET);
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
          } else if (step.kind === "move") {
            const [priceBefore, leftBefore] = [orders.price(slot), orders.left(slot)];
            if (step.price === priceBefore) continue;
            const draft = new Draft();
            draft.price = step.price;
            draft.left = step.lots;
            plain.move(slot, draft);
            orders.setPrice(slot, priceBefore);
            orders.setLeft(slot, leftBefore);
            ladder.move(slot, draft);
          } else {
            const before = orders.left(slot);
            plain.resize(slot, step.lots);
            orders.setLeft(slot, before);
            ladder.resize(slot, step.lots);
          }
        }
        assert.deepEqual(ladderEvents.copy(), plainEvents.copy());
        assert.deepEqual(ladder.bestPrice, plain.bestPrice);
        for (const side of [BUY, SELL]) {
          assert.deepEqual(inPriority(ladder, side), inPriority(plain, side));
          assert.deepEqual(levelsOf(ladder, side), levelsOf(plain, side));
        }
      }
    }),
    runs(200),
  );
});

test("a book with hardly an order costs little memory: an idle market takes a few kilobytes", () => {
  const orders = new Orders();
  const book = new LadderBook(orders, new WordBuffer(1024), MARKET);
  const idle = book.byteLength;
  for (const [side, price] of [
    [BUY, 2_999_000n],
    [SELL, 3_001_000n],
    [SELL, 90_000_000n],
  ] as const) {
    book.insert(newOrder(orders, side, price, 1n, false));
  }
  assert.ok(idle <= 1024, `${idle} bytes without an order`);
  assert.ok(book.byteLength <= 8 * 1024, `${book.byteLength} bytes with three orders`);
});

function bench(makeBook: BookMaker) {
  const orders = new Orders();
  const events = new WordBuffer(1024);
  const book = makeBook(orders, events, MARKET);
  const add = (side: number, price: bigint, lots: bigint, hidden = false): number => {
    const slot = newOrder(orders, side, price, lots, hidden);
    book.insert(slot);
    return slot;
  };
  const addIceberg = (side: number, price: bigint, lots: bigint, peak: bigint): number => {
    const slot = newOrder(orders, side, price, lots, false);
    orders.setOrderId(slot, slot + 1);
    orders.setFlags(slot, side | FLAG.iceberg);
    orders.icebergs.set(slot + 1, { peak, shown: 0n });
    book.insert(slot);
    return slot;
  };
  const published = () => {
    const levels = [...decodeEvents(events)] as LevelEvent[];
    return levels.map(({ side, lots, price }) => `${side} ${lots} @ ${price}`);
  };
  return { orders, book, add, addIceberg, published };
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
