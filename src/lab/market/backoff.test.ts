import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff } from "./backoff.ts";

test("each refusal doubles the wait, up to about a minute, and one acceptance ends it", () => {
  const backoff = new Backoff();
  assert.ok(backoff.isOver(0));
  const waits = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000];
  for (const wait of waits) {
    backoff.refused(5_000);
    assert.equal(backoff.isOver(5_000 + wait - 1), false);
    assert.equal(backoff.isOver(5_000 + wait), true);
  }
  backoff.accepted();
  assert.ok(backoff.isOver(5_000));
  backoff.refused(5_000);
  assert.ok(backoff.isOver(6_000));
});
