/**
 * `npm run bench scale`: what one node costs as it grows in users, markets and open orders, by one of them at a time.
 * `--sizes '[{"users":1000,"markets":1,"orders":1000}]'` tries others.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Figure, report } from "../report.ts";
import type { Cost, Size } from "./case.ts";

const SIZES: readonly Size[] = [
  { users: 10_000, markets: 1, orders: 10_000 },
  { users: 100_000, markets: 1, orders: 10_000 },
  { users: 1_000_000, markets: 1, orders: 10_000 },
  { users: 10_000, markets: 100, orders: 10_000 },
  { users: 10_000, markets: 1_000, orders: 10_000 },
  { users: 100_000, markets: 1, orders: 1_000_000 },
  { users: 1_000_000, markets: 1, orders: 2_000_000 },
  { users: 100_000, markets: 1, orders: 10_000_000 },
];
const CASE = fileURLToPath(new URL("case.ts", import.meta.url));
const KINDS = ["users", "markets", "orders"] as const;
/** ms that everybody may be kept waiting by what comes by the clock. */
const PAUSE_MS_MAX = 50;

/** ms that a copy of the state may keep everybody waiting, with a million users and two million orders. */
const TURN_MS_MAX = 100;

const { sizes: asked } = parseArgs({ options: { sizes: { type: "string" }, json: { type: "boolean" } } }).values;
const sizes = asked === undefined ? SIZES : (JSON.parse(asked) as Size[]);
const HEADS = [
  "users",
  "markets",
  "orders",
  "memory, MB",
  "order, µs",
  "price, µs",
  "tick, µs",
  "beat, ms",
  "dearest tick, ms",
];
const MORE = ["check, ms", "snapshot, ms", "longest turn, ms", "snapshot, MB", "load, ms"];
// As it stands in docs/background/performance.md, a row as soon as it is known.
console.log(rowOf([...HEADS, ...MORE]));
console.log(rowOf([...HEADS, ...MORE].map(() => "---")));
const tried = sizes.map((size) => {
  const cost = costOf(size);
  console.log(rowOf(cellsOf(size, cost)));
  return { size, cost };
});
report("scale", figuresOf());

function costOf(size: Size): Cost {
  const flags = [...process.execArgv, "--expose-gc", "--max-old-space-size=6000"];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, CASE, JSON.stringify(size)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (!stdout.startsWith("{")) throw new Error(`A venue of ${JSON.stringify(size)} came to nothing: ${stderr}`);
  return JSON.parse(stdout) as Cost;
}

function cellsOf(size: Size, cost: Cost): string[] {
  return [
    ...KINDS.map((kind) => size[kind].toLocaleString("en-US")),
    ...[cost.memory / 1e6, cost.orderUs, cost.indexUs, cost.tickUs, cost.beatMs, cost.dearestTickMs].map(rounded),
    ...[cost.checkMs, cost.takeMs, cost.longestTurnMs, cost.snapshotBytes / 1e6, cost.loadMs].map(rounded),
  ];
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(2);
}

function figuresOf(): Figure[] {
  const smallest = tried[0] as (typeof tried)[number];
  return tried.flatMap(({ size, cost }): Figure[] => {
    const name = KINDS.map((kind) => `${size[kind]}_${kind}`).join("_");
    const grown = KINDS.filter((kind) => size[kind] > smallest.size[kind]);
    const added = grown.reduce((sum, kind) => sum + size[kind] - smallest.size[kind], 0);
    return [
      { name: `memory_${name}`, value: cost.memory / 1e6, unit: "MB" },
      ...(grown.length === 1
        ? [{ name: `bytes_each_${name}`, value: (cost.memory - smallest.cost.memory) / added, unit: "B" }]
        : []),
      { name: `build_${name}`, value: cost.buildS, unit: "s" },
      { name: `order_${name}`, value: cost.orderUs, unit: "µs" },
      { name: `price_${name}`, value: cost.indexUs, unit: "µs" },
      { name: `tick_${name}`, value: cost.tickUs, unit: "µs" },
      { name: `beat_${name}`, value: cost.beatMs, unit: "ms" },
      { name: `dearest_tick_${name}`, value: cost.dearestTickMs, unit: "ms", goal: PAUSE_MS_MAX, atMost: true },
      { name: `check_${name}`, value: cost.checkMs, unit: "ms" },
      { name: `snapshot_take_${name}`, value: cost.takeMs, unit: "ms" },
      {
        name: `snapshot_turn_${name}`,
        value: cost.longestTurnMs,
        unit: "ms",
        gate: TURN_MS_MAX,
        goal: 20,
        atMost: true,
      },
      { name: `snapshot_size_${name}`, value: cost.snapshotBytes / 1e6, unit: "MB" },
      { name: `snapshot_load_${name}`, value: cost.loadMs, unit: "ms" },
    ];
  });
}
