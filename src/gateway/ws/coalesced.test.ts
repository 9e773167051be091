import assert from "node:assert/strict";
import { test } from "node:test";
import { Coalesced } from "./coalesced.ts";
import { Push } from "./push.ts";

const [one, two, three] = ["1", "2", "3"].map((json) => new Push(json)) as [Push, Push, Push];

test("pushes are joined in their order", () => {
  const coalesced = new Coalesced().and(one).and(two).and(one);
  assert.deepEqual(coalesced.bytes, Buffer.concat([one.frame, two.frame, one.frame]));
  assert.equal(coalesced.byteLength, coalesced.bytes.length);
});

test("a single push is its own bytes, copied for nobody", () => {
  assert.equal(new Coalesced().and(one).bytes, one.frame);
});

test("who is sent the same in the same order shares the bytes, in whatever order connections come", () => {
  const root = new Coalesced();
  const first = root.and(one).and(two);
  const other = root.and(two).and(three);
  const third = root.and(three);
  for (const [coalesced, path] of [
    [first, [one, two]],
    [other, [two, three]],
    [third, [three]],
    [first, [one, two]],
  ] as const) {
    const again = path.reduce((at, push) => at.and(push), root);
    assert.equal(again.bytes, coalesced.bytes);
  }
});
