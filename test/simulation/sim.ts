/**
 * `npm run tool sim -- --seeds N [--commands M] [--from S] [--minutes T] [--world W] [--json] [--report]` runs N seeds
 * of M steps each on all cores, in every world of worlds.ts unless one is named, and says what came of it; after T
 * minutes it begins no other seed. A seed that fails is shrunk and kept in seeds.json.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { keepSeed } from "./kept-seeds.ts";
import type { SeedAnswer, SeedTask } from "./sim-tasks.ts";
import { WORLDS, worldNamed } from "./worlds.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    commands: { type: "string", default: "0" },
    from: { type: "string", default: "1" },
    minutes: { type: "string", default: "0" },
    world: { type: "string" },
    json: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
  },
});
const [seeds, commands, from] = [values.seeds, values.commands, values.from].map(Number) as [number, number, number];
const minutes = Number(values.minutes);
if (![seeds, from].every((value) => Number.isSafeInteger(value) && value > 0) || !(commands >= 0) || !(minutes >= 0)) {
  process.stderr.write("--seeds, --commands, --from and --minutes are numbers above 0, the first three whole.\n");
  process.exit(2);
}

const isKnown = WORLDS.some(({ name }) => name === values.world?.split(":")[0]);
if (values.world !== undefined && !isKnown) {
  process.stderr.write(`--world is one of ${WORLDS.map(({ name }) => name).join(", ")}.\n`);
  process.exit(2);
}
const worlds = values.world === undefined ? WORLDS : [worldNamed(values.world)];

const begun = performance.now();
/** By world: how often each refusal was answered, accepted commands under "none", and how often what happened. */
const tallies = new Map<string, Map<string, number>>(worlds.map(({ name }) => [name, new Map()]));
/** What strategies have won at most, in USDT, and with which seed. */
const greatest = new Map<string, { readonly won: number; readonly seed: number }>();
const failed: string[] = [];
const tasks = Array.from({ length: seeds }, (_, at) =>
  worlds.map((world) => ({ world: world.name, seed: from + at, commands: commands || world.commands })),
);
const waiting: SeedTask[] = tasks.flat();
let next = 0;
let done = 0;
let total = 0;

/** One worker takes seed after seed until none is left or one has failed. */
function work(): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("sim-worker.ts", import.meta.url));
    const send = () => {
      const isOver = minutes > 0 && performance.now() - begun > minutes * 60_000;
      const task = failed.length > 0 || isOver ? undefined : waiting[next++];
      if (task === undefined) void worker.terminate().then(() => resolve());
      else worker.postMessage(task);
    };
    worker.on("error", reject);
    worker.on("message", (answer: SeedAnswer) => {
      note(answer);
      send();
    });
    send();
  });
}

function note({ world, seed, commands: ran, tally: heard, gains, failure, kept }: SeedAnswer): void {
  done++;
  total += ran;
  const tally = tallies.get(world) as Map<string, number>;
  for (const [name, times] of heard) tally.set(name, (tally.get(name) ?? 0) + times);
  for (const [name, won] of gains ?? []) {
    if (won > (greatest.get(name)?.won ?? Number.NEGATIVE_INFINITY)) greatest.set(name, { won, seed });
  }
  if (done % 500 === 0 && !values.json) say(`${done} venues, ${total} commands so far`);
  if (failure === undefined) return;
  failed.push(`${seed} of ${world}`);
  say(`Seed ${seed} of ${world} fails at step ${failure.at}:`);
  for (const difference of failure.differences.slice(0, 10)) say(`  ${difference}`);
  if (kept === undefined) return;
  keepSeed(kept);
  say(`It is kept in test/simulation/seeds.json with ${kept.steps.length} steps, where it shows as: ${kept.showed}`);
}

/** Of each strategy how often it was played, what it won at most and by which seed, and whose loss that was. */
function tellReport(): void {
  say("| Strategy | Plays | Greatest gain, USDT | Whose loss | Seed |");
  say("|---|---|---|---|---|");
  for (const [name, { won, seed }] of [...greatest].sort(([one], [other]) => one.localeCompare(other))) {
    const [strategy = name] = name.split(" ");
    const plays = [...tallies.values()].reduce((sum, tally) => sum + (tally.get(`play of ${strategy}`) ?? 0), 0);
    say(
      `| ${name} | ${plays} | ${won <= 0 ? "none" : won.toFixed(2)} | ${won <= 0 ? "his own" : whoseLoss(name)} ` +
        `| ${seed} |`,
    );
  }
}

/**
 * Who pays for a gain, by how the judge names it; what he calls nothing else comes from honest people who were let go.
 */
function whoseLoss(name: string): string {
  if (name.endsWith("across a gap")) return "the fund within its budget, or a counterparty whom a jump left unpaid";
  if (name.endsWith("by funding")) return "those who paid it by the published rate";
  if (name.endsWith("by orders without a price")) return "honest orders that named no price";
  return "margins of honest people who were let go";
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, work));
const seconds = (performance.now() - begun) / 1000;
const sortedOf = (tally: Map<string, number>) => [...tally].sort(([, one], [, other]) => other - one);
if (values.json) {
  const happened = Object.fromEntries(
    [...tallies].map(([world, tally]) => [world, Object.fromEntries(sortedOf(tally))]),
  );
  const gains = Object.fromEntries(greatest);
  say(JSON.stringify({ venues: done, commands: total, seconds: Math.round(seconds), failed, happened, gains }));
} else {
  for (const [world, tally] of tallies) {
    say(
      `${world}: ${sortedOf(tally)
        .map(([name, times]) => `${name} ${times}`)
        .join(", ")}`,
    );
  }
  if (values.report) tellReport();
  else for (const [name, { won, seed }] of greatest) say(`${name} won ${won.toFixed(4)} USDT at most, by seed ${seed}`);
  say(`${done} venues, ${total} commands in ${seconds.toFixed(0)} s, ${Math.round(total / seconds)} a second`);
  say(failed.length === 0 ? "The engine does what the rules say." : `Failing: ${failed.join(", ")}`);
}
process.exit(failed.length === 0 ? 0 : 1);
