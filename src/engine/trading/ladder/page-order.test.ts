import assert from "node:assert/strict";
import { mock, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../../test/support/runs.ts";
import { PageOrder } from "./page-order.ts";
import { PriceLevels } from "./price-levels.ts";
import { PricePages } from "./price-pages.ts";
import { PriceTree } from "./price-tree.ts";

const HIGHEST_PLACE = 2 ** 49 - 1;
/** Places of the smallest and the largest window. */
const [SMALLEST, LARGEST] = [64, 4096];
/** The places of sells grow from the lowest one, those of buys fall from the highest one. */
const TURNS = [0, -1];

test("pages stay in order wherever prices go: within the window, at its edges, far beyond it, at the ends of all prices", () => {
  const edge = fc
    .tuple(fc.constantFrom(SMALLEST / 4, SMALLEST, LARGEST / 4, LARGEST), fc.integer({ min: -2, max: 2 }))
    .map(([by, more]) => by + more);
  /** Where the next place lies: from the last one, from the best one, or anywhere. */
  const where = fc.oneof(
    fc.record({ from: fc.constant("last" as const), by: fc.integer({ min: -20, max: 20 }) }),
    fc.record({ from: fc.constant("best" as const), by: edge }),
    fc.record({ from: fc.constant("best" as const), by: edge.map((by) => -by) }),
    fc.record({ from: fc.constant("zero" as const), by: fc.integer({ min: 0, max: HIGHEST_PLACE }) }),
    fc.record({ from: fc.constant("zero" as const), by: fc.constantFrom(0, 1, HIGHEST_PLACE - 1, HIGHEST_PLACE) }),
  );
  const step = fc.record({
    where,
    repeat: fc.constantFrom(1, 1, 1, 90),
    drop: fc.constantFrom("no", "no", "best", "any"),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...TURNS),
      fc.array(fc.tuple(step, fc.nat()), { maxLength: 60, size: "max" }),
      (turn, steps) => {
        const side = new Side(turn);
        let last = turn === 0 ? 187_500 : HIGHEST_PLACE - 187_500;
        for (const [{ where, repeat, drop }, pick] of steps) {
          for (let n = 0; n < repeat; n++) {
            if (drop === "no" || side.places.length === 0) {
              const origin = { last, best: side.places[0] ?? last, zero: 0 }[where.from];
              last = Math.min(HIGHEST_PLACE, Math.max(0, origin + where.by));
              side.open(last);
            } else {
              side.close(side.places[drop === "best" ? 0 : pick % side.places.length] as number);
            }
          }
          side.check();
        }
        while (side.places.length > 0) side.close(side.places[0] as number);
        side.check();
      },
    ),
    runs(200),
  );
});

test("nobody makes moves of the window dear: with thousands of pages at rest, an action costs some dozen steps on the average", () => {
  const puts = mock.method(PriceTree.prototype, "put");
  const removes = mock.method(PriceTree.prototype, "remove");
  const steps = () => puts.mock.callCount() + removes.mock.callCount();
  const side = new Side(0);
  const middle = 10_000_000;
  for (let n = 0; n < 3 * LARGEST; n++) side.open(middle + n);
  const before = steps();
  const actions = 2_000;
  for (let n = 0; n < actions / 2; n++) {
    // A price so good that the window leaves everything behind, and at once away again; sometimes one that leaves half
    // behind.
    const good = middle - (n % 3 === 0 ? LARGEST / 2 : 100 * LARGEST);
    side.open(good);
    side.close(good);
  }
  side.check();
  mock.restoreAll();
  // The pages that were in the window at first are moved out once.
  assert.ok(steps() - before <= LARGEST + actions * 34, `${(steps() - before) / actions} steps an action`);
});

test("the window grows where prices are many and stays small where they are few", () => {
  const [quiet, busy] = [new Side(0), new Side(0)];
  for (let n = 0; n < 10; n++) quiet.open(1000 + n * 500);
  for (let n = 0; n < 2 * LARGEST; n++) busy.open(1000 + n);
  assert.equal(quiet.order.window.size, SMALLEST);
  assert.equal(busy.order.window.size, LARGEST);
});

test("the window follows prices that grow worse, so that their pages are found in a step", () => {
  const side = new Side(0);
  // A price a place further each time, ten at rest.
  for (let n = 0; n < 5_000; n++) {
    side.open(1000 + n);
    if (n >= 10) side.close(1000 + n - 10);
  }
  side.check();
  assert.equal(side.order.window.count, side.places.length);
});

/** One side's pages beside a sorted list of their places. */
class Side {
  readonly places: number[] = [];
  readonly order: PageOrder;
  private readonly pages = new PricePages();

  constructor(turn: number) {
    this.order = new PageOrder(this.pages, new PriceLevels(), turn);
  }

  open(place: number): void {
    const page = this.pageAt(place);
    assert.equal(this.pages.place(page), place);
    const at = this.positionOf(place);
    if (this.places[at] !== place) this.places.splice(at, 0, place);
  }

  close(place: number): void {
    this.order.drop(this.pageAt(place));
    this.places.splice(this.positionOf(place), 1);
  }

  /** Follows the pages from the best to the worst. */
  check(): void {
    const { order, pages, places } = this;
    const found: number[] = [];
    const best = order.window.from(order.window.base);
    for (let page = best; page >= 0; page = order.after(page)) found.push(pages.place(page));
    assert.deepEqual(found, places);
    for (const place of places) assert.equal(pages.place(this.pageAt(place)), place);
  }

  /** As a ladder looks for it. */
  private pageAt(place: number): number {
    const [low, high] = [place % 2 ** 28, Math.floor(place / 2 ** 28)];
    const page = this.order.window.at(low);
    return this.pages.isAt(page, low, high) ? page : this.order.pageFor(low, high);
  }

  private positionOf(place: number): number {
    let [from, to] = [0, this.places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.places[middle] as number) < place) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
