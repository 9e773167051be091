/**
 * `counted-contender.ts ROOT RUNS PATH COUNT SEED WARM LAST`: prepares COUNT messages for the engine of the repository
 * at ROOT and takes them WARM times, each time from the beginning; then once more, if LAST is 1. Two such processes
 * that differ in LAST alone differ by the cost of the messages.
 */
import type { Path } from "./messages.ts";
import { prepare, type Runs } from "./runners.ts";

const [root, runs, path, ...numbers] = process.argv.slice(2) as string[];
const [count, seed, warm, last] = numbers.map(Number) as [number, number, number, number];
const makeRunner = await prepare({ root: root as string, runs: runs as Runs, path: path as Path, count, seed });
for (let time = 0; time < warm; time++) makeRunner().run(0, count);
const runner = makeRunner();
if (last === 1) runner.run(0, count);
