import assert from "node:assert/strict";
import { test } from "node:test";
import { UsedSignatures } from "./used-signatures.ts";

const [HERE, THERE] = ["192.0.2.1", "192.0.2.2"];

test("a signature serves the address that used it first, again and again, and no other, however it is written", () => {
  const used = new UsedSignatures();
  assert.equal(used.take("id", "ab12", HERE, 1_000, 0), "taken");
  assert.equal(used.take("id", "ab12", HERE, 1_000, 500), "taken");
  assert.equal(used.take("id", "ab12", THERE, 1_000, 500), "used_elsewhere");
  assert.equal(used.take("id", "AB12", THERE, 1_000, 500), "used_elsewhere");
  assert.equal(used.take("other id", "ab12", THERE, 1_000, 500), "taken");
  used.sweep(1_000);
  assert.equal(used.take("id", "ab12", THERE, 1_000, 1_000), "used_elsewhere", "it is still good");
});

test("a key has so many logins in its window, whoever makes them, and room again when they are over", () => {
  const used = new UsedSignatures();
  const outcomes = Array.from({ length: 201 }, (_, at) => used.take("id", `a${at}`, HERE, 1_000 + at, 0));
  assert.deepEqual([new Set(outcomes.slice(0, 200)), outcomes[200]], [new Set(["taken"]), "too_many"]);
  assert.equal(used.take("another", "a", HERE, 1_000, 0), "taken");
  assert.equal(used.take("id", "b", HERE, 3_000, 1_001), "taken");
});
