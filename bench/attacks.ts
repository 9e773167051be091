/**
 * What strangers and customers can do to others by attacking the listeners, each attack in a run of its own: the latency of an
 * honest client before and during it, and the processor time and memory that it costs the venue. `node bench/attacks.ts [stall crumbs
 * names idle tokens refused parsed health flood resets passwords]`. The attackers have an address of their own. In turns they attack another venue on the same machine: what honest
 * clients notice of that is the machine's doing, since here attackers, venues and clients share its processors.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type Figure, report } from "./report.ts";
import { makeTraders, startVenue, stopAll, type Venue } from "./venue.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
/** The moment in which all attackers come at once. */
const STORM_SECONDS = 2;
/** The slowest of a hundred honest requests may take twice as long under attack as in quiet, in the same run. */
const RATIO_MAX = 2;
const MIB = 1_048_576;
/** An honest request that is not answered in this time counts with it. */
const GIVEN_UP_MS = 10_000;

/** Bots keep their connections; the operator's tools make one for each request. */
const KEPT = new Agent({ keepAlive: true, maxSockets: 4 });

interface Attack {
  readonly connections: number;
  /** Whose answers are measured: the API's, or the operator's. */
  readonly at: "api" | "admin";
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  stall: { connections: 1_500, at: "api" },
  crumbs: { connections: 8, at: "api" },
  names: { connections: 210, at: "api" },
  idle: { connections: 256, at: "admin" },
  tokens: { connections: 16, at: "admin" },
  refused: { connections: 300, at: "api" },
  parsed: { connections: 300, at: "api" },
  health: { connections: 300, at: "api" },
  flood: { connections: 8, at: "api" },
  resets: { connections: 50, at: "api" },
  passwords: { connections: 64, at: "api" },
};

/** Honest requests that were not answered as they should be. */
let failures = 0;

const asked = process.argv.slice(2);
const figures: Figure[] = [];
try {
  for (const name of asked.length > 0 ? asked : Object.keys(ATTACKS)) figures.push(...(await under(name)));
  report("attacks", figures);
} finally {
  stopAll();
}

async function under(name: string): Promise<Figure[]> {
  const { connections, at } = ATTACKS[name] as Attack;
  const dir = mkdtempSync(join(tmpdir(), "bourse-attack-"));
  try {
    const venue = await startVenue(join(dir, "data"), []);
    const other = await startVenue(join(dir, "elsewhere"), []);
    const honest = () =>
      at === "api" ? ask(venue.port, "/v2/spot/depth?market=BTCUSDT&limit=20&interval=0") : status(venue);
    /** What honest clients of the venue notice while `target` is attacked. */
    const attacked = async (target: Venue) => {
      const [customer] = await makeTraders(target, 1);
      const port = at === "api" ? target.port : Number(new URL(target.adminUrl).port);
      const attackers = await attack([name, String(port), String(connections), customer?.accessId ?? ""]);
      let answered = 0;
      attackers.on("message", (message: { answers: number }) => {
        answered = message.answers;
      });
      try {
        const failedBefore = failures;
        const storm = await latencies(honest, STORM_SECONDS);
        const before = await costOf(venue);
        const steady = await latencies(honest, SECONDS);
        const after = await costOf(venue);
        return {
          storm,
          steady,
          residentBytes: after.residentBytes,
          cpu: after.cpuSeconds - before.cpuSeconds,
          answered,
          failures: failures - failedBefore,
        };
      } finally {
        attackers.kill("SIGKILL");
      }
    };
    await latencies(honest, 2);
    const before = await costOf(venue);
    const quiet = await latencies(honest, SECONDS);
    const after = await costOf(venue);
    const elsewhere = await attacked(other);
    const here = await attacked(venue);
    const grown = here.residentBytes - before.residentBytes;
    const p99 = (all: readonly number[]) => all[Math.floor(all.length * 0.99)] ?? 0;
    const share = (cpuSeconds: number) => (100 * cpuSeconds) / SECONDS;
    return [
      { name: `${name}_ratio_p99`, value: p99(here.steady) / p99(quiet), gate: RATIO_MAX, atMost: true },
      { name: `${name}_honest_failures`, value: here.failures, gate: 0, atMost: true },
      { name: `${name}_ratio_p99_elsewhere`, value: p99(elsewhere.steady) / p99(quiet) },
      { name: `${name}_quiet_p99`, value: p99(quiet), unit: "ms" },
      { name: `${name}_attacked_p99`, value: p99(here.steady), unit: "ms" },
      { name: `${name}_storm_p99`, value: p99(here.storm), unit: "ms" },
      { name: `${name}_storm_p99_elsewhere`, value: p99(elsewhere.storm), unit: "ms" },
      { name: `${name}_attacked_median`, value: here.steady[here.steady.length >> 1] ?? 0, unit: "ms" },
      { name: `${name}_processor_quiet`, value: share(after.cpuSeconds - before.cpuSeconds), unit: "% of one" },
      { name: `${name}_processor`, value: share(here.cpu), unit: "% of one" },
      ...(at === "api" ? [{ name: `${name}_memory`, value: grown / MIB, unit: "MiB", gate: 200, atMost: true }] : []),
      ...(name === "tokens" ? [{ name: "tokens_tried", value: here.answered / SECONDS, unit: "1/s" }] : []),
    ];
  } finally {
    stopAll();
    rmSync(dir, { recursive: true, force: true });
  }
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
  const cpuSeconds = [...text.matchAll(/^bourse_cpu_seconds_total(?:\{[^}]*\})? (\S+)$/gm)]
    .map(([, seconds]) => Number(seconds))
    .reduce((sum, seconds) => sum + seconds, 0);
  return { residentBytes: Number(/\{kind="resident"\} (\S+)/.exec(text)?.[1]), cpuSeconds };
}

function attack(args: readonly string[]): Promise<ChildProcess> {
  const script = new URL("attack-peers.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  return new Promise((resolve) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once("line", () => resolve(child));
  });
}
