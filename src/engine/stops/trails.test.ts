import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { type Condition, NO_CONDITION, trailTrigger } from "./condition.ts";
import { type FollowingRows, Trails } from "./trails.ts";

interface Row {
  readonly sells: boolean;
  readonly condition: Condition;
}

/** Rows in plain memory, of one market and one price. */
class Rows implements FollowingRows {
  readonly all: Row[] = [];
  looks = 0;
  private readonly places: number[] = [];
  marketId(): number {
    return 0;
  }
  reference(): number {
    return 0;
  }
  sells(slot: number): boolean {
    return (this.all[slot] as Row).sells;
  }
  /** Every look at a trail asks for its distance. */
  conditionOf(slot: number): Condition {
    this.looks++;
    return (this.all[slot] as Row).condition;
  }
  trigger(): number {
    return 0;
  }
  keyOf(slot: number): number {
    return slot;
  }
  place(slot: number): number {
    return this.places[slot] as number;
  }
  setPlace(slot: number, place: number): void {
    this.places[slot] = place;
  }
}

/** The same, looking at each of them at each price. */
class PlainTrails {
  readonly extremes = new Map<number, number>();
  private readonly rows: Rows;

  constructor(rows: Rows) {
    this.rows = rows;
  }

  follow(price: number): number[] {
    const due: number[] = [];
    for (const [slot, extreme] of this.extremes) {
      const { sells, condition } = this.rows.all[slot] as Row;
      const best = sells ? Math.max(extreme, price) : Math.min(extreme, price);
      this.extremes.set(slot, best);
      const trigger = trailTrigger(condition, best, sells);
      if (sells ? price <= trigger : price >= trigger) due.push(slot);
    }
    return due;
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ price: fc.integer({ min: 900, max: 1_100 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      sells: fc.boolean(),
      trail: fc.integer({ min: 1, max: 150 }),
      byRate: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ cancels: fc.nat() }) },
);

test("trails have the extremes of a plain list and fire with it, whatever comes and goes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const rows = new Rows();
      const trails = new Trails(rows);
      const plain = new PlainTrails(rows);
      const waiting = new Set<number>();
      for (const one of steps) {
        if ("sells" in one) {
          const { sells, trail, byRate } = one;
          const condition = { ...NO_CONDITION, ...(byRate ? { trailRateE8: trail * 100_000 } : { trail }) };
          waiting.add(rows.all.push({ sells, condition }) - 1);
          trails.begin(rows.all.length - 1);
        } else if ("price" in one) {
          const [due, begun]: [number[], number[]] = [[], []];
          const isMoved = trails.isMovedBy(0, 0, BigInt(one.price));
          const before = new Map(plain.extremes);
          const expected = plain.follow(one.price);
          for (const slot of waiting) plain.extremes.set(slot, one.price);
          trails.follow(0, 0, one.price, due, begun);
          assert.deepEqual(
            due.sort((a, b) => a - b),
            expected,
          );
          assert.deepEqual(begun, [...waiting]);
          const moved = [...before].some(([slot, extreme]) => plain.extremes.get(slot) !== extreme);
          assert.ok(isMoved || (!moved && due.length + begun.length === 0), "it would not have been looked at");
          waiting.clear();
          for (const slot of due) {
            trails.remove(slot);
            plain.extremes.delete(slot);
          }
        } else {
          const slots = [...plain.extremes.keys(), ...waiting];
          const slot = slots[one.cancels % slots.length];
          if (slot === undefined) continue;
          trails.remove(slot);
          plain.extremes.delete(slot);
          waiting.delete(slot);
        }
        for (const [slot, extreme] of plain.extremes) assert.equal(trails.extremeOf(slot), extreme);
      }
    }),
    runs(300),
  );
});

test("with 100,000 trails a price that moves costs a few looks, and a life log n of them", () => {
  const COUNT = 100_000;
  const HEIGHT = Math.ceil(Math.log2(COUNT));
  const rows = new Rows();
  const trails = new Trails(rows);
  const looksAt = (price: number) => {
    rows.looks = 0;
    const due: number[] = [];
    trails.follow(0, 0, price, due, []);
    assert.deepEqual(due, []);
    return rows.looks;
  };
  let total = 0;
  // The price falls, so that each has an extreme of its own, then rises past all of them.
  for (let slot = 0; slot < COUNT; slot++) {
    rows.all.push({ sells: true, condition: { ...NO_CONDITION, trail: 300_000 + ((slot * 7_919) % COUNT) } });
    trails.begin(slot);
    total += looksAt(1_000_000 - slot);
  }
  assert.ok(total <= COUNT * 8 * HEIGHT, `${total} looks to let ${COUNT} begin`);
  let most = 0;
  total = 0;
  for (let price = 1_000_000 - COUNT; price <= 1_000_100; price++) total += looksAt(price);
  assert.ok(total <= COUNT * 8 * HEIGHT * HEIGHT, `${total} looks to make all of them one group`);
  for (let price = 1_000_200; price < 1_001_200; price++) most = Math.max(most, looksAt(price));
  for (let price = 1_001_200; price > 1_000_200; price--) most = Math.max(most, looksAt(price));
  assert.ok(most <= 4, `${most} looks at a price that is a new extreme for all`);
});
