import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "./clock.ts";

function clockOver(startMs: number) {
  const real = { ms: 1_000_000, now: () => real.ms };
  return { real, clock: new VirtualClock(startMs, real) };
}

test("a virtual clock runs with the machine's from where it was set", () => {
  const { real, clock } = clockOver(5_000);
  real.ms += 250;
  assert.equal(clock.now(), 5_250);
});

test("a frozen clock stands still until it is moved or freed", () => {
  const { real, clock } = clockOver(5_000);
  clock.freeze(true);
  real.ms += 250;
  assert.equal(clock.now(), 5_000);
  clock.advance(28_800_000);
  assert.equal(clock.now(), 28_805_000);
  clock.freeze(false);
  real.ms += 1;
  assert.equal(clock.now(), 28_805_001);
});

test("a faster clock keeps the time it had when its speed changed", () => {
  const { real, clock } = clockOver(0);
  real.ms += 100;
  clock.setSpeed(60);
  real.ms += 1_000;
  assert.equal(clock.now(), 60_100);
  assert.deepEqual(clock.state, { timeMs: 60_100, frozen: false, speed: 60 });
});

test("a machine whose own clock steps back does not take the venue with it", () => {
  const { real, clock } = clockOver(5_000);
  real.ms -= 10_000;
  assert.equal(clock.now(), 5_000);
});
