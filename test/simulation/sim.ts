/**
 * `npm run sim -- --seeds N [--commands M] [--from S]` runs N simulated venues of M commands each on all cores, compares the
 * engine with the model after every command, and says what came of it. A seed that fails is shrunk and kept in seeds.json.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { keepSeed } from "./kept-seeds.ts";
import type { SeedAnswer, SeedTask } from "./sim-tasks.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    commands: { type: "string", default: "2000" },
    from: { type: "string", default: "1" },
  },
});
const [seeds, commands, from] = [values.seeds, values.commands, values.from].map(Number) as [number, number, number];
if (![seeds, commands, from].every((value) => Number.isSafeInteger(value) && value > 0)) {
  process.stderr.write("--seeds, --commands and --from are whole numbers above 0.\n");
  process.exit(2);
}

const begun = performance.now();
const tally = new Map<string, number>();
const failed: number[] = [];
let next = from;
let done = 0;
let total = 0;

/** One worker takes seed after seed until none is left or one has failed. */
function work(): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("sim-worker.ts", import.meta.url));
    const send = () => {
      if (next >= from + seeds || failed.length > 0) void worker.terminate().then(() => resolve());
      else worker.postMessage({ seed: next++, commands } satisfies SeedTask);
    };
    worker.on("error", reject);
    worker.on("message", (answer: SeedAnswer) => {
      note(answer);
      send();
    });
    send();
  });
}

function note({ seed, commands: ran, tally: heard, failure, kept }: SeedAnswer): void {
  done++;
  total += ran;
  for (const [name, times] of heard) tally.set(name, (tally.get(name) ?? 0) + times);
  if (done % 500 === 0) say(`${done} seeds, ${total} commands so far`);
  if (failure === undefined) return;
  failed.push(seed);
  say(`Seed ${seed} fails at step ${failure.at}:`);
  for (const difference of failure.differences.slice(0, 10)) say(`  ${difference}`);
  if (kept === undefined) return;
  keepSeed(kept);
  say(`It is kept in test/simulation/seeds.json with ${kept.steps.length} steps, where it shows as: ${kept.showed}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds) }, work));
const seconds = (performance.now() - begun) / 1000;
const sorted = [...tally].sort(([, one], [, other]) => other - one);
say(sorted.map(([name, times]) => `${name} ${times}`).join(", "));
say(`${done} seeds, ${total} commands in ${seconds.toFixed(0)} s, ${Math.round(total / seconds)} a second`);
say(failed.length === 0 ? "The engine and the model agree." : `Failing: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
