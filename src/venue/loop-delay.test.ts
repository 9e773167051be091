import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { LoopDelay } from "./loop-delay.ts";

const worst = (delay: LoopDelay): number => Math.max(...Array.from(delay.figures(), ([, seconds]) => seconds));

test("a delay of the event loop is seen, and forgotten again", async (t) => {
  const delay = new LoopDelay(400);
  t.after(() => delay.close());
  // Time itself: the sampler has begun.
  await pause(50);
  const until = performance.now() + 300;
  while (performance.now() < until);
  // Time itself: the sampler has seen the delay.
  await pause(50);
  const seen = worst(delay);
  assert.ok(seen > 0.2, `${seen} s`);
  // A loaded machine may add delays of its own, but never one that lasts.
  for (let turn = 0; turn < 50 && worst(delay) >= seen; turn++) await pause(200);
  assert.ok(worst(delay) < seen);
});
