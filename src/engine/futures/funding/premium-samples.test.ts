import assert from "node:assert/strict";
import { test } from "node:test";
import { PremiumSamples, SAMPLES_MAX } from "./premium-samples.ts";

const MINUTE = 60_000;

function samples(count: number): PremiumSamples {
  const made = new PremiumSamples();
  for (let at = 1; at <= count; at++) made.add(at * MINUTE, { premiumE8: at, markPremiumE8: -at });
  return made;
}

test("sums reach back to the time or the number asked for, and no further than there are samples", () => {
  const ten = samples(10);
  assert.deepEqual(ten.premiumsSince(8 * MINUTE), { sumE8: 27, count: 3 });
  assert.deepEqual(ten.premiumsSince(11 * MINUTE), { sumE8: 0, count: 0 });
  assert.deepEqual(ten.lastMarkPremiums(2), { sumE8: -19, count: 2 });
  assert.deepEqual(ten.lastMarkPremiums(99), { sumE8: -55, count: 10 });
  assert.equal(ten.lastMinuteMs, 10 * MINUTE);
});

test("only the samples of the longest interval are kept, the newest ones", () => {
  const many = samples(SAMPLES_MAX + 5);
  assert.equal(many.count, SAMPLES_MAX);
  assert.deepEqual(many.rows()[0], [6 * MINUTE, 6, -6]);
});

test("before the first sample there is nothing to sum", () => {
  const none = new PremiumSamples();
  assert.deepEqual(none.lastMarkPremiums(5), { sumE8: 0, count: 0 });
  assert.equal(none.lastMinuteMs, 0);
});
