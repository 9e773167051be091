/** That the soak runs, on both clocks, and that what it says of growth is right. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { growthOf } from "../../bench/soak/growth.ts";
import { slopeOf } from "../../bench/soak/slope.ts";
import { xorshift } from "../support/xorshift.ts";
import { runBench } from "./run-bench.ts";

describe("a slope", () => {
  test("of a straight line is that of the line, without an error", () => {
    const slope = slopeOf([1, 2, 5, 7].map((x) => ({ x, y: 3 - 2 * x })));
    assert.ok(slope !== undefined && Math.abs(slope.perUnit + 2) < 1e-12 && slope.error < 1e-7);
  });

  test("is that of a worked example", () => {
    // Anscombe's first quartet: y = 3.00 + 0.500 x, standard error 0.118.
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    const slope = slopeOf(x.map((each, at) => ({ x: each, y: y[at] as number })));
    assert.equal(slope?.perUnit.toFixed(3), "0.500");
    assert.equal(slope?.error.toFixed(3), "0.118");
  });

  test("through noise lies within three errors of the true one nearly always", () => {
    const random = xorshift(7);
    let misses = 0;
    for (let run = 0; run < 400; run++) {
      const points = Array.from({ length: 60 }, (_, x) => ({ x, y: 5 * x + 100 * (random() + random() + random()) }));
      const { perUnit, error } = slopeOf(points) as NonNullable<ReturnType<typeof slopeOf>>;
      if (Math.abs(perUnit - 5) > 3 * error) misses++;
    }
    assert.ok(misses < 10, `${misses} of 400 lines lie elsewhere.`);
  });

  test("needs three points at different places", () => {
    assert.equal(slopeOf([]), undefined);
    assert.equal(slopeOf([0, 1].map((x) => ({ x, y: x }))), undefined);
    assert.equal(slopeOf([1, 2, 3].map((y) => ({ x: 4, y }))), undefined);
  });
});

test("growth is that of the looks after the venue has come to rest", () => {
  const looks = [0, 1, 2, 3, 4].map((hours) => ({ hours, heap_mib: hours < 1 ? 900 : 40 + 3 * hours, timers: 6 }));
  const [heap, timers, ...none] = growthOf(looks, 1);
  assert.deepEqual(none, []);
  assert.deepEqual([heap?.name, heap?.first, heap?.last, heap?.slope.perUnit], ["heap_mib", 43, 52, 3]);
  assert.deepEqual([timers?.name, timers?.slope], ["timers", { perUnit: 0, error: 0 }]);
  assert.deepEqual(growthOf(looks, 3), []);
});

for (const [clock, length] of [
  ["the real clock", ["--hours", "0.0008", "--every", "0.0002"]],
  ["a virtual clock", ["--days", "0.02", "--every", "0.096"]],
] as const) {
  test(`the soak runs on ${clock} and says how memory, handles and files grew`, async () => {
    const { lines, figures } = await runBench("bench/soak/soak.ts", length);
    assert.ok(
      figures["looks"] === lines.filter((line) => / h {2}resident_mib /.test(line)).length && figures["looks"] >= 4,
    );
    for (const name of ["resident_mib", "heap_mib", "file_history_mib", "commands", "timers", "descriptors"]) {
      assert.ok((figures[`${name}_last`] as number) > 0, name);
    }
    assert.ok((figures["commands_per_hour"] as number) > 0);
  });
}
