import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { budget, onePerFamily } from "../support/ring.ts";
import type { WorldFaultTask } from "./fault-worker.ts";
import { PLANTED_FAULTS } from "./planted-faults.ts";
import { World } from "./world.ts";

const SEEDS = budget(10, 60);
const STEPS = 3_000;
/** Among so many a planted fault is found. */
const FAULT_SEEDS = 40;
/**
 * Worlds that went wrong once: a node whose watch was silent did not hear that somebody else led; a leader whose groups
 * had left the store ordered alone before it knew at which place.
 */
const ONCE_WRONG = [159, 1_154, 1_246, 11_213];

test("whatever is late, lost, doubled, silent, killed or taken out: nothing answered is lost or there twice, no read is stale, and all is answered in the end", (t) => {
  let [acknowledged, reads, terms] = [0, 0, 0];
  const seeds = [...Array.from({ length: SEEDS }, (_, at) => at + 1), ...ONCE_WRONG];
  for (const seed of seeds) {
    const report = World.run({ seed, steps: STEPS });
    acknowledged += report.acknowledged;
    reads += report.reads;
    terms += report.terms;
  }
  t.diagnostic(`${acknowledged} acknowledged proposals and ${reads} reads in ${terms} terms`);
  assert.ok(acknowledged > 1_000 && reads > 1_000 && terms > 50);
});

for (const { name, module, plant, from = 1 } of onePerFamily(PLANTED_FAULTS, () => "ordering")) {
  test(`the worlds find it when ${name}`, async (t) => {
    const workerData: WorldFaultTask = { module, plant, from, seeds: FAULT_SEEDS, steps: STEPS };
    const worker = new Worker(new URL("fault-worker.ts", import.meta.url), { workerData });
    const [failure] = (await once(worker, "message")) as [string | undefined];
    await worker.terminate();
    assert.ok(failure !== undefined, "All worlds ran clean with it.");
    t.diagnostic(failure);
  });
}
