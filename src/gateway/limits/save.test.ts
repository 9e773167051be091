import assert from "node:assert/strict";
import { test } from "node:test";
import { Buckets } from "./buckets.ts";
import { LongCycle } from "./long-cycle.ts";
import { SteadyTime } from "./steady-time.ts";

test("quotas that are set back are what they were, as often as it is done", () => {
  const buckets = new Buckets(10);
  const time = new SteadyTime();
  const left = (nowMs: number) => buckets.remaining(buckets.refill(0, 7, 10, time.at(nowMs)));
  const spend = (nowMs: number, cost: number) => buckets.spend(buckets.refill(0, 7, 10, time.at(nowMs)), cost);
  spend(1_000, 8);
  const restore = [buckets.save(), time.save()];
  assert.equal(left(1_000), 2);
  for (const nowMs of [5_000, 90_000]) {
    spend(nowMs, 5);
    for (const each of restore) each();
    assert.equal(left(nowMs + 1), 2, "what was passed in between never was");
    assert.equal(left(nowMs + 301), 5);
  }
});

test("the long cycle is set back, too", () => {
  const cycle = new LongCycle({ limits: new Map([["1H", 100]]), effectiveMinE4: 1_000, lifespanMinMs: 1_000 });
  cycle.request(3, 30, 1_000);
  const restore = cycle.save();
  cycle.request(3, 30, 2_000);
  cycle.request(4, 30, 2_000);
  restore();
  assert.match(cycle.headerLines(3, 3_000), /1H-Remaining: 70\r\n/);
  assert.match(cycle.headerLines(4, 3_000), /1H-Remaining: 100\r\n/);
  assert.equal(cycle.count, 1);
});
