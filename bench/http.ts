/**
 * Signed `POST /v2/spot/order`, resting and trading in turn, over 64 kept connections into a venue whose log is synced,
 * against node's bare HTTP server answering a fixed text to the same requests. Both in one run, in turns. With `--parts` the
 * venue against itself instead: what rate limits and pushes take of it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LoadResult, load } from "./http-load.ts";
import { partFigures } from "./http-parts.ts";
import { type Figure, median, report } from "./report.ts";
import { firstLine, makeTraders, signOrders, startVenue, stopAll, UNLIMITED } from "./venue.ts";

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
/** Accounts, so that no one of them has many orders open at a time. */
const TRADERS = 32;
/** Requests signed beforehand and used in turn. */
const REQUESTS = 40_000;

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
try {
  if (process.argv.includes("--parts")) report("http_parts", await partFigures(dir));
  else report("http", await againstBare());
} finally {
  stopAll();
  rmSync(dir, { recursive: true, force: true });
}

async function againstBare(): Promise<Figure[]> {
  const bare = Number((await firstLine(["bench/bare-server.ts"])).split(" ")[1]);
  const venue = await startVenue(join(dir, "data"), UNLIMITED);
  const signed = signOrders(await makeTraders(venue, TRADERS), REQUESTS);
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
  const of = (results: readonly LoadResult[], field: "perSecond" | "p50Ms" | "p99Ms") =>
    median(results.map((result) => result[field]));
  return [
    { name: "ratio", value: of(ours, "perSecond") / of(theirs, "perSecond"), gate: 0.5, goal: 0.6 },
    { name: "orders", value: of(ours, "perSecond"), unit: "orders/s" },
    { name: "orders_p50", value: of(ours, "p50Ms"), unit: "ms", goal: 1.5, atMost: true },
    { name: "orders_p99", value: of(ours, "p99Ms"), unit: "ms", goal: 5, atMost: true },
    { name: "bare_node_http", value: of(theirs, "perSecond"), unit: "requests/s" },
    { name: "failures", value: failures, gate: 0, atMost: true },
  ];
}
