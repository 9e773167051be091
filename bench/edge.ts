/**
 * What honest clients notice of a thousand slow ones: the latency of their requests without and with slow heads, slow
 * bodies and readers that take nothing beside them, in turns in one run. The storm is the moment in which all of them
 * come at once and fill the buffers of the machine; on one machine the attackers' own work falls on it, too.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type LoadResult, load } from "./http-load.ts";
import { report } from "./report.ts";

const ATTACKERS = 1_000;
const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const STORM_SECONDS = 4;
const HONEST = 16;
const REQUEST = Buffer.from("GET /v2/spot/depth?market=BTCUSDT&limit=20&interval=0 HTTP/1.1\r\nHost: venue\r\n\r\n");

const children: ChildProcess[] = [];
try {
  const options = ["--data", ":memory:", "--port", "0", "--makers", "off", "--limits", "off"];
  const line = await firstLine(["src/cli/main.ts", "start", ...options]);
  const port = Number(new URL(line.split(" ")[2] as string).port);
  const honest = (seconds: number) => load({ port, connections: HONEST, seconds, next: () => REQUEST });

  await honest(3);
  const quiet: LoadResult[] = [];
  const storm: LoadResult[] = [];
  const attacked: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await honest(SECONDS));
    await firstLine(["bench/slow-peers.ts", String(port), String(ATTACKERS)]);
    storm.push(await honest(STORM_SECONDS));
    attacked.push(await honest(SECONDS));
    children.pop()?.kill("SIGKILL");
    await honest(1);
  }
  const failures = [...quiet, ...storm, ...attacked].reduce((sum, result) => sum + result.failures, 0);
  report("edge", [
    {
      name: "ratio_p99",
      value: median(attacked, "p99Ms") / median(quiet, "p99Ms"),
      gate: 2,
      goal: 1.2,
      atMost: true,
    },
    { name: "quiet_p99", value: median(quiet, "p99Ms"), unit: "ms" },
    { name: "attacked_p99", value: median(attacked, "p99Ms"), unit: "ms" },
    { name: "storm_p99", value: median(storm, "p99Ms"), unit: "ms" },
    { name: "ratio_p50", value: median(attacked, "p50Ms") / median(quiet, "p50Ms") },
    { name: "attackers", value: ATTACKERS, unit: "connections" },
    { name: "failures", value: failures, gate: 0, atMost: true },
  ]);
} finally {
  for (const child of children) child.kill("SIGKILL");
}

function median(results: readonly LoadResult[], field: "p50Ms" | "p99Ms"): number {
  const values = results.map((result) => result[field]).sort((left, right) => left - right);
  return values[values.length >> 1] as number;
}

function firstLine(args: readonly string[]): Promise<string> {
  // With the flags that `npm start` gives as well.
  const child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ["ignore", "pipe", "ignore", "ipc"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}.`)));
  });
}
