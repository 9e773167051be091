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

test("the first failure of an address stands in the log within five seconds, the rest once a minute with its count", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { made, told, clock } = failures();
  const wait = (ms: number) => {
    clock.ms += ms;
    t.mock.timers.tick(ms);
  };
  made.note("KEY", "192.0.2.1");
  for (let count = 0; count < 3; count++) made.note("KEY", "192.0.2.1");
  made.note("x".repeat(1_000), "192.0.2.2");
  wait(4_999);
  assert.deepEqual(told, []);
  wait(1);
  const first = [
    { claim: "KEY", address: "192.0.2.1" },
    { claim: "x".repeat(64), address: "192.0.2.2" },
  ];
  assert.deepEqual(told.splice(0), [
    [{ addresses: 2, first }, "signatures failed, from addresses from which none had failed lately"],
  ]);
  wait(55_000);
  assert.equal(told.length, 1);
  const [[details, message]] = told.splice(0) as unknown as [[{ failures: number; most: unknown[] }, string]];
  assert.deepEqual([details.failures, message], [3, "signatures failed in the last minute"]);
  assert.deepEqual(details.most[0], { claim: "KEY", address: "192.0.2.1", count: 4 });
  wait(60_000);
  made.note("KEY", "192.0.2.1");
  wait(5_000);
  assert.deepEqual(told, [], "the address is known");
  wait(3_600_000);
  assert.equal(told.splice(0).length, 1);
  made.note("KEY", "192.0.2.1");
  wait(5_000);
  assert.equal(told.length, 1, "it is a new one again");
  made.close();
});

test("a thousand addresses that begin at once are one line, which names some and counts all", () => {
  const { made, told } = failures();
  for (let at = 0; at < 1_000; at++) made.note("token", `10.0.${at >> 8}.${at & 255}`);
  made.close();
  assert.equal(told.length, 1);
  const [[details]] = told as unknown as [[{ addresses: number; first: unknown[] }]];
  assert.deepEqual([details.addresses, details.first.length], [1_000, 10]);
});

test("what is remembered has a bound", () => {
  const { made } = failures();
  for (let count = 0; count < 20; count++) made.note("KEY", "192.0.2.1");
  for (let other = 0; other < 10_000; other++) made.note(`K${other}`, "192.0.2.1");
  assert.equal(made.note("KEY", "192.0.2.1"), 0);
  made.close();
});

test("a claim that would command a terminal is told as text", () => {
  const { made, told } = failures();
  made.note("\u009b2JKEY", "192.0.2.1");
  made.note("\u009b2JKEY", "192.0.2.1");
  made.close();
  assert.equal(told.length, 2);
  assert.match(JSON.stringify(told), /u\{9b\}2JKEY/);
  assert.doesNotMatch(JSON.stringify(told), /\u009b/);
});
