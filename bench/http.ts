/**
 * Signed `POST /v2/spot/order`, resting and trading in turn, over 64 kept connections into a venue whose log is synced,
 * against node's bare HTTP server answering a fixed text to the same requests. Both in one run, in turns. The load
 * generator shares the machine, so the processor time of each server for one request is told beside what was answered.
 * With `--against ROOT` a venue of another work tree takes turns as well; with `--parts` the venue against itself
 * instead: what rate limits and pushes take of it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type LoadResult, load } from "./http-load.ts";
import { partFigures } from "./http-parts.ts";
import { type Figure, median, report } from "./report.ts";
import {
  makeTraders,
  processorSeconds,
  signBatches,
  signOrders,
  startProgram,
  startVenue,
  stopAll,
  UNLIMITED,
} from "./venue.ts";

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
/** Accounts, so that no one of them has many orders open at a time. */
const TRADERS = 32;
/** Requests signed beforehand and used in turn. */
const REQUESTS = 40_000;
/** Orders in a batch. */
const BATCH = 20;

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
try {
  if (process.argv.includes("--parts")) report("http_parts", await partFigures(dir));
  else report("http", await againstBare());
} finally {
  stopAll();
  rmSync(dir, { recursive: true, force: true });
}

interface Contender {
  readonly pid: number;
  readonly port: number;
  /** Requests to be used in turn, signed before each lap: a signature serves for a minute only. */
  readonly sign: () => readonly Buffer[];
  requests: readonly Buffer[];
  /** Orders in each of them. */
  readonly size: number;
  readonly laps: { readonly result: LoadResult; readonly seconds: number }[];
  at: number;
}

async function againstBare(): Promise<Figure[]> {
  const ours = await venueOf("here");
  const bare = await bareServer(ours.single.sign);
  const { against } = parseArgs({ options: { against: { type: "string" }, json: { type: "boolean" } } }).values;
  const theirs = against === undefined ? undefined : await venueOf("there", against);
  const venues = theirs === undefined ? [ours] : [ours, theirs];
  for (const each of venues) {
    await lap(each.single, 3);
    await lap(each.batches, 1);
  }
  await lap(bare.single, 1);
  for (const { laps } of [bare.single, ...venues.flatMap(({ single, batches }) => [single, batches])]) laps.length = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await lap(bare.single, SECONDS);
    for (const each of venues) await lap(each.single, SECONDS);
    for (const each of venues) await lap(each.batches, SECONDS / 2);
  }
  const figures = [...figuresOf(ours, bare), ...(await atHalfLoad(ours, bare))];
  return theirs === undefined ? figures : [...figures, ...comparison(ours, theirs)];
}

function figuresOf({ single, batches }: Pair, bare: { readonly single: Contender }): Figure[] {
  const failures = [single, batches].flatMap(({ laps }) => laps).reduce((sum, { result }) => sum + result.failures, 0);
  const first = [single, batches].flatMap(({ laps }) => laps).find(({ result }) => result.firstFailure !== undefined);
  if (first !== undefined) console.error(`First failure: ${first.result.firstFailure}`);
  return [
    { name: "ratio", value: rateOf(single) / rateOf(bare.single), gate: 0.5, goal: 0.6 },
    { name: "orders", value: rateOf(single), unit: "orders/s" },
    { name: "orders_p50", value: of(single, ({ result }) => result.p50Ms), unit: "ms", goal: 1.5, atMost: true },
    { name: "orders_p99", value: of(single, ({ result }) => result.p99Ms), unit: "ms" },
    { name: "orders_in_batches", value: rateOf(batches), unit: "orders/s" },
    { name: "bare_node_http", value: rateOf(bare.single), unit: "requests/s" },
    { name: "processor_of_order", value: processorOf(single), unit: "µs" },
    { name: "processor_of_batched_order", value: processorOf(batches), unit: "µs" },
    { name: "processor_of_bare_request", value: processorOf(bare.single), unit: "µs" },
    {
      name: "processor_ratio",
      value: processorOf(single) / processorOf(bare.single),
      ...{ gate: 2, goal: 1.6, atMost: true },
    },
    { name: "failures", value: failures, gate: 0, atMost: true },
  ];
}

/**
 * What an order waits for while the venue is asked for half of what it can; and a bare request at the same rate, which
 * is the machine's share of it.
 */
async function atHalfLoad({ single }: Pair, bare: { readonly single: Contender }): Promise<Figure[]> {
  const perSecond = rateOf(single) / 2;
  const lapOf = (contender: Contender): Promise<LoadResult> => {
    contender.requests = contender.sign();
    return load({ ...askedOf(contender), seconds: SECONDS, perSecond });
  };
  const laps: LoadResult[] = [];
  const bareLaps: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bareLaps.push(await lapOf(bare.single));
    laps.push(await lapOf(single));
  }
  return [
    { name: "half_load", value: median(laps.map((result) => result.perSecond)), unit: "orders/s" },
    { name: "half_load_p50", value: median(laps.map(({ p50Ms }) => p50Ms)), unit: "ms" },
    { name: "half_load_p99", value: median(laps.map(({ p99Ms }) => p99Ms)), unit: "ms", gate: 5, atMost: true },
    { name: "half_load_bare_p99", value: median(bareLaps.map(({ p99Ms }) => p99Ms)), unit: "ms" },
  ];
}

/** How many times as much as the other work tree. */
function comparison(ours: Pair, theirs: Pair): Figure[] {
  return [
    { name: "orders_to_theirs", value: rateOf(ours.single) / rateOf(theirs.single) },
    { name: "processor_to_theirs", value: processorOf(ours.single) / processorOf(theirs.single) },
    { name: "batched_orders_to_theirs", value: rateOf(ours.batches) / rateOf(theirs.batches) },
    { name: "processor_of_batched_to_theirs", value: processorOf(ours.batches) / processorOf(theirs.batches) },
  ];
}

interface Pair {
  readonly single: Contender;
  readonly batches: Contender;
}

async function bareServer(sign: Contender["sign"]): Promise<{ readonly single: Contender }> {
  const { pid, line } = await startProgram(["bench/bare-server.ts"]);
  return { single: { pid, port: Number(line.split(" ")[1]), sign, requests: [], size: 1, laps: [], at: 0 } };
}

async function venueOf(name: string, root?: string): Promise<Pair> {
  const venue = await startVenue(join(dir, name), UNLIMITED, root);
  const traders = await makeTraders(venue, TRADERS);
  const of = (sign: Contender["sign"], size: number) => ({ ...venue, sign, requests: [], size, laps: [], at: 0 });
  return {
    single: of(() => signOrders(traders, REQUESTS), 1),
    batches: of(() => signBatches(traders, REQUESTS / BATCH, BATCH), BATCH),
  };
}

function askedOf(contender: Contender) {
  const { port, requests } = contender;
  return { port, connections: CONNECTIONS, next: () => requests[contender.at++ % requests.length] as Buffer };
}

async function lap(contender: Contender, seconds: number): Promise<void> {
  const { pid } = contender;
  contender.requests = contender.sign();
  const before = processorSeconds(pid);
  const result = await load({ ...askedOf(contender), seconds });
  contender.laps.push({ result, seconds: processorSeconds(pid) - before });
}

type Lap = Contender["laps"][number];

function of({ laps }: Contender, figure: (lap: Lap) => number): number {
  return median(laps.map(figure));
}

/** Orders a second, or what stands for them. */
function rateOf(contender: Contender): number {
  return of(contender, ({ result }) => result.perSecond * contender.size);
}

/** Microseconds of a processor for one of them. */
function processorOf(contender: Contender): number {
  return of(contender, ({ result, seconds }) => (seconds * 1e6) / (result.answers * contender.size));
}
