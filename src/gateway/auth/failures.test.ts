import assert from "node:assert/strict";
import { test } from "node:test";
import { Failures } from "./failures.ts";

function failures() {
  const told: [object, string][] = [];
  const clock = { ms: 0 };
  const made = new Failures({
    what: "signatures",
    log: { warn: (details, message) => void told.push([details, message]) },
    now: () => clock.ms,
  });
  return { made, told, clock };
}

test("twenty failures of a minute wait for nothing, the next ones longer and longer, up to two seconds", () => {
  const { made, clock } = failures();
  const waits = Array.from({ length: 30 }, () => made.note("KEY", "192.0.2.1"));
  assert.deepEqual([...new Set(waits.slice(0, 20))], [0]);
  assert.deepEqual(waits.slice(20), [100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000, 2_000, 2_000]);
  assert.equal(made.note("KEY", "192.0.2.2"), 0, "another address");
  assert.equal(made.note("OTHER", "192.0.2.1"), 0, "another key");
  clock.ms = 60_000;
  assert.equal(made.note("KEY", "192.0.2.1"), 0, "another minute");
  assert.equal(made.total, 33);
  made.close();
});

test("a line of the log tells how many there were, and of whom there were most", () => {
  const { made, told } = failures();
  for (let count = 0; count < 3; count++) made.note("KEY", "192.0.2.1");
  made.note("x".repeat(1_000), "192.0.2.2");
  made.close();
  assert.deepEqual(told, [
    [
      {
        failures: 4,
        most: [
          { claim: "KEY", address: "192.0.2.1", count: 3 },
          { claim: "x".repeat(64), address: "192.0.2.2", count: 1 },
        ],
      },
      "signatures failed in the last minute",
    ],
  ]);
});

test("what is remembered has a bound", () => {
  const { made } = failures();
  for (let count = 0; count < 20; count++) made.note("KEY", "192.0.2.1");
  for (let other = 0; other < 10_000; other++) made.note(`K${other}`, "192.0.2.1");
  assert.equal(made.note("KEY", "192.0.2.1"), 0);
  made.close();
});
