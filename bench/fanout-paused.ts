/**
 * 1,000 sockets that do not read beside 100 that do: how long updates take to those that read, against those of a
 * second server without the others, in turns; and what the others cost in memory until they are cut.
 */
import { Contender } from "./fanout-contender.ts";
import { type Mode, type Ran, UPDATES } from "./fanout-orders.ts";
import { type Figure, median, quantile } from "./report.ts";

const HEALTHY = 100;
const PAUSED = 1_000;
/** How often paused sockets come anew. */
const ROUNDS = Number(process.env.BENCH_PAUSED_ROUNDS ?? 3);
/**
 * A window is short, so that what else the machine does falls on both servers; in so many of them nobody is cut yet.
 */
const WINDOWS = 12;
const WINDOW_MS = 250;
const TICK_MS = 10;
/**
 * Floods fill what the system itself keeps for a socket, which is not the venue's memory, and later the rest up to the
 * cut.
 */
const FLOOD_MS = 200;
const FLOOD_TICK_MS = 20;
const FLOODS_MAX = 500;
const MIB = 1_048_576;
/** What the contract lets wait for one socket, and what all of them together may cost beside that. */
const BACKLOG_MIB = 1;
const MEMORY_SPARE_MIB = 64;
const MODE: Mode = "joined";

interface Watch {
  /** ms from a tick's first command to its last byte at the reader: quantiles of each window. */
  readonly p50s: number[];
  readonly p99s: number[];
  cpuMs: number;
  ticks: number;
  rssBytesMax: number;
}

export async function pausedFigures(): Promise<Figure[]> {
  const calm = await Contender.start("bourse");
  const beset = await Contender.start("bourse");
  try {
    for (const server of [calm, beset]) {
      server.readers.push(...(await server.connect(HEALTHY, MODE)));
      await server.run({ mode: MODE, ms: 2_000, everyMs: TICK_MS });
    }
    const alone: Watch = { p50s: [], p99s: [], cpuMs: 0, ticks: 0, rssBytesMax: 0 };
    const beside: Watch = { p50s: [], p99s: [], cpuMs: 0, ticks: 0, rssBytesMax: 0 };
    let cut = 0;
    let memoryBytes = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { rssBytes } = await beset.look();
      const paused = await beset.connect(PAUSED, MODE);
      for (const { socket } of paused) socket.pause();
      await flood(beset, beside, async () => (await beset.look()).backlogged === PAUSED);
      for (let window = 0; window < WINDOWS; window++) {
        const [first, second] = window % 2 === 0 ? [calm, beset] : [beset, calm];
        await watch(first, first === calm ? alone : beside);
        await watch(second, second === calm ? alone : beside);
      }
      await flood(beset, beside, async () => (await beset.look()).sockets === HEALTHY);
      cut += HEALTHY + PAUSED - (await beset.look()).sockets;
      memoryBytes = Math.max(memoryBytes, beside.rssBytesMax - rssBytes);
      for (const { socket } of paused) socket.destroy();
    }
    return figuresOf(alone, beside, cut / ROUNDS, memoryBytes / MIB);
  } finally {
    calm.stop();
    beset.stop();
  }
}

/** Medians over the windows: what stalls the machine in one of them says nothing of the others. */
function figuresOf(alone: Watch, beside: Watch, cut: number, memoryMib: number): Figure[] {
  const ratio = (field: "p50s" | "p99s") =>
    median(beside[field].map((ms, window) => ms / (alone[field][window] as number)));
  const cpu = ({ cpuMs, ticks }: Watch) => cpuMs / ticks;
  const most = PAUSED * BACKLOG_MIB + MEMORY_SPARE_MIB;
  return [
    { name: "paused_p99_ratio", value: ratio("p99s"), gate: 1.1, atMost: true },
    { name: "paused_p50_ratio", value: ratio("p50s") },
    { name: "healthy_p50_alone", value: median(alone.p50s), unit: "ms" },
    { name: "healthy_p50_beside_paused", value: median(beside.p50s), unit: "ms" },
    { name: "healthy_p99_alone", value: median(alone.p99s), unit: "ms" },
    { name: "healthy_p99_beside_paused", value: median(beside.p99s), unit: "ms" },
    { name: "tick_cpu_alone", value: cpu(alone), unit: "ms" },
    { name: "tick_cpu_beside_paused", value: cpu(beside), unit: "ms" },
    { name: "paused_cut", value: cut, unit: "sockets", gate: PAUSED },
    { name: "paused_memory", value: memoryMib, unit: "MiB", gate: most, atMost: true },
  ];
}

/** Sends much, until it is enough. */
async function flood(server: Contender, into: Watch, isEnough: () => Promise<boolean>): Promise<void> {
  for (let floods = 0; floods < FLOODS_MAX && !(await isEnough()); floods++) {
    const { rssBytesMax } = await server.run({ mode: "flood", ms: FLOOD_MS, everyMs: FLOOD_TICK_MS });
    into.rssBytesMax = Math.max(into.rssBytesMax, rssBytesMax);
  }
}

async function watch(server: Contender, into: Watch): Promise<void> {
  const updates = UPDATES[MODE];
  for (const reader of server.readers) reader.noteArrivals((2 * WINDOW_MS * updates) / TICK_MS);
  const ran = await server.run({ mode: MODE, ms: WINDOW_MS, everyMs: TICK_MS });
  const latencies = server.readers.flatMap((reader) => latenciesOf(reader.takeArrivals(), ran, updates));
  latencies.sort((left, right) => left - right);
  into.p50s.push(quantile(latencies, 0.5));
  into.p99s.push(quantile(latencies, 0.99));
  into.cpuMs += ran.cpuMs;
  into.ticks += ran.ticks;
  into.rssBytesMax = Math.max(into.rssBytesMax, ran.rssBytesMax);
}

function latenciesOf(arrivals: Float64Array, { beganUs }: Ran, updates: number): number[] {
  return beganUs.map((began, tick) => ((arrivals[(tick + 1) * updates - 1] as number) - began) / 1_000);
}
