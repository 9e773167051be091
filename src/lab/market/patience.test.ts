import assert from "node:assert/strict";
import { test } from "node:test";
import { Patience } from "./patience.ts";

test("each refusal doubles the wait, up to about a minute, and one acceptance ends it", () => {
  const patience = new Patience();
  assert.ok(patience.isOver(0));
  const waits = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000];
  for (const wait of waits) {
    patience.refused(5_000);
    assert.equal(patience.isOver(5_000 + wait - 1), false);
    assert.equal(patience.isOver(5_000 + wait), true);
  }
  patience.accepted();
  assert.ok(patience.isOver(5_000));
  patience.refused(5_000);
  assert.ok(patience.isOver(6_000));
});
