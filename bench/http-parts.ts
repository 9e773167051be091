/**
 * What rate limits and pushes take of the orders that a venue answers: three venues, one without limits and without
 * watchers, one with limits, one with limits and sockets that follow the market, in short turns under the same load;
 * and the last once more when in addition every trader follows its own account, so that each order makes pushes of its
 * own. The load shares the machine, so the venue's processor time for an order is compared as well. Where there is a
 * Redis, a fourth venue has its limits there, shared with nobody: each order goes there and back.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { QuotaServerProcess, withoutQuotaServer } from "../test/support/quota-server.ts";
import { FrameReader } from "./frame-reader.ts";
import { type LoadResult, load } from "./http-load.ts";
import { type Figure, median } from "./report.ts";
import {
  makeTraders,
  processorSeconds,
  signOrders,
  signParams,
  startVenue,
  type Trader,
  UNLIMITED,
  type Venue,
} from "./venue.ts";

const CONNECTIONS = 64;
const TRADERS = 32;
const REQUESTS = 10_000;
/** Signatures hold for a minute. */
const SIGNED_FOR_MS = 30_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1);
const WARM_UP_SECONDS = 3;
const REST_MS = 300;
/** Sockets that follow state, depth, deals and best quotes. */
const WATCHERS = 20;
/** Rate limits and pushes together may take a twentieth of the orders, */
const GATE = 0.95;
/** and what the traders are told of their accounts a quarter. */
const GOAL_OF_OWNERS = 0.75;

interface Part {
  readonly venue: Venue;
  readonly traders: readonly Trader[];
  /** Signed beforehand and used in turn, for as long as the signatures hold. */
  orders: readonly Buffer[];
  signedAtMs: number;
  readonly laps: Lap[];
}

interface Lap extends LoadResult {
  /** Processor time of the whole venue for an order. */
  readonly processorUs: number;
}

export async function partFigures(dir: string): Promise<Figure[]> {
  const plain = await partOf(join(dir, "plain"), ["--limits", "off"]);
  const limited = await partOf(join(dir, "limited"), UNLIMITED);
  const watched = await partOf(join(dir, "watched"), UNLIMITED);
  const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => watchMarket(watched.venue)));
  const server = withoutQuotaServer() === false ? await QuotaServerProcess.start() : undefined;
  const shared = server && (await partOf(join(dir, "shared"), [...UNLIMITED, "--quotas", server.url]));
  const parts = [plain, limited, watched, ...(shared === undefined ? [] : [shared])];
  for (const part of parts) await lap(part, WARM_UP_SECONDS);
  const withLimits = await compare(limited, plain);
  const withShared = shared && (await compare(shared, limited));
  const withWatchers = await compare(watched, plain);
  const framesOfMarket = framesOf(watchers);
  const owners = await Promise.all(watched.traders.map((trader) => watchAccount(watched.venue, trader)));
  await lap(watched, WARM_UP_SECONDS);
  const withOwners = await compare(watched, plain);

  await server?.close();
  const laps = parts.flatMap((part) => part.laps);
  const p50Of = (part: Part) => median(part.laps.map(({ p50Ms }) => p50Ms));
  return [
    { name: "ratio_with_limits", value: withLimits.perSecond, gate: GATE },
    { name: "ratio_with_limits_and_watchers", value: withWatchers.perSecond, gate: GATE },
    { name: "ratio_when_every_trader_follows_its_account", value: withOwners.perSecond, goal: GOAL_OF_OWNERS },
    { name: "processor_with_limits", value: withLimits.processorUs },
    { name: "processor_with_limits_and_watchers", value: withWatchers.processorUs },
    { name: "processor_when_every_trader_follows_its_account", value: withOwners.processorUs },
    ...(shared === undefined || withShared === undefined
      ? []
      : [
          { name: "ratio_of_shared_to_own_quotas", value: withShared.perSecond },
          { name: "orders_p50_own_quotas", value: p50Of(limited), unit: "ms" },
          { name: "orders_p50_shared_quotas", value: p50Of(shared), unit: "ms" },
        ]),
    { name: "orders_plain", value: median(plain.laps.map(({ perSecond }) => perSecond)), unit: "orders/s" },
    { name: "frames_to_watchers", value: framesOfMarket, unit: "frames" },
    { name: "frames_to_owners", value: framesOf(owners), unit: "frames" },
    { name: "failures", value: laps.reduce((sum, lap) => sum + lap.failures, 0), gate: 0, atMost: true },
  ];
}

type Compared = Readonly<Record<"perSecond" | "processorUs", number>>;

/**
 * Orders a second of a part over those of another beside it, and the processor time of an order over that of one there:
 * the median over pairs of laps, of which now one comes first, now the other.
 */
async function compare(part: Part, base: Part): Promise<Compared> {
  const pairs: [Lap, Lap][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const early = round % 2 === 0 ? undefined : await lap(base, SECONDS);
    const own = await lap(part, SECONDS);
    pairs.push([own, early ?? (await lap(base, SECONDS))]);
  }
  const ratio = (field: keyof Compared) => median(pairs.map(([own, other]) => own[field] / other[field]));
  return { perSecond: ratio("perSecond"), processorUs: ratio("processorUs") };
}

function framesOf(readers: readonly FrameReader[]): number {
  return readers.reduce((sum, { frames }) => sum + frames, 0);
}

async function partOf(data: string, settings: readonly string[]): Promise<Part> {
  const venue = await startVenue(data, settings);
  const traders = await makeTraders(venue, TRADERS);
  return { venue, traders, orders: [], signedAtMs: Number.NEGATIVE_INFINITY, laps: [] };
}

/** Begins after a moment in which the venue that went before comes to an end with its history. */
async function lap(part: Part, seconds: number): Promise<Lap> {
  await sleep(REST_MS);
  if (performance.now() > part.signedAtMs + SIGNED_FOR_MS) {
    part.orders = signOrders(part.traders, REQUESTS);
    part.signedAtMs = performance.now();
  }
  const { venue, orders } = part;
  let at = 0;
  const next = () => orders[at++ % orders.length] as Buffer;
  const before = processorSeconds(venue.pid);
  const result = await load({ port: venue.port, connections: CONNECTIONS, seconds, next });
  const processorUs = ((processorSeconds(venue.pid) - before) * 1_000_000) / result.answers;
  const made = { ...result, processorUs };
  part.laps.push(made);
  return made;
}

async function watchMarket({ port }: Venue): Promise<FrameReader> {
  const reader = await FrameReader.connect(port, "/v2/spot");
  for (const channel of ["state", "deals", "bbo"]) subscribe(reader, channel, ["BTCUSDT"]);
  subscribe(reader, "depth", [["BTCUSDT", 50, "0", false]]);
  return reader;
}

async function watchAccount({ port }: Venue, trader: Trader): Promise<FrameReader> {
  const reader = await FrameReader.connect(port, "/v2/spot");
  reader.send(JSON.stringify({ id: 1, method: "server.sign", params: signParams(trader) }));
  for (const channel of ["order", "user_deals"]) subscribe(reader, channel, []);
  reader.send('{"id":1,"method":"balance.subscribe","params":{"ccy_list":[]}}');
  return reader;
}

function subscribe(reader: FrameReader, channel: string, markets: readonly unknown[]): void {
  reader.send(JSON.stringify({ id: 1, method: `${channel}.subscribe`, params: { market_list: markets } }));
}
