/**
 * Orders over sockets beside the same orders over HTTP, against one venue whose log is synced, in turns in one run:
 * processor time of the venue for one, and what one waits for at half of what HTTP can. Then 9,900 connections that end
 * at once and whose end cancels as many orders, beside as many that cancel nothing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../test/support/api-client.ts";
import { httpAnswer, type LoadResult, load, type Wire } from "./http-load.ts";
import { type Figure, median, report } from "./report.ts";
import { frameAnswer, handshake, requestFrame } from "./socket-frames.ts";
import {
  makeTraders,
  orderOf,
  processorSeconds,
  signOrders,
  signParams,
  startVenue,
  stopAll,
  type Trader,
  UNLIMITED,
  type Venue,
} from "./venue.ts";

const CONNECTIONS = 64;
const TRADERS = 32;
const REQUESTS = 40_000;
const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
/** A venue takes 10,000 connections in all, and the bench asks over some. */
const ENDS = Number(process.env.BENCH_ENDS ?? 9_900);
/** As many as an account may have watched. */
const PER_ACCOUNT = 100;
/** Connections that are opened at a time. */
const OPENED_AT_ONCE = 200;

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
try {
  const venue = await startVenue(join(dir, "venue"), UNLIMITED);
  report("sockets_orders", [...(await orders(venue)), ...(await ends(venue))]);
} finally {
  stopAll();
  rmSync(dir, { recursive: true, force: true });
}

interface Contender {
  readonly wire?: Wire;
  readonly sign: () => readonly Buffer[];
  readonly laps: { readonly result: LoadResult; readonly seconds: number }[];
  readonly halfLaps: LoadResult[];
}

async function orders(venue: Venue): Promise<Figure[]> {
  const traders = await makeTraders(venue, TRADERS);
  const begin = (index: number) => [
    { send: handshake("/v2/spot"), read: httpAnswer },
    { send: requestFrame("server.sign", signParams(traders[index % TRADERS] as Trader)), read: frameAnswer },
  ];
  const frames = Array.from({ length: REQUESTS }, (_, index) => requestFrame("order.place", orderOf(index)));
  const http: Contender = { sign: () => signOrders(traders, REQUESTS), laps: [], halfLaps: [] };
  const sockets: Contender = { wire: { begin, read: frameAnswer }, sign: () => frames, laps: [], halfLaps: [] };
  for (const each of [http, sockets]) {
    await lap(venue, each, 2);
    each.laps.length = 0;
  }
  for (let round = 0; round < ROUNDS; round++) for (const each of [http, sockets]) await lap(venue, each, SECONDS);
  const perSecond = rateOf(http) / 2;
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of [http, sockets]) each.halfLaps.push((await run(venue, each, SECONDS, perSecond)).result);
  }
  const p99 = ({ halfLaps }: Contender) => median(halfLaps.map(({ p99Ms }) => p99Ms));
  const failures = [http, sockets]
    .flatMap(({ laps, halfLaps }) => [...laps.map(({ result }) => result), ...halfLaps])
    .reduce((sum, result) => {
      if (result.firstFailure !== undefined) console.error(`A failure: ${result.firstFailure}`);
      return sum + result.failures;
    }, 0);
  return [
    { name: "processor_ratio", value: processorOf(sockets) / processorOf(http), goal: 0.6, atMost: true },
    { name: "half_load_p99_ratio", value: p99(sockets) / p99(http), goal: 0.6, atMost: true },
    { name: "orders_over_http", value: rateOf(http), unit: "orders/s" },
    { name: "orders_over_sockets", value: rateOf(sockets), unit: "orders/s" },
    { name: "processor_over_http", value: processorOf(http), unit: "µs" },
    { name: "processor_over_sockets", value: processorOf(sockets), unit: "µs" },
    { name: "half_load", value: perSecond, unit: "orders/s" },
    { name: "half_load_p99_over_http", value: p99(http), unit: "ms" },
    { name: "half_load_p99_over_sockets", value: p99(sockets), unit: "ms" },
    { name: "failures", value: failures, gate: 0, atMost: true },
  ];
}

async function run({ pid, port }: Venue, { sign, wire }: Contender, seconds: number, perSecond?: number) {
  // A signature serves for a minute only.
  const requests = sign();
  let at = 0;
  const next = () => requests[at++ % requests.length] as Buffer;
  const before = processorSeconds(pid);
  const result = await load({
    ...{ port, connections: CONNECTIONS, seconds, next },
    ...(wire === undefined ? {} : { wire }),
    ...(perSecond === undefined ? {} : { perSecond }),
  });
  return { result, seconds: processorSeconds(pid) - before };
}

async function lap(venue: Venue, contender: Contender, seconds: number): Promise<void> {
  contender.laps.push(await run(venue, contender, seconds));
}

function rateOf({ laps }: Contender): number {
  return median(laps.map(({ result }) => result.perSecond));
}

/** Microseconds of a processor for one. */
function processorOf({ laps }: Contender): number {
  return median(laps.map(({ result, seconds }) => (seconds * 1e6) / result.answers));
}

/** Connections that end at once: those whose end cancels nothing, and then those whose end cancels an order each. */
async function ends(venue: Venue): Promise<Figure[]> {
  const traders = await makeTraders(venue, Math.ceil(ENDS / PER_ACCOUNT) + 1, "ending", "100000");
  const bystander = traders.pop() as Trader;
  await placeResting(venue, bystander, PER_ACCOUNT);
  const unwatched = await endAll(venue, traders, false);
  for (const trader of traders) await placeResting(venue, trader, PER_ACCOUNT);
  const watched = await endAll(venue, traders, true);
  const left = await openOrders(venue, bystander);
  const placed = traders.length * PER_ACCOUNT;
  return [
    {
      name: "processor_of_1000_orders_gone",
      value: ((watched - unwatched) * 1e6) / placed,
      ...{ unit: "ms", goal: 100, atMost: true },
    },
    {
      name: "with_the_ends_themselves",
      value: (watched * 1e6) / placed,
      ...{ unit: "ms", goal: 100, atMost: true },
    },
    { name: "connections_ended", value: ENDS },
    { name: "orders_of_others_lost", value: PER_ACCOUNT - left, gate: 0, atMost: true },
  ];
}

/** Seconds of a processor that the venue takes from the end of all connections until no order is left. */
async function endAll(venue: Venue, traders: readonly Trader[], isWatched: boolean): Promise<number> {
  const sockets: Socket[] = [];
  for (let from = 0; from < ENDS; from += OPENED_AT_ONCE) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, ENDS - from) }, (_, at) =>
      openSocket(venue, traders[(from + at) % traders.length] as Trader, isWatched),
    );
    sockets.push(...(await Promise.all(some)));
  }
  const before = processorSeconds(venue.pid);
  for (const socket of sockets) socket.destroy();
  if (isWatched) for (const trader of traders) while ((await openOrders(venue, trader)) > 0) await pause(50);
  // The rest of what the ends of connections cost: until nothing is taken any more.
  for (let now = processorSeconds(venue.pid), last = -1; now - last > 0.05; now = processorSeconds(venue.pid)) {
    last = now;
    await pause(500);
  }
  return processorSeconds(venue.pid) - before;
}

function openSocket({ port }: Venue, trader: Trader, isWatched: boolean): Promise<Socket> {
  const steps = [
    { send: handshake("/v2/spot"), read: httpAnswer },
    { send: requestFrame("server.sign", signParams(trader)), read: frameAnswer },
    ...(isWatched ? [{ send: requestFrame("session.cancel_on_disconnect", {}), read: frameAnswer }] : []),
  ];
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    let read = httpAnswer;
    let bytes = Buffer.alloc(0);
    const next = () => {
      const step = steps.shift();
      if (step === undefined) {
        resolve(socket);
        return;
      }
      read = step.read;
      socket.write(step.send);
    };
    socket.on("connect", next);
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const answer = read(bytes);
      if (answer === undefined) return;
      if (read === frameAnswer && !answer.isSuccess) reject(new Error(bytes.toString()));
      bytes = Buffer.alloc(0);
      next();
    });
  });
}

async function placeResting(venue: Venue, trader: Trader, count: number): Promise<void> {
  const orders = Array.from({ length: 20 }, () => ({ ...orderOf(0), price: "20000" }));
  for (let placed = 0; placed < count; placed += orders.length) {
    const rows = (await clientOf(venue, trader).act("/v2/spot/batch-order", { orders })) as { code: number }[];
    if (!rows.every(({ code }) => code === 0)) throw new Error("An order was refused.");
  }
}

async function openOrders(venue: Venue, trader: Trader): Promise<number> {
  const page = { market_type: "SPOT", market: "BTCUSDT", page: 1, limit: 1 };
  return (await clientOf(venue, trader).get("/v2/spot/pending-order", page)).pagination?.total ?? 0;
}

function clientOf({ port }: Venue, { accessId, secretKey: secret }: Trader): ApiClient {
  return new ApiClient(`http://127.0.0.1:${port}`, Date.now, { accessId, secret });
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
