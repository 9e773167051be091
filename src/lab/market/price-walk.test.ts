import assert from "node:assert/strict";
import { test } from "node:test";
import { FINE, PriceWalk } from "./price-walk.ts";
import { NORMAL_ONE, Random } from "./random.ts";

const QUANTA_PER_HOUR = 36_000;

function walked(walk: PriceWalk, random: Random, quanta: number): bigint {
  for (let quantum = 0; quantum < quanta; quantum++) walk.advance(random.normal());
  return walk.price;
}

test("an hour moves the price by about a day's volatility over the root of 24", () => {
  const hours = 24;
  let squares = 0;
  for (let seed = 0; seed < hours; seed++) {
    const price = walked(new PriceWalk(6_000_000n, 6_000_000n, 265), new Random(seed), QUANTA_PER_HOUR / 4);
    const movedBp = Number((price - 6_000_000n * FINE) / (600n * FINE));
    squares += movedBp * movedBp;
  }
  // A quarter of an hour is 1/96 of a day: 265 / sqrt(96) = 27 hundredths of a percent.
  const deviation = Math.sqrt(squares / hours);
  assert.ok(deviation > 15 && deviation < 45, `deviation ${deviation}`);
});

test("a price of few ticks still moves, and one far from its anchor is drawn back", () => {
  const cheap = new PriceWalk(10n, 10n, 450);
  assert.notEqual(walked(cheap, new Random(1), 10), 10n * FINE);
  const far = new PriceWalk(1_000n, 2_000n, 0);
  assert.equal(far.price, 2_000n * FINE);
  const later = walked(far, new Random(1), QUANTA_PER_HOUR * 2);
  assert.ok(later < 1_980n * FINE && later > 1_000n * FINE);
});

test("no shock drives the price out of its range, and never to 0", () => {
  const walk = new PriceWalk(1_000n, 1_000n, 50_000);
  for (let quantum = 0; quantum < 2_000; quantum++) walk.advance(-5 * NORMAL_ONE);
  assert.equal(walk.price, 250n * FINE);
  for (let quantum = 0; quantum < 2_000; quantum++) walk.advance(5 * NORMAL_ONE);
  assert.equal(walk.price, 4_000n * FINE);
  assert.equal(new PriceWalk(1_000n, 1n, 100).price, 250n * FINE);
  const tiny = new PriceWalk(1n, 1n, 50_000);
  for (let quantum = 0; quantum < 2_000; quantum++) tiny.advance(-5 * NORMAL_ONE);
  assert.ok(tiny.price > 0n);
});
