/**
 * Futures in the engine. The mix of mix.ts over futures markets against the same mix over spot markets in the same run;
 * and what one mark change costs with 1,000 and with 100,000 open positions, none of which is near liquidation. With
 * `--counted`, machine instructions a command of both mixes instead, by `perf stat` or valgrind.
 */
import { encodeCommand } from "../src/engine/command.ts";
import type { Engine } from "../src/engine/engine.ts";
import { WordBuffer } from "../src/engine/words.ts";
import { MID, MIX_SEED, mixOf } from "./mix.ts";
import { reportCounted } from "./paths/counted.ts";
import { PATHS } from "./paths/messages.ts";
import { venueWith } from "./positions.ts";
import { report } from "./report.ts";
import { indexPrice, makeWorkload, newVenue, PRELOADED, type Workload } from "./workload.ts";

const COMMANDS = Number(process.env.BENCH_COMMANDS ?? 400_000);
const SLICES = 20;
/** Mark changes that are timed together. */
const CHANGES = 200;
const FEW = 1_000;
const MANY = 100_000;

if (process.argv.includes("--counted")) {
  await reportCounted("futures", ["futures", "spot"], PATHS);
  process.exit();
}

const mix = compareMixes();
const marks = compareMarks();

report("futures", [
  { name: "ratio_to_spot", value: mix.ratio, goal: 0.5 },
  { name: "futures", value: mix.futures, unit: "commands/s" },
  { name: "spot", value: mix.spot, unit: "commands/s" },
  { name: "open_positions", value: mix.positions },
  { name: "mark_change_of_100_000_to_1_000", value: marks.ratio, goal: 2, atMost: true },
  { name: "mark_change_1_000_positions", value: marks.few, unit: "µs" },
  { name: "mark_change_100_000_positions", value: marks.many, unit: "µs" },
]);

/** Commands a second of both mixes, which take turns slice by slice; medians over the slices. */
function compareMixes(): { ratio: number; futures: number; spot: number; positions: number } {
  const lists = (["futures", "spot"] as const).map((account) => {
    const shape = mixOf(account);
    const list = makeWorkload(COMMANDS, MIX_SEED, shape);
    const engine = newVenue(shape.setup);
    run(engine, list, 0, PRELOADED);
    return { engine, list, rates: [] as number[] };
  });
  const perSlice = Math.floor(COMMANDS / SLICES);
  for (let slice = 0; slice < SLICES; slice++) {
    // Who goes first finds the caches cold, so they take that in turns too.
    for (const each of slice % 2 === 0 ? lists : lists.toReversed()) {
      each.rates.push(perSlice / run(each.engine, each.list, PRELOADED + slice * perSlice, perSlice));
    }
  }
  const [futures, spot] = lists as [(typeof lists)[0], (typeof lists)[0]];
  const ratio = median(futures.rates.map((rate, slice) => rate / (spot.rates[slice] as number)));
  const positions = futures.engine.state.futures.positions.live;
  return { ratio, futures: median(futures.rates), spot: median(spot.rates), positions };
}

/** Microseconds of one mark change in venues with few and with many positions, which take turns. */
function compareMarks(): { ratio: number; few: number; many: number } {
  const venues = [FEW, MANY].map((positions) => ({ engine: venueWith(positions), times: [] as number[] }));
  for (let slice = 0; slice < SLICES * 2; slice++) {
    for (const each of slice % 2 === 0 ? venues : venues.toReversed()) each.times.push(timeMarks(each.engine));
  }
  // The first half is for warming up.
  const [few, many] = venues.map(({ times }) => times.slice(SLICES)) as [number[], number[]];
  return {
    ratio: median(many.map((time, slice) => time / (few[slice] as number))),
    few: median(few),
    many: median(many),
  };
}

function timeMarks(engine: Engine): number {
  const records = new WordBuffer(1_024);
  const starts = [0, 700].map((offset) => encodeCommand(records, indexPrice("M0USDT", "futures", MID + offset)));
  const before = engine.state.futures.live.mark(0);
  const from = process.hrtime.bigint();
  for (let change = 0; change < CHANGES; change++) {
    if ((change & 63) === 0) engine.events.clear();
    engine.apply(records, starts[(change + 1) % 2] as number, engine.state.seq + 1, 1);
  }
  const took = Number(process.hrtime.bigint() - from) / 1_000 / CHANGES;
  engine.events.clear();
  if (engine.state.futures.live.mark(0) !== BigInt(MID) || before !== BigInt(MID)) {
    throw new Error("The mark did not move as it should.");
  }
  return took;
}

/** Seconds that the engine takes for so many commands of the list. */
function run(engine: Engine, { records, starts }: Workload, from: number, commands: number): number {
  let { seq } = engine.state;
  const started = process.hrtime.bigint();
  for (let index = from; index < from + commands; index++) {
    if ((index & 63) === 0) engine.events.clear();
    engine.apply(records, starts[index] as number, ++seq, 1);
  }
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] as number;
}
