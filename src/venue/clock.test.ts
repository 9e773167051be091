import assert from "node:assert/strict";
import { test } from "node:test";
import { GuardedClock, refuseLogAhead, VirtualClock } from "./clock.ts";

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

function guardedClock(jumpMaxMs = 5_000) {
  const machine = { wall: 1_750_000_000_000, monotonic: 17 };
  const jumps: number[] = [];
  const clock = new GuardedClock(jumpMaxMs, (aheadMs) => jumps.push(aheadMs), {
    wallMs: () => machine.wall,
    monotonicMs: () => machine.monotonic,
  });
  const pass = (ms: number, wallMs = ms) => {
    machine.monotonic += ms;
    machine.wall += wallMs;
    return clock.now() - 1_750_000_000_000;
  };
  return { pass, jumps };
}

test("the machine's clock is followed as it runs, in small steps and back", () => {
  const { pass, jumps } = guardedClock();
  assert.equal(pass(1_000), 1_000);
  assert.equal(pass(1_000, 5_500), 6_500);
  assert.equal(pass(1_000, -60_000), -53_500);
  assert.equal(pass(1_000, 61_000), 7_500);
  // That it fell back is said, and its end.
  assert.equal(jumps.length, 2);
  assert.ok((jumps[0] as number) < -50_000);
  assert.equal(jumps[1], 0);
  assert.equal(pass(1_000, -4_000), 3_500);
  assert.equal(jumps.length, 2);
});

test("a jump ahead is not followed and said once; time goes on, and the end of the jump is said, too", () => {
  const { pass, jumps } = guardedClock();
  assert.equal(pass(1_000, 3_601_000), 1_001);
  assert.equal(pass(1_000), 2_002);
  assert.deepEqual(jumps, [3_600_000]);
  assert.equal(pass(1_000, -3_599_000), 3_000);
  assert.deepEqual(jumps, [3_600_000, 0]);
});

test("many small steps ahead are a jump, a slow drift is none", () => {
  const { pass, jumps } = guardedClock();
  for (let step = 0; step < 3; step++) pass(100, 2_000);
  assert.equal(jumps.length, 1);
  const slow = guardedClock();
  for (let hour = 0; hour < 100; hour++) slow.pass(3_600_000, 3_601_800);
  assert.deepEqual(slow.jumps, []);
});

test("a log that lies ahead of the machine's clock is refused with both times and a way out", () => {
  const wallMs = 1_750_000_000_000;
  refuseLogAhead(wallMs + 5_000, 5_000, wallMs);
  const thirtyDays = 30 * 86_400_000;
  assert.throws(() => refuseLogAhead(wallMs + thirtyDays, 5_000, wallMs), {
    code: "clock_behind",
    message:
      /of 2025-07-15T15:06:40.000Z, 30 days ahead of this machine's clock \(2025-06-15T15:06:40.000Z\)\. .* start with --clock-jump 2592060000\.$/,
  });
  refuseLogAhead(wallMs + thirtyDays, 2_592_060_000, wallMs);
});
