/**
 * `npm run tool worlds -- --seeds N [--from S] [--minutes M]`: many of the worlds of which world.test.ts runs a few,
 * and which seeds went wrong. With `--minutes` no world begins after so long.
 */
import { parseArgs } from "node:util";
import { World } from "./world.ts";

/** As world.test.ts has it. */
const STEPS = 3_000;
/** A long run says this often how far it is. */
const REPORT_EVERY = 1_000;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    minutes: { type: "string" },
  },
});
const from = Number(values.from);
const until = from + Number(values.seeds);
const endsAt = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;

let [worlds, acknowledged, reads, failed] = [0, 0, 0, 0];
for (let seed = from; seed < until && performance.now() < endsAt; seed++) {
  try {
    const report = World.run({ seed, steps: STEPS });
    acknowledged += report.acknowledged;
    reads += report.reads;
  } catch (error) {
    failed++;
    process.stderr.write(`seed ${seed}: ${(error as Error).message}\n`);
  }
  if (++worlds % REPORT_EVERY === 0) process.stderr.write(`${worlds} worlds, ${failed} of them wrong\n`);
}
process.stdout.write(
  `${worlds} worlds from seed ${from} on, ${failed} of them wrong: ${acknowledged} acknowledged proposals, ` +
    `${reads} reads.\n`,
);
if (failed > 0) process.exitCode = 1;
