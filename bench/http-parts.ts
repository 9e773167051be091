/**
 * What rate limits and pushes take of the orders that a venue answers: three venues, one without limits and without
 * watchers, one with limits, one with limits and sockets that follow the market, in short turns under the same load; and
 * the last once more when in addition every trader follows its own account, so that each order makes pushes of its own.
 */
import { join } from "node:path";
import { FrameReader } from "./frame-reader.ts";
import { type LoadResult, load } from "./http-load.ts";
import { type Figure, median } from "./report.ts";
import { makeTraders, signOrders, signParams, startVenue, type Trader, UNLIMITED, type Venue } from "./venue.ts";

const CONNECTIONS = 64;
const TRADERS = 32;
const REQUESTS = 10_000;
/** Signatures hold for a minute. */
const SIGNED_FOR_MS = 30_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1);
const WARM_UP_SECONDS = 3;
/** Sockets that follow state, depth, deals and best quotes. */
const WATCHERS = 20;
/** Rate limits and pushes together may take a twentieth. */
const GATE = 0.95;

interface Part {
  readonly venue: Venue;
  readonly traders: readonly Trader[];
  /** Signed beforehand and used in turn, for as long as the signatures hold. */
  orders: readonly Buffer[];
  signedAtMs: number;
  readonly laps: LoadResult[];
}

export async function partFigures(dir: string): Promise<Figure[]> {
  const plain = await partOf(join(dir, "plain"), ["--limits", "off"]);
  const limited = await partOf(join(dir, "limited"), UNLIMITED);
  const watched = await partOf(join(dir, "watched"), UNLIMITED);
  const watchers = await Promise.all(Array.from({ length: WATCHERS }, () => watchMarket(watched.venue)));
  for (const part of [plain, limited, watched]) await lap(part, WARM_UP_SECONDS);
  await takeTurns([plain, limited, watched]);
  const framesOfMarket = watchers.reduce((sum, { frames }) => sum + frames, 0);

  const apart: Part = { ...plain, laps: [] };
  const followed: Part = { ...watched, laps: [] };
  const owners = await Promise.all(watched.traders.map((trader) => watchAccount(watched.venue, trader)));
  await lap(followed, WARM_UP_SECONDS);
  await takeTurns([apart, followed]);

  const failures = [plain, limited, watched, followed].flatMap(({ laps }) => laps);
  return [
    { name: "ratio_with_limits", value: ratio(limited, plain), gate: GATE },
    { name: "ratio_with_limits_and_watchers", value: ratio(watched, plain), gate: GATE },
    { name: "ratio_when_every_trader_follows_its_account", value: ratio(followed, apart) },
    { name: "orders_plain", value: median(plain.laps.map(({ perSecond }) => perSecond)), unit: "orders/s" },
    { name: "frames_to_watchers", value: framesOfMarket, unit: "frames" },
    { name: "frames_to_owners", value: owners.reduce((sum, { frames }) => sum + frames, 0), unit: "frames" },
    { name: "failures", value: failures.reduce((sum, lap) => sum + lap.failures, 0), gate: 0, atMost: true },
  ];
}

async function partOf(data: string, settings: readonly string[]): Promise<Part> {
  const venue = await startVenue(data, settings);
  const traders = await makeTraders(venue, TRADERS);
  return { venue, traders, orders: [], signedAtMs: Number.NEGATIVE_INFINITY, laps: [] };
}

/** Each part in turn, and then in the opposite order, so that none always follows the same one. */
async function takeTurns(parts: readonly Part[]): Promise<void> {
  for (const part of parts) part.laps.length = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const part of round % 2 === 0 ? parts : parts.toReversed()) await lap(part, SECONDS);
  }
}

async function lap(part: Part, seconds: number): Promise<void> {
  if (performance.now() > part.signedAtMs + SIGNED_FOR_MS) {
    part.orders = signOrders(part.traders, REQUESTS);
    part.signedAtMs = performance.now();
  }
  const { venue, orders } = part;
  let at = 0;
  const next = () => orders[at++ % orders.length] as Buffer;
  part.laps.push(await load({ port: venue.port, connections: CONNECTIONS, seconds, next }));
}

/** Median over the rounds. */
function ratio(part: Part, base: Part): number {
  return median(part.laps.map(({ perSecond }, round) => perSecond / (base.laps[round] as LoadResult).perSecond));
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
