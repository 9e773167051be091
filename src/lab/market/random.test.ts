import assert from "node:assert/strict";
import { test } from "node:test";
import { NORMAL_ONE, Random } from "./random.ts";

const draws = (random: Random, count: number) => Array.from({ length: count }, () => random.next());

test("the same seed gives the same numbers, another seed others", () => {
  assert.deepEqual(draws(new Random(7), 20), draws(new Random(7), 20));
  assert.notDeepEqual(draws(new Random(7), 20), draws(new Random(8), 20));
  assert.deepEqual(draws(new Random(1), 4), [393_288_148, 2_174_103_013, 3_814_759_091, 2_092_745_082]);
});

test("a fork depends on its name and the seed, not on what its parent has drawn", () => {
  const parent = new Random(7);
  const before = draws(parent.fork("makers"), 5);
  parent.next();
  assert.deepEqual(draws(parent.fork("makers"), 5), before);
  assert.notDeepEqual(draws(parent.fork("takers"), 5), before);
});

test("draws below a bound and between two bounds reach every value and nothing else", () => {
  const random = new Random(3);
  const seen = new Set<number>();
  for (let draw = 0; draw < 1_000; draw++) seen.add(random.between(-2, 4));
  assert.deepEqual(
    [...seen].sort((left, right) => left - right),
    [-2, -1, 0, 1, 2, 3, 4],
  );
  assert.equal(random.chance(0), false);
  assert.equal(random.chance(1_000), true);
});

test("normal draws have the mean and the deviation that they claim", () => {
  const random = new Random(5);
  const count = 20_000;
  let sum = 0;
  let squares = 0;
  for (let draw = 0; draw < count; draw++) {
    const value = random.normal();
    assert.ok(Number.isInteger(value) && Math.abs(value) < 5 * NORMAL_ONE);
    sum += value;
    squares += value * value;
  }
  assert.ok(Math.abs(sum / count) < NORMAL_ONE / 50);
  const deviation = Math.sqrt(squares / count);
  assert.ok(Math.abs(deviation - NORMAL_ONE) < NORMAL_ONE / 50, `deviation ${deviation}`);
});
