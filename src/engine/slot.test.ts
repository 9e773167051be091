import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "./engine.ts";
import { Slot } from "./slot.ts";

test("each state has its own of what a slot holds, and keeps it", () => {
  const slot = new Slot<number[]>(() => []);
  const [one, other] = [new Engine().state, new Engine().state];
  slot.of(one).push(5);
  assert.deepEqual([slot.of(one), slot.of(other)], [[5], []]);
});
