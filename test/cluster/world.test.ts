import assert from "node:assert/strict";
import { test } from "node:test";
import { budget } from "../support/ring.ts";
import { World } from "./world.ts";

const SEEDS = budget(10, 60);
const STEPS = 3_000;

test("whatever is late, lost, doubled, silent, killed or taken out: nothing answered is lost or there twice, no read is stale, and all is answered in the end", (t) => {
  let [acknowledged, reads, terms] = [0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = World.run({ seed, steps: STEPS });
    acknowledged += report.acknowledged;
    reads += report.reads;
    terms += report.terms;
  }
  t.diagnostic(`${acknowledged} acknowledged proposals and ${reads} reads in ${terms} terms`);
  assert.ok(acknowledged > 1_000 && reads > 1_000 && terms > 50);
});
