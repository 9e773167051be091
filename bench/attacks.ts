/**
 * What strangers and customers can do to others by attacking the listeners. For each attack one venue and four honest
 * clients, in turns in quiet and under attack: quiet, attack, quiet, attack, and so on.
 *
 * Here attackers, clients and venue share a machine, and in life they do not. So where there are two processors and
 * `taskset`, the attackers and the honest clients have the first one, the attackers at the lowest priority, and the
 * venue has the others. What attackers take of the clients' processor is no fault of the venue: in quiet another
 * process takes as much of it, at the same priority.
 *
 * Two gates, since each of them alone could pass for a wrong reason:
 *
 * - What clients notice: the slowest of a hundred honest requests takes at most twice as long as in quiet. The same
 *   quiet phase differs by 1.1 to 4.7 from one time to the next (`quiet_to_quiet`), so the median of five attacks is
 *   compared with the median of five quiet phases. The least disturbed of each, which counted before, is a matter of
 *   luck: one quiet phase in which nothing else ran made the ratio 2.35 where the medians gave 0.82.
 * - What the venue does: how much longer a request that comes at any time finds the event loop busy, in processor time,
 *   which the rest of the machine does not change. It adds at most what the slowest of a hundred requests takes in
 *   quiet. Medians count here as well.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Figure, median, quantile, report } from "./report.ts";
import { makeTraders, processorSeconds, startVenue, stopAll, type Venue } from "./venue.ts";

/** The moment in which all attackers come at once. */
const STORM_SECONDS = 2;
/** The slowest of a hundred honest requests may take twice as long under attack as in quiet, in the same run. */
const RATIO_MAX = 2;
const MEMORY_MIB_MAX = 200;
const MIB = 1_048_576;
/** An honest request that is not answered in this time counts with it. */
const GIVEN_UP_MS = 10_000;
/** Of turns.ts. */
const LOOK_MS = 1;
const TURNS = new URL("turns.ts", import.meta.url).href;
/** Behind an attack, until what it left open is closed. */
const CALM_SECONDS = 1.5;

/** Bots keep their connections; the operator's tools make one for each request. */
const KEPT = new Agent({ keepAlive: true, maxSockets: 4 });

interface Attack {
  readonly connections: number;
  /** Whose answers are measured: the API's, or the operator's. */
  readonly at: "api" | "admin";
  readonly what: string;
}

const ATTACKS: ReadonlyMap<string, Attack> = new Map(
  Object.entries({
    stall: { connections: 1_500, at: "api", what: "uploads of 128 KiB that lack their last byte" },
    crumbs: { connections: 8, at: "api", what: "bodies in chunks of one byte" },
    names: { connections: 210, at: "api", what: "sockets that follow a thousand unknown markets with each message" },
    idle: { connections: 256, at: "admin", what: "connections without a token that say nothing" },
    tokens: { connections: 16, at: "admin", what: "wrong tokens, one after the other" },
    refused: { connections: 300, at: "api", what: "pipelines of 62 KB beyond the quota" },
    parsed: { connections: 300, at: "api", what: "the same for Node's parser" },
    health: { connections: 300, at: "api", what: "pipelines of health checks" },
    flood: { connections: 8, at: "api", what: "requests at 5 Mbit/s, whatever is answered" },
    resets: { connections: 50, at: "api", what: "resets between two owners of a socket" },
    passwords: { connections: 64, at: "api", what: "wrong passwords from ever other addresses" },
  } satisfies Record<string, Attack>),
);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: process.env.BENCH_SECONDS ?? "4" },
    rounds: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const unknown = positionals.find((name) => !ATTACKS.has(name));
if (values.help) {
  console.log("npm run bench attacks -- [ATTACK...] [--rounds N] [--seconds S] [--json]\n");
  for (const [name, { connections, what }] of ATTACKS) console.log(`  ${name.padEnd(10)} ${connections} × ${what}`);
  process.exit();
}
if (unknown !== undefined || !(seconds > 0) || !Number.isSafeInteger(rounds) || rounds < 1) {
  const wrong =
    unknown === undefined
      ? "--rounds is a whole number from 1, and --seconds a number above 0."
      : `There is no attack ${unknown}; there are ${[...ATTACKS.keys()].join(", ")}.`;
  console.error(wrong);
  process.exit(2);
}

/** Honest requests that were not answered as they should be. */
let failures = 0;

const canPin = availableParallelism() > 1 && hasTaskset();
const processors = availableParallelism();
console.log(
  canPin
    ? `The venue has ${processors - 1} of ${processors} processors; attackers, at the lowest priority, and ` +
        "clients share the other one."
    : `Attackers, clients and venue share ${processors} processors: what clients notice is the machine's doing, too.`,
);
console.log(`Load by everybody before: ${loadavg()[0]?.toFixed(1)}.`);
const figures: Figure[] = [];
try {
  for (const name of positionals.length > 0 ? positionals : ATTACKS.keys()) {
    const own = await under(name, ATTACKS.get(name) as Attack);
    // Anyone who ends the run early has what was measured so far.
    console.error(own.map(({ name: figure, value }) => `${figure} ${value.toFixed(2)}`).join(", "));
    figures.push(...own);
  }
  report("attacks", figures);
} finally {
  stopAll();
}

async function under(name: string, { connections, at }: Attack): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), "bourse-attack-"));
  try {
    const turnsFile = join(dir, "turns.json");
    process.env.TURNS_FILE = turnsFile;
    const venue = await startVenue(join(dir, "data"), [], undefined, [`--import=${TURNS}`]);
    pin(venue.pid, `1-${processors - 1}`);
    pin(process.pid, "0");
    const honest = () =>
      at === "api" ? ask(venue.port, "/v2/spot/depth?market=BTCUSDT&limit=20&interval=0") : status(venue);
    const [customer] = await makeTraders(venue, 1);
    const port = at === "api" ? venue.port : Number(new URL(venue.adminUrl).port);
    await latencies(honest, 2);
    const failedBefore = failures;
    const first = await costOf(venue);
    const measured = () => phase(venue, honest, turnsFile);
    // What the attackers take of the clients' processor is not known yet.
    await measured();
    const quiets: Phase[] = [];
    const attacks: (Phase & { readonly storm: readonly number[]; readonly attackers: number; answers: number })[] = [];
    for (let round = 0; round < rounds; round++) {
      const attackers = await attack([name, String(port), String(connections), customer?.accessId ?? ""]);
      let answers = 0;
      attackers.on("message", (message: { answers: number }) => {
        answers = message.answers;
      });
      try {
        const storm = await latencies(honest, STORM_SECONDS);
        const [before, answeredBefore] = [processorSeconds(attackers.pid as number), answers];
        const steady = await measured();
        const used = processorSeconds(attackers.pid as number) - before;
        attacks.push({ ...steady, storm, attackers: used, answers: answers - answeredBefore });
      } finally {
        attackers.kill("SIGKILL");
      }
      await pause(CALM_SECONDS * 1_000);
      const taken = median(attacks.map(({ attackers }) => attackers)) / seconds;
      const others = await attack(["busy", "0", String(taken), ""]);
      try {
        quiets.push(await measured());
      } finally {
        others.kill("SIGKILL");
      }
    }
    const p99 = (all: readonly number[]) => quantile(all, 0.99);
    const of = <One>(all: readonly One[], figure: (one: One) => number) => median(all.map(figure));
    const [attacked, quiet] = [attacks, quiets].map((phases: readonly Phase[]) =>
      phases.map(({ times }) => p99(times)),
    );
    const quietP99 = median(quiet as number[]);
    const attackedP99 = median(attacked as number[]);
    // Two quiet phases in a row: how far they are apart is the doing of the machine, and not of an attack.
    const apart = quiets.slice(1).map(({ times }, at) => {
      const [one, other] = [p99(times), p99((quiets[at] as Phase).times)];
      return Math.max(one, other) / Math.min(one, other);
    });
    const perRequest = ({ cpu, times }: Phase) => (1_000 * cpu) / times.length;
    const busy = ({ turns }: Phase) => busyAt(turns, 0.99);
    const longest = ({ turns }: Phase) => turns.at(-1) ?? 0;
    const share = (cpuSeconds: number) => (100 * cpuSeconds) / seconds;
    const grown = attacks.map(({ residentBytes }) => (residentBytes - first.residentBytes) / MIB);
    return [
      { name: `${name}_ratio_p99`, value: attackedP99 / quietP99, gate: RATIO_MAX, atMost: true },
      {
        name: `${name}_turn_p99_added`,
        value: Math.max(0, of(attacks, busy) - of(quiets, busy)),
        unit: "ms",
        gate: (RATIO_MAX - 1) * quietP99,
        atMost: true,
      },
      { name: `${name}_honest_failures`, value: failures - failedBefore, gate: 0, atMost: true },
      {
        name: `${name}_ratio_p99_least`,
        value: Math.min(...(attacked as number[])) / Math.min(...(quiet as number[])),
      },
      ...(apart.length > 0 ? [{ name: `${name}_quiet_to_quiet`, value: median(apart) }] : []),
      { name: `${name}_turn_p99_quiet`, value: of(quiets, busy), unit: "ms" },
      { name: `${name}_turn_p99`, value: of(attacks, busy), unit: "ms" },
      { name: `${name}_turn_longest_quiet`, value: of(quiets, longest), unit: "ms" },
      { name: `${name}_turn_longest`, value: of(attacks, longest), unit: "ms" },
      { name: `${name}_quiet_p99`, value: quietP99, unit: "ms" },
      { name: `${name}_attacked_p99`, value: attackedP99, unit: "ms" },
      { name: `${name}_storm_p99`, value: of(attacks, ({ storm }) => p99(storm)), unit: "ms" },
      { name: `${name}_attacked_median`, value: of(attacks, ({ times }) => median(times)), unit: "ms" },
      { name: `${name}_processor_per_honest_quiet`, value: of(quiets, perRequest), unit: "ms" },
      { name: `${name}_processor_per_honest`, value: of(attacks, perRequest), unit: "ms" },
      { name: `${name}_processor_quiet`, value: share(of(quiets, ({ cpu }) => cpu)), unit: "% of one" },
      { name: `${name}_processor`, value: share(of(attacks, ({ cpu }) => cpu)), unit: "% of one" },
      {
        name: `${name}_attackers_processor`,
        value: share(of(attacks, ({ attackers }) => attackers)),
        unit: "% of one",
      },
      // What the collector of garbage has not looked at yet is in it: it differs by 40 MiB from one attack to the next.
      ...(at === "api"
        ? [
            { name: `${name}_memory`, value: median(grown), unit: "MiB", gate: MEMORY_MIB_MAX, atMost: true },
            { name: `${name}_memory_most`, value: Math.max(...grown), unit: "MiB" },
          ]
        : []),
      ...(["tokens", "passwords"].includes(name)
        ? [{ name: `${name}_answered`, value: of(attacks, ({ answers }) => answers / seconds), unit: "1/s" }]
        : []),
    ];
  } finally {
    stopAll();
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Phase {
  /** Of honest requests, in ms, the shortest first. */
  readonly times: readonly number[];
  /** Of the venue, in seconds. */
  readonly cpu: number;
  readonly residentBytes: number;
  /** Of the venue's event loop, in ms of processor time, the shortest first. */
  readonly turns: readonly number[];
}

async function phase(venue: Venue, honest: () => Promise<unknown>, turnsFile: string): Promise<Phase> {
  const before = await costOf(venue);
  await turnsOf(venue, turnsFile);
  const times = await latencies(honest, seconds);
  const turns = await turnsOf(venue, turnsFile);
  const { cpuSeconds, residentBytes } = await costOf(venue);
  return { times, cpu: cpuSeconds - before.cpuSeconds, residentBytes, turns };
}

/** Turns of the venue's event loop since this was last asked, in ms of processor time, the shortest first. */
async function turnsOf(venue: Venue, turnsFile: string): Promise<number[]> {
  rmSync(turnsFile, { force: true });
  process.kill(venue.pid, "SIGUSR2");
  for (;;) {
    await pause(20);
    try {
      return JSON.parse(readFileSync(turnsFile, "utf8")) as number[];
    } catch {
      // It is not written yet, or not whole.
    }
  }
}

/**
 * How long a request that comes at any time finds the venue busy, at `share` (0..1) of all: a long turn is met by more
 * of them.
 */
function busyAt(turns: readonly number[], share: number): number {
  const looked = turns.map((turn) => Math.max(LOOK_MS, turn));
  let left = looked.reduce((sum, turn) => sum + turn, 0) * share;
  for (const [at, turn] of looked.entries()) {
    left -= turn;
    if (left <= 0) return turns[at] as number;
  }
  return turns.at(-1) ?? 0;
}

/** Sorted: four clients, each asking again 10 ms after its answer. */
async function latencies(honest: () => Promise<unknown>, seconds: number): Promise<number[]> {
  const all: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      await honest();
      all.push(performance.now() - started);
      await pause(10);
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  return all.sort((one, other) => one - other);
}

function status(venue: Venue): Promise<string> {
  return ask(Number(new URL(venue.adminUrl).port), "/admin/status", { authorization: `Bearer ${venue.token}` });
}

function ask(port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const done = () => resolve(text);
    const sent = request(
      { host: "127.0.0.1", port, path, headers, agent: path.startsWith("/v2") ? KEPT : false, timeout: GIVEN_UP_MS },
      (response) => {
        if (response.statusCode !== 200) failures++;
        response.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        response.once("end", done).once("error", done);
      },
    );
    sent.once("timeout", () => sent.destroy());
    sent.once("error", () => failures++);
    sent.once("error", () => void pause(GIVEN_UP_MS / 10).then(done));
    sent.end();
  });
}

/** What a venue has taken of the machine so far. */
async function costOf(venue: Venue): Promise<{ readonly residentBytes: number; readonly cpuSeconds: number }> {
  const text = await ask(Number(new URL(venue.adminUrl).port), "/metrics", { authorization: `Bearer ${venue.token}` });
  const residentBytes = Number(/\{kind="resident"\} (\S+)/.exec(text)?.[1]);
  return { residentBytes, cpuSeconds: processorSeconds(venue.pid) };
}

function attack(args: readonly string[]): Promise<ChildProcess> {
  const script = new URL("attack-peers.ts", import.meta.url).pathname;
  const program = [process.execPath, ...process.execArgv, script, ...args];
  const [first, ...rest] = canPin ? ["nice", "-n", "19", ...program] : program;
  const child = spawn(first as string, rest, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once("line", () => resolve(child));
  });
}

/** Keeps all threads of a process, and what they start, on some processors. */
function pin(pid: number, to: string): void {
  if (canPin) execFileSync("taskset", ["-a", "-c", "-p", to, String(pid)], { stdio: "ignore" });
}

function hasTaskset(): boolean {
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
