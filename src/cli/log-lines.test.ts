import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "./log-lines.ts";

const time = new Date(2026, 0, 2, 13, 4, 5).getTime();
const entry = (fields: object) => JSON.stringify({ level: 30, time, ...fields });

test("an entry becomes a line with the time of day, the sentence and the figures", () => {
  assert.equal(lineOf(entry({ msg: "ready", replayed: 3, data: "x" })), "13:04:05 ready replayed=3 data=x\n");
  assert.equal(lineOf(entry({ percent: 30, msg: "making the past" })), "13:04:05 making the past 30 %\n");
  assert.equal(lineOf(entry({ level: 40, msg: "slow", at: [1] })), "13:04:05 warn slow at=[1]\n");
});

test("an error brings its stack, below the sentence", () => {
  const line = lineOf(
    entry({ level: 60, msg: "the venue stopped", err: { message: "no", stack: "Error: no\n    at x" } }),
  );
  assert.equal(line, "13:04:05 fatal the venue stopped\nError: no\n    at x\n");
});

test("what strangers or other servers said commands no terminal and makes no further line", () => {
  const forged = "\u001b[2J\u009b1A\n13:04:06 fatal all is lost\u202e";
  for (const fields of [
    { msg: `a node says ${forged}` },
    { msg: "failed", claim: forged },
    { msg: "failed", first: [{ claim: forged }] },
    { level: 50, msg: "failed", err: { message: forged, stack: `Error: ${forged}\n    at x` } },
  ]) {
    const line = lineOf(entry(fields));
    assert.doesNotMatch(line.slice(0, -1), /(?!\n {4}at x)(?!\nError: )[\p{Cc}\p{Cf}]/u, line);
    assert.match(line, /all is lost/);
  }
});
