import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { loadContract } from "../current/contract.ts";
import { LONG_PERIODS, type LongFigures, type LongPeriod, rateFigures } from "./figures.ts";
import { LongCycle } from "./long-cycle.ts";

const HOUR_MS = 3_600_000;
/** 2025-06-15 00:00:00 UTC. */
const MIDNIGHT = 1_749_945_600_000;
const MAIN = 7;

const { long: FIGURES } = rateFigures(loadContract());

function remainingIn(cycle: LongCycle, nowMs: number, mainUserId = MAIN): string[] {
  const lines = cycle.headerLines(mainUserId, nowMs).split("\r\n");
  assert.equal(lines.pop(), "");
  return lines.map((line) => /^X-RateLimit-LongPeriod-\d+H-Remaining: (\d+)$/.exec(line)?.[1] ?? assert.fail(line));
}

/** Orders none of which was executed and all of which lived for `lifeMs`. */
function poorOrders(cycle: LongCycle, count: number, nowMs: number, lifeMs = 999): void {
  for (let order = 0; order < count; order++) {
    cycle.placed(MAIN, nowMs);
    cycle.ended(MAIN, lifeMs, nowMs);
  }
}

test("windows are whole hours of UTC days: each begins at a multiple of its length, to the millisecond", () => {
  const cycle = new LongCycle(FIGURES);
  const full = ["20000", "60000", "100000", "200000"];
  assert.deepEqual(remainingIn(cycle, MIDNIGHT), full);
  cycle.request(MAIN, 5, MIDNIGHT);
  assert.deepEqual(remainingIn(cycle, MIDNIGHT + HOUR_MS - 1), ["19995", "59995", "99995", "199995"]);
  assert.deepEqual(remainingIn(cycle, MIDNIGHT + HOUR_MS), ["20000", "59995", "99995", "199995"]);
  assert.deepEqual(remainingIn(cycle, MIDNIGHT + 4 * HOUR_MS - 1), ["20000", "59995", "99995", "199995"]);
  assert.deepEqual(remainingIn(cycle, MIDNIGHT + 4 * HOUR_MS), ["20000", "60000", "99995", "199995"]);
  assert.deepEqual(remainingIn(cycle, MIDNIGHT + 8 * HOUR_MS), ["20000", "60000", "100000", "199995"]);
  cycle.request(MAIN, 200_001, MIDNIGHT + 24 * HOUR_MS - 1);
  assert.deepEqual(remainingIn(cycle, MIDNIGHT + 24 * HOUR_MS - 1), ["0", "0", "0", "0"]);
  assert.deepEqual(remainingIn(cycle, MIDNIGHT + 24 * HOUR_MS), full);
  assert.deepEqual([cycle.count, cycle.byteLength < 1_000], [0, true]);
});

test("only too many requests together with poor orders limit an account", () => {
  const at = MIDNIGHT + HOUR_MS;
  const cases: readonly [name: string, used: number, lifeMs: number, executed: number, limited: boolean][] = [
    ["as many as allowed, poor", 20_000, 999, 0, false],
    ["one too many, poor", 20_001, 999, 0, true],
    ["too many, orders live long enough", 20_001, 1_000, 0, false],
    ["too many, just enough executed", 20_001, 999, 5, false],
    ["too many, too few executed", 20_001, 999, 4, true],
  ];
  for (const [name, used, lifeMs, executed, limited] of cases) {
    const cycle = new LongCycle(FIGURES);
    cycle.request(MAIN, used, at);
    poorOrders(cycle, 1_000, at, lifeMs);
    for (let order = 0; order < executed; order++) cycle.effective(MAIN, at);
    assert.equal(cycle.isLimited(MAIN, at), limited, name);
    assert.equal(cycle.isLimited(MAIN, at + HOUR_MS - 1), limited, name);
    assert.equal(cycle.isLimited(MAIN, at + HOUR_MS), false, `${name}, an hour later`);
    assert.equal(cycle.isLimited(MAIN + 1, at), false, `${name}, somebody else`);
  }
  const quiet = new LongCycle(FIGURES);
  quiet.request(MAIN, 1_000_000, at);
  assert.equal(quiet.isLimited(MAIN, at), false, "without orders there is nothing to find fault with");
});

test("one period of several is enough, and a period that is not set limits nothing and has no header", () => {
  const figures: LongFigures = { ...FIGURES, limits: new Map([["4H", 10]]) };
  const cycle = new LongCycle(figures);
  assert.equal(cycle.headerLines(MAIN, MIDNIGHT), "X-RateLimit-LongPeriod-4H-Remaining: 10\r\n");
  cycle.request(MAIN, 11, MIDNIGHT);
  poorOrders(cycle, 1, MIDNIGHT);
  assert.equal(cycle.isLimited(MAIN, MIDNIGHT + 4 * HOUR_MS - 1), true);
  assert.equal(cycle.isLimited(MAIN, MIDNIGHT + 4 * HOUR_MS), false);
  const none = new LongCycle({ ...FIGURES, limits: new Map() });
  none.request(MAIN, 1_000_000, MIDNIGHT);
  poorOrders(none, 1, MIDNIGHT);
  assert.equal(none.isLimited(MAIN, MIDNIGHT), false);
});

test("a clock that is set back lets the window that began last go on", () => {
  const cycle = new LongCycle(FIGURES);
  cycle.request(MAIN, 1, MIDNIGHT + HOUR_MS);
  cycle.request(MAIN, 1, MIDNIGHT + HOUR_MS - 1);
  assert.equal(remainingIn(cycle, MIDNIGHT)[0], "19998");
  assert.equal(remainingIn(cycle, MIDNIGHT + HOUR_MS)[0], "19998");
});

test("counters are the plain sums over what happened in each window", () => {
  const action = fc.record({
    user: fc.integer({ min: 1, max: 9 }),
    what: fc.constantFrom("request", "placed", "effective", "ended"),
    amount: fc.integer({ min: 1, max: 100 }),
    stepMs: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 7 * HOUR_MS })),
  });
  const limits = new Map<LongPeriod, number>([
    ["1H", 60],
    ["4H", 100],
    ["8H", 150],
    ["24H", 250],
  ]);
  const figures: LongFigures = { limits, effectiveMinE4: 4_000, lifespanMinMs: 40 };
  fc.assert(
    fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
      const cycle = new LongCycle(figures);
      const done: { user: number; what: string; amount: number; atMs: number }[] = [];
      let nowMs = MIDNIGHT;
      for (const { user, what, amount, stepMs } of actions) {
        nowMs += stepMs;
        done.push({ user, what, amount, atMs: nowMs });
        if (what === "request") cycle.request(user, amount, nowMs);
        else if (what === "placed") cycle.placed(user, nowMs);
        else if (what === "effective") cycle.effective(user, nowMs);
        else cycle.ended(user, amount, nowMs);

        const plain = Array.from(limits, ([period, limit]) => {
          const lengthMs = LONG_PERIODS[period] * HOUR_MS;
          const inWindow = done.filter(
            (each) => each.user === user && Math.floor(each.atMs / lengthMs) === Math.floor(nowMs / lengthMs),
          );
          const count = (name: string) => inWindow.filter((each) => each.what === name).length;
          const sum = (name: string) =>
            inWindow.filter((each) => each.what === name).reduce((total, each) => total + each.amount, 0);
          const isPoor = count("effective") < 0.4 * count("placed") && sum("ended") < 40 * count("ended");
          return { left: Math.max(0, limit - sum("request")), limited: sum("request") > limit && isPoor };
        });
        assert.deepEqual(
          remainingIn(cycle, nowMs, user),
          plain.map(({ left }) => `${left}`),
        );
        assert.equal(
          cycle.isLimited(user, nowMs),
          plain.some(({ limited }) => limited),
        );
      }
    }),
    runs(60),
  );
});
