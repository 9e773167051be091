/**
 * `npm run tool nightly -- [--seed S] [--hours H]` runs every test, and then what looks further the longer it runs, on
 * seeds that nobody has tried: properties, the simulation, spoilt requests, clients that go away, lying nodes of
 * chains, all of them at once, killed venues. Each step says its command, so that one that fails can be run again by
 * itself.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Date.now() / 1_000) % 2 ** 31) },
    hours: { type: "string", default: "4" },
  },
});
const seed = Number(values.seed);
const hours = Number(values.hours);
if (!Number.isSafeInteger(seed) || seed < 1 || !(hours > 0)) {
  console.error("--seed is a whole number from 1, and --hours a number above 0.");
  process.exit(2);
}

interface Step {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** How much of each is done in an hour on two processors. */
const amount = (perHour: number) => String(Math.max(1, Math.round(perHour * hours)));

const STEPS: readonly Step[] = [
  { program: "scripts/test.ts", args: ["all"] },
  { program: "scripts/test.ts", args: ["unit"], env: { PROPERTY_SEED: String(seed), PROPERTY_RUNS: amount(500) } },
  { program: "test/simulation/sim.ts", args: ["--seeds", amount(300), "--from", String(seed)] },
  { program: "test/fuzz/fuzz.ts", args: ["--requests", amount(30_000), "--seed", String(seed)] },
  { program: "test/fuzz/fuzz.ts", args: ["--resets", amount(200), "--seed", String(seed)] },
  { program: "test/fuzz/siege.ts", args: ["--minutes", amount(5), "--seed", String(seed)] },
  { program: "test/chains/lies-run.ts", args: ["--rounds", amount(500), "--seed", String(seed)] },
  { program: "test/crash/crash.ts", args: ["--rounds", amount(40), "--seed", String(seed)] },
  { program: "test/cluster/worlds.ts", args: ["--seeds", amount(20_000), "--from", String(seed)] },
  { program: "test/crash/crash.ts", args: ["--cluster", "--rounds", amount(30), "--seed", String(seed)] },
  { program: "test/crash/crash.ts", args: ["--payments", "--rounds", amount(10), "--seed", String(seed)] },
];

const failed: string[] = [];
for (const { program, args, env = {} } of STEPS) {
  const shown = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), "node", program, ...args].join(" ");
  console.log(`\n== ${shown}`);
  const { status } = spawnSync(process.execPath, ["scripts/bootstrap.js", program, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  if (status !== 0) failed.push(shown);
}
console.log(`\nSeed ${seed}.`);
for (const each of failed) console.log(`Failed: ${each}`);
console.log(`${STEPS.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
