import assert from "node:assert/strict";
import { mock, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../../test/support/runs.ts";
import { PriceLevels } from "./price-levels.ts";
import { PricePages } from "./price-pages.ts";
import { PriceTree } from "./price-tree.ts";

const HIGHEST_PLACE = 2 ** 49 - 1;

test("pages stay in order wherever prices go: near, far beyond, at the edges of digits, at the ends of all prices", () => {
  const edge = fc.tuple(fc.nat(49), fc.integer({ min: -1, max: 1 })).map(([bits, by]) => 2 ** bits + by);
  /** Where the next place lies: from the last one, from the best one, or anywhere. */
  const where = fc.oneof(
    fc.record({ from: fc.constant("last" as const), by: fc.integer({ min: -20, max: 20 }) }),
    fc.record({ from: fc.constant("best" as const), by: edge }),
    fc.record({ from: fc.constant("best" as const), by: edge.map((by) => -by) }),
    fc.record({ from: fc.constant("zero" as const), by: fc.oneof(fc.integer({ min: 0, max: HIGHEST_PLACE }), edge) }),
    fc.record({ from: fc.constant("zero" as const), by: fc.constantFrom(0, 1, HIGHEST_PLACE - 1, HIGHEST_PLACE) }),
  );
  const step = fc.record({
    where,
    repeat: fc.constantFrom(1, 1, 1, 90),
    drop: fc.constantFrom("no", "no", "best", "any"),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat()), { maxLength: 60, size: "max" }), (steps) => {
      const side = new Side();
      let last = 187_500;
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
    }),
    runs(200),
  );
});

test("nobody makes pages move: an open hangs one other page or node at most, a drop none, however many there are", () => {
  const side = new Side();
  const middle = 10_000_000;
  for (let n = 0; n < 5_000; n++) side.open(middle + n * 7);
  const hung = mock.method(PriceTree.prototype as unknown as { hang: () => void }, "hang");
  const handsOn = (action: () => void) => {
    hung.mock.resetCalls();
    action();
    return hung.mock.callCount();
  };
  // Alternately so good that all is far behind, in between, far behind all, and where one stands.
  for (let n = 0; n < 200; n++) {
    const place = [middle - 2 ** (n % 23), middle + n * 7 + 3, 2 ** 40 + n, middle + 35_001 + n][n % 4] as number;
    // A node that comes in between, what hung there, and the page.
    assert.ok(handsOn(() => side.open(place)) <= 3);
    assert.ok(handsOn(() => side.close(place)) === 0);
  }
  mock.restoreAll();
  side.check();
});

test("an emptied tree gives its nodes back: filling it again takes no more memory", () => {
  const side = new Side();
  let after = 0;
  for (let round = 0; round < 50; round++) {
    for (const place of [1, 5000, 3_000_000, 2 ** 40, HIGHEST_PLACE]) side.open(place);
    while (side.places.length > 0) side.close(side.places[0] as number);
    assert.equal(side.tree.nodes, 0);
    if (round === 0) after = side.tree.byteLength;
  }
  assert.equal(side.tree.byteLength, after);
});

test("a lone page costs no node, and pages far apart cost no more than neighbours", () => {
  const sizes = [1, 64, 2 ** 20, 2 ** 40].map((apart) => {
    const side = new Side();
    side.open(187_500);
    assert.equal(side.tree.nodes, 0);
    for (const times of [1, 2, 3]) side.open(187_500 + times * apart);
    return side.tree.nodes;
  });
  assert.deepEqual(sizes, [1, 1, 1, 1]);
});

/** One side's pages beside a sorted list of their places. */
class Side {
  readonly places: number[] = [];
  private readonly pages = new PricePages(new PriceLevels());
  readonly tree = new PriceTree(this.pages);

  open(place: number): void {
    const page = this.pageAt(place);
    assert.equal(this.placeOf(page), place);
    const at = this.positionOf(place);
    if (this.places[at] !== place) this.places.splice(at, 0, place);
  }

  close(place: number): void {
    this.tree.drop(this.pageAt(place));
    this.places.splice(this.positionOf(place), 1);
  }

  /** Follows the pages from the best to the worst. */
  check(): void {
    const { tree, places } = this;
    const found: number[] = [];
    for (let page = places.length === 0 ? -1 : this.pageAt(places[0] as number); page >= 0; page = tree.after(page)) {
      found.push(this.placeOf(page));
    }
    assert.deepEqual(found, places);
    for (const place of places) assert.equal(this.placeOf(this.pageAt(place)), place);
    assert.ok(tree.nodes <= 9 * places.length, `${tree.nodes} nodes for ${places.length} pages`);
  }

  private pageAt(place: number): number {
    return this.tree.pageAt(place % 2 ** 30, Math.floor(place / 2 ** 30));
  }

  private placeOf(page: number): number {
    return this.pages.placeHigh(page) * 2 ** 30 + this.pages.placeLow(page);
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
