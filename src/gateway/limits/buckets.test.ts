import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PlainBuckets } from "../../../test/limits/plain-buckets.ts";
import { runs } from "../../../test/support/runs.ts";
import { Buckets, REQUEST } from "./buckets.ts";
import { SteadyTime } from "./steady-time.ts";

test("worked example E7 comes out to the digit", () => {
  const buckets = new Buckets(30);
  const plain = new PlainBuckets();
  const rows: readonly [ms: number, cost: number, before: number, passes: boolean, after: number, remaining: number][] =
    [
      [0, 1, 30_000, true, 29_000, 29],
      [0, 25, 29_000, true, 4_000, 4],
      [0, 10, 4_000, true, -6_000, 0],
      [100, 1, -3_000, false, -3_000, 0],
      [200, 1, 0, false, 0, 0],
      [234, 1, 1_020, true, 20, 0],
      [250, 1, 500, false, 500, 0],
      [1_500, 1, 30_000, true, 29_000, 29],
    ];
  for (const [ms, cost, before, passes, after, remaining] of rows) {
    assert.equal(plain.quota("user", 30, ms), BigInt(before), `before ${ms}`);
    assert.equal(plain.take("user", 30, ms, cost), passes, `plain ${ms}`);
    assert.equal(plain.quota("user", 30, ms), BigInt(after), `after ${ms}`);
    const place = buckets.refill(0, 1, 30, ms);
    assert.equal(buckets.admits(place), passes, `${ms}`);
    if (passes) buckets.spend(place, cost);
    assert.equal(buckets.remaining(place), remaining, `${ms}`);
  }
});

/** A request of one of some accounts; the clock goes on by `step`, or back. */
const request = fc.record({
  key: fc.integer({ min: 0, max: 200 }),
  cost: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 100 })),
  step: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 300 }) },
    fc.integer({ min: -100_000, max: 100_000 }),
  ),
  slow: fc.boolean(),
});

test("no request passes that the plain rule refuses, and none is refused that it lets pass", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 7, 10, 30, 60, 400),
      fc.boolean(),
      fc.array(request, { minLength: 200, maxLength: 2_000 }),
      (rate, slows, requests) => {
        const slowRate = Math.max(1, Math.floor(rate / 10));
        const buckets = new Buckets(rate, slows ? slowRate : rate);
        const plain = new PlainBuckets();
        const time = new SteadyTime();
        let nowMs = 1_750_000_000_000;
        for (const { key, cost, step, slow } of requests) {
          nowMs += step;
          // Few accounts come often, many now and then; keys differ in either half.
          const high = key % 3;
          const low = key < 100 ? key % 5 : key;
          const rateNow = slows && slow ? slowRate : rate;
          const place = buckets.refill(high, low, rateNow, time.at(nowMs));
          const passes = buckets.admits(place);
          if (passes) buckets.spend(place, cost);
          const name = `${high}:${low}`;
          assert.equal(plain.take(name, rateNow, nowMs, cost), passes);
          const left = plain.quota(name, rateNow, nowMs);
          assert.equal(BigInt(buckets.remaining(place)), left < 0n ? 0n : left / BigInt(REQUEST));
        }
      },
    ),
    runs(60),
  );
});

test("one key knows nothing of another", () => {
  const buckets = new Buckets(10);
  for (let count = 0; count < 10; count++) buckets.spend(buckets.refill(0, 1, 10, 0), 1);
  assert.equal(buckets.admits(buckets.refill(0, 1, 10, 0)), false);
  assert.equal(buckets.admits(buckets.refill(0, 2, 10, 0)), true);
  assert.equal(buckets.admits(buckets.refill(1, 1, 10, 0)), true);
});

test("a clock that is set back gives nothing, takes nothing, and lets time go on from there", () => {
  const buckets = new Buckets(10);
  const time = new SteadyTime();
  const takeAll = (nowMs: number) => {
    let taken = 0;
    for (;;) {
      const place = buckets.refill(0, 1, 10, time.at(nowMs));
      if (!buckets.admits(place)) return taken;
      buckets.spend(place, 1);
      taken++;
    }
  };
  assert.equal(takeAll(10_000_000), 10);
  assert.equal(takeAll(5_000_000), 0);
  assert.equal(takeAll(5_000_099), 0);
  assert.equal(takeAll(5_000_100), 1);
  assert.equal(takeAll(5_000_050), 0);
  assert.equal(takeAll(5_000_150), 1);
});

test("memory follows who is active: full buckets are forgotten, and the table shrinks again", () => {
  const buckets = new Buckets(30);
  const accounts = 100_000;
  for (let user = 1; user <= accounts; user++) buckets.spend(buckets.refill(0, user, 30, user >> 10), 1);
  assert.ok(buckets.count > accounts / 4);
  const most = buckets.byteLength;
  assert.ok(most < accounts * 64, `${most} bytes`);
  // One account that keeps asking drives the hand around.
  for (let ms = 1_000; ms < 100_000; ms++) buckets.spend(buckets.refill(0, 1, 30, ms), 0);
  assert.ok(buckets.count <= 1, `${buckets.count} left`);
  assert.ok(buckets.byteLength < most / 100, `${buckets.byteLength} of ${most} bytes left`);
});
