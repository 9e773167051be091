/**
 * What the watchers of a busy market are sent: depth, deals and best quotes to 200 sockets, the whole way from commands
 * in the engine, against the package ws calling `send` per client with the same bytes, ready-made. Both in one run, in
 * turns, each in a process of its own and both read by this one. Then 1,000 sockets that do not read beside 100 that
 * do.
 */
import { Contender, type Lap } from "./fanout-contender.ts";
import type { Mode } from "./fanout-orders.ts";
import { pausedFigures } from "./fanout-paused.ts";
import { type Figure, median, report } from "./report.ts";

const SOCKETS = 200;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 21);
const WARM_UP_MS = 2_000;
const LAP_MS = Number(process.env.BENCH_LAP_MS ?? 250);

report("fanout", [...(await race("apart")), ...(await race("joined")), ...(await pausedFigures())]);
// Sockets of servers that have ended would keep this process for a while.
process.exit();

async function race(mode: Mode): Promise<Figure[]> {
  const bourse = await Contender.start("bourse");
  const bare = await Contender.start("bare");
  try {
    // What makes the updates runs a two-hundredth as often as what sends them, so it is warmed up with one socket
    // first.
    bourse.readers.push(...(await bourse.connect(1, mode)));
    await bourse.lap(mode, WARM_UP_MS);
    await bare.load(mode, await bourse.record(mode));
    for (const each of [bourse, bare]) each.readers.push(...(await each.connect(SOCKETS - each.readers.length, mode)));
    const ours: Lap[] = [];
    const theirs: Lap[] = [];
    // The first round warms both up. Who goes first changes with each round.
    for (let round = 0; round <= ROUNDS; round++) {
      if (round % 2 === 0) theirs.push(await bare.lap(mode, LAP_MS));
      ours.push(await bourse.lap(mode, LAP_MS));
      if (round % 2 === 1) theirs.push(await bare.lap(mode, LAP_MS));
    }
    return figuresOf(mode, ours.slice(1), theirs.slice(1));
  } finally {
    bourse.stop();
    bare.stop();
  }
}

function figuresOf(mode: Mode, ours: readonly Lap[], theirs: readonly Lap[]): Figure[] {
  const ratio = (field: keyof Lap) => median(ours.map((lap, round) => lap[field] / (theirs[round] as Lap)[field]));
  const of = (laps: readonly Lap[], field: keyof Lap) => median(laps.map((lap) => lap[field]));
  return [
    { name: `${mode}_ratio`, value: ratio("framesPerSecond"), gate: 1, goal: mode === "apart" ? 1.2 : 4 },
    { name: `${mode}_ratio_of_cpu_time`, value: ratio("cpuUsPerFrame") },
    { name: `${mode}_bourse`, value: of(ours, "framesPerSecond"), unit: "frames/s" },
    { name: `${mode}_bare_ws`, value: of(theirs, "framesPerSecond"), unit: "frames/s" },
    { name: `${mode}_bourse_cpu`, value: of(ours, "cpuUsPerFrame"), unit: "µs/frame" },
    { name: `${mode}_bare_ws_cpu`, value: of(theirs, "cpuUsPerFrame"), unit: "µs/frame" },
    { name: `${mode}_frame`, value: of(ours, "bytesPerFrame"), unit: "bytes" },
  ];
}
