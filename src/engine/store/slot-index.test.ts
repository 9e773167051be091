import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { SlotIndex } from "./slot-index.ts";

test("the index finds, adds and removes like a map, also where entries crowd", () => {
  // Few distinct keys on a small table collide often; keys far apart use both halves of the hash.
  const key = fc.oneof(
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: 0, max: 40 }).map((n) => n * 2 ** 32),
    fc.maxSafeNat(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 300, size: "max" }), (steps) => {
      const keys: number[] = [];
      const index = new SlotIndex({ keyOf: (slot) => keys[slot] as number });
      const model = new Map<number, number>();
      for (const [key, remove] of steps) {
        assert.equal(index.find(key), model.get(key) ?? -1);
        if (!model.has(key)) {
          model.set(key, keys.length);
          index.insert(keys.push(key) - 1);
        } else if (remove) {
          // By its key, or from where the search for it ended.
          let place = index.home(key);
          while (index.at(place) !== model.get(key)) place = index.after(place);
          if (key % 2 === 0) index.remove(key);
          else index.removeAt(place);
          model.delete(key);
        }
      }
      for (const [key, slot] of model) assert.equal(index.find(key), slot);
    }),
    runs(500),
  );
});

test("removing from the middle of a run of colliding keys loses none of the others", () => {
  const keys = Array.from({ length: 20_000 }, (_, n) => n * 64);
  const index = new SlotIndex({ keyOf: (slot) => keys[slot] as number });
  keys.forEach((_, slot) => {
    index.insert(slot);
  });
  for (let slot = 0; slot < keys.length; slot += 2) index.remove(keys[slot] as number);
  keys.forEach((key, slot) => {
    assert.equal(index.find(key), slot % 2 === 0 ? -1 : slot);
  });
});

test("keys as the venue makes them stand near their home: counted ids, and users beside markets or assets", () => {
  const makers: readonly ((n: number) => number)[] = [
    (n) => n + 1,
    (n) => (n + 1) * 2 ** 22,
    (n) => (1 + Math.floor(n / 20)) * 2 ** 22 + (n % 20) * 2,
    (n) => (1 + (n >> 1)) * 2 ** 23 + (n & 1) * 4,
  ];
  for (const keyAt of makers) {
    const keys = Array.from({ length: 20_000 }, (_, n) => keyAt(n));
    const index = new SlotIndex({ keyOf: (slot) => keys[slot] as number });
    keys.forEach((_, slot) => {
      index.insert(slot);
    });
    let steps = 0;
    keys.forEach((key, slot) => {
      for (let place = index.home(key); index.at(place) !== slot; place = index.after(place)) steps++;
    });
    assert.ok(steps <= keys.length / 4, `${steps} steps for ${keys.length} keys`);
  }
});
