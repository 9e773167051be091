/**
 * Signed `POST /v2/spot/order`, resting and trading in turn, over 64 kept connections into a venue whose log is synced,
 * against node's bare HTTP server answering a fixed text to the same requests. Both in one run, in turns.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type LoadResult, load } from "./http-load.ts";
import { report } from "./report.ts";

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
/** Accounts, so that no one of them has many orders open at a time. */
const TRADERS = 32;
/** Requests signed beforehand and used in turn. */
const REQUESTS = 40_000;

/** Rate limits are at work, so that their cost is measured, with figures that nobody reaches. */
const UNLIMITED = [
  ...["--ip-rate", "1000000", "--group-rates", '{"spot:Place and edit orders":1000000}'],
  ...["--long-effective-min", "0"],
];

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
const children: ChildProcess[] = [];
try {
  const bare = await startBare();
  const venue = await startVenue(join(dir, "data"));
  const traders = await makeTraders(venue);
  const signed = signRequests(traders);
  let at = 0;
  const next = () => signed[at++ % signed.length] as Buffer;

  await load({ port: venue.port, connections: CONNECTIONS, seconds: 3, next });
  await load({ port: bare, connections: CONNECTIONS, seconds: 1, next });
  const ours: LoadResult[] = [];
  const theirs: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await load({ port: bare, connections: CONNECTIONS, seconds: SECONDS, next }));
    ours.push(await load({ port: venue.port, connections: CONNECTIONS, seconds: SECONDS, next }));
  }
  const failures = ours.reduce((sum, result) => sum + result.failures, 0);
  const first = ours.find((result) => result.firstFailure !== undefined)?.firstFailure;
  if (first !== undefined) console.error(`First failure: ${first}`);
  report("http", [
    { name: "ratio", value: median(ours, "perSecond") / median(theirs, "perSecond"), gate: 0.5, goal: 0.6 },
    { name: "orders", value: median(ours, "perSecond"), unit: "orders/s" },
    { name: "orders_p50", value: median(ours, "p50Ms"), unit: "ms", goal: 1.5, atMost: true },
    { name: "orders_p99", value: median(ours, "p99Ms"), unit: "ms", goal: 5, atMost: true },
    { name: "bare_node_http", value: median(theirs, "perSecond"), unit: "requests/s" },
    { name: "failures", value: failures, gate: 0, atMost: true },
  ]);
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
}

interface Venue {
  readonly port: number;
  readonly adminUrl: string;
  readonly token: string;
}

interface Trader {
  readonly accessId: string;
  readonly secretKey: string;
}

function median(results: readonly LoadResult[], field: "perSecond" | "p50Ms" | "p99Ms"): number {
  const values = results.map((result) => result[field]).sort((left, right) => left - right);
  return values[values.length >> 1] as number;
}

async function startBare(): Promise<number> {
  const line = await firstLine(["bench/bare-server.ts"]);
  return Number(line.split(" ")[1]);
}

async function startVenue(data: string): Promise<Venue> {
  const quiet = ["--port", "0", "--makers", "off"];
  const line = await firstLine(["src/cli/main.ts", "start", "--data", data, ...quiet, ...UNLIMITED]);
  const [, , url, , adminUrl] = line.split(" ") as [string, string, string, string, string];
  return { port: Number(new URL(url).port), adminUrl, token: readFileSync(join(data, "admin-token"), "utf8").trim() };
}

function firstLine(args: readonly string[]): Promise<string> {
  // With the flags that `npm start` gives as well.
  const child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}.`)));
  });
}

async function makeTraders(venue: Venue): Promise<Trader[]> {
  const traders: Trader[] = [];
  for (let index = 0; index < TRADERS; index++) {
    const { user_id } = (await admin(venue, "/admin/users", { name: `bench-${index}` })) as { user_id: number };
    for (const ccy of ["BTC", "USDT"]) {
      const amount = ccy === "BTC" ? "1000" : "10000000";
      await admin(venue, "/admin/deposits", { user_id, ccy, amount, note: "bench" });
    }
    const key = (await admin(venue, "/admin/api-keys", { user_id })) as { access_id: string; secret_key: string };
    traders.push({ accessId: key.access_id, secretKey: key.secret_key });
  }
  return traders;
}

async function admin(venue: Venue, path: string, body: object): Promise<unknown> {
  const response = await fetch(venue.adminUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${venue.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const envelope = (await response.json()) as { code: number; data: unknown; message: string };
  if (envelope.code !== 0) throw new Error(`${path}: ${envelope.message}`);
  return envelope.data;
}

/** Every odd request meets the one before it: half of the orders rest, half trade. */
function signRequests(traders: readonly Trader[]): Buffer[] {
  const timestamp = String(Date.now());
  return Array.from({ length: REQUESTS }, (_, index) => {
    const trader = traders[index % traders.length] as Trader;
    const body = JSON.stringify({
      market: "BTCUSDT",
      market_type: "SPOT",
      side: index % 2 === 0 ? "buy" : "sell",
      type: "limit",
      amount: "0.001",
      price: String(60_000 + ((index >> 1) % 200)),
    });
    const target = "/v2/spot/order";
    const sign = createHmac("sha256", trader.secretKey).update(`POST${target}${body}${timestamp}`).digest("hex");
    return Buffer.from(
      `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-SVC-KEY: ${trader.accessId}\r\n` +
        `X-SVC-SIGN: ${sign}\r\nX-SVC-TIMESTAMP: ${timestamp}\r\nX-SVC-WINDOWTIME: 60000\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}
