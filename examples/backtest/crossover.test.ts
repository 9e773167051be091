/**
 * A backtest is a figure that one can write down: the same seed and the same strategy come to the same, to the last
 * byte.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startVenue } from "bourse";
import { backtest, type Result } from "./crossover.ts";

async function played(seed: number): Promise<Result> {
  const venue = await startVenue({ seed, startTime: "2026-01-01T00:00:00Z", frozen: true, limits: false });
  try {
    return await backtest(venue, 45);
  } finally {
    await venue.stop();
  }
}

test("the same seed gives the same result, another seed another one", async () => {
  const [first, second, other] = await Promise.all([played(1), played(1), played(2)]);
  assert.deepEqual(first, second);
  assert.notEqual(first.stateHash, other.stateHash);
  assert.ok(first.trades > 0, "it has traded");
  assert.ok(first.worth > 9_000 && first.worth < 11_000, `it is worth ${first.worth}`);
});
