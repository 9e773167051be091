/**
 * The cost of a tick with 1,000 futures markets, of which 50 have changed since the last one: processor time of such a
 * tick, of one without a change, and of the first under rules that sampled once a minute. All take turns in one
 * process; the difference between the first and the last is what sampling costs. The books that are read are counted,
 * too.
 */
import { type Command, encodeCommand } from "../src/engine/command.ts";
import type { Engine } from "../src/engine/engine.ts";
import { WordBuffer } from "../src/engine/words.ts";
import { median, report } from "./report.ts";
import { indexPrice, newVenue } from "./workload.ts";

const MARKETS = 1_000;
const CHANGED = 50;
/** Prices of a side, a tick apart; an impact price reads ten of them. */
const LEVELS = 20;
const MID = 3_000_000;
const TICKS = Number(process.env.BENCH_TICKS ?? 1_000);
const SLICE = 10;
const START_MS = 30_000;
/** The last rules that sampled once a minute. */
const RULES_BEFORE = 4;

const CONTRACT = {
  kind: "list_market",
  baseCcy: "BTC",
  quoteCcy: "USDT",
  marketType: "FUTURES",
  contractType: "linear",
  amountPrecision: 6,
  pricePrecision: 2,
  minAmount: "0.000001",
  makerFeeRate: "0.0003",
  takerFeeRate: "0.0005",
  tickSize: "0.01",
  leverages: [1, 10, 100],
  levels: [{ amount: "10", leverage: 100, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" }],
} as const;

/** A venue with 1,000 books, the clock of which ticks. */
class Ticking {
  readonly #engine: Engine;
  readonly #records = new WordBuffer(64);
  readonly #tick: number;
  /** By market, an order that moves from one price to the next and back. */
  readonly #moving: number[] = [];
  #timeMs = START_MS;
  #turn = 0;

  constructor(rulesVersion: number | undefined) {
    const setup: Command[] = ["BTC", "USDT"].map((ccy) => ({ kind: "list_asset", ccy, scale: 8 }));
    for (let market = 0; market < MARKETS; market++) {
      setup.push({ ...CONTRACT, market: `M${market}USDT` }, indexPrice(`M${market}USDT`, "futures", MID));
    }
    setup.push({ kind: "create_user", name: "maker" });
    setup.push({ kind: "deposit", userId: 1, ccy: "USDT", amount: "1000000000", note: "bench" });
    setup.push({ kind: "transfer", userId: 1, from: "SPOT", to: "FUTURES", ccy: "USDT", amount: "1000000000" });
    for (let market = 0; market < MARKETS; market++) {
      for (let level = 1; level <= LEVELS; level++) {
        setup.push(order(market, "buy", -level), order(market, "sell", level));
      }
    }
    this.#engine = newVenue(setup);
    if (rulesVersion !== undefined) this.#engine.state.rulesVersion = rulesVersion;
    for (let market = 0; market < MARKETS; market++) this.#moving.push(1 + market * LEVELS * 2);
    this.#tick = encodeCommand(this.#records, { kind: "tick" });
  }

  /** How many books have been read so far. */
  get readings(): number {
    return this.#engine.state.futures.samplings;
  }

  /** Microseconds of processor time of a tick, of so many with so many changed markets before each. */
  ticks(count: number, changes: number): number {
    const engine = this.#engine;
    let took = 0;
    for (let tick = 0; tick < count; tick++) {
      // An index that nobody speaks of for a minute would be stale.
      if (this.#timeMs % 30_000 === 0) this.#speak();
      this.#timeMs += 500;
      for (let change = 0; change < changes; change++) this.#move();
      this.#timeMs += 500;
      engine.events.clear();
      const from = process.cpuUsage();
      engine.apply(this.#records, this.#tick, engine.state.seq + 1, this.#timeMs);
      const { user, system } = process.cpuUsage(from);
      took += user + system;
    }
    return took / count;
  }

  #speak(): void {
    for (let market = 0; market < MARKETS; market++) this.#tell(indexPrice(`M${market}USDT`, "futures", MID));
  }

  /** The best bid of the next market goes to the other of its two prices. */
  #move(): void {
    const marketId = this.#turn % MARKETS;
    const isBack = Math.floor(this.#turn / MARKETS) % 2 === 1;
    this.#turn++;
    const price = BigInt(isBack ? MID - 1 : MID - 2);
    this.#tell({ kind: "modify_order", userId: 1, marketId, orderId: this.#moving[marketId] as number, price });
  }

  #tell(command: Command): void {
    const engine = this.#engine;
    const outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs: this.#timeMs });
    if (outcome.refusal !== 0) throw new Error(`Refused: ${outcome.detail ?? command.kind}.`);
    engine.events.clear();
  }
}

function order(marketId: number, side: "buy" | "sell", offset: number): Command {
  return {
    kind: "place_order",
    userId: 1,
    marketId,
    account: "futures",
    side,
    type: "limit",
    amountIn: "base",
    amount: 10_000n,
    price: BigInt(MID + offset),
    hidden: false,
    stpMode: "none",
    clientId: "",
  };
}

const kinds = (["changed", "unchanged", "before"] as const).map((name) => ({
  venue: new Ticking(name === "before" ? RULES_BEFORE : undefined),
  changes: name === "unchanged" ? 0 : CHANGED,
  times: [] as number[],
  readings: [] as number[],
}));
for (let slice = 0; slice < TICKS / SLICE; slice++) {
  // Who goes first finds the caches cold, so they take that in turns too.
  for (const kind of slice % 2 === 0 ? kinds : kinds.toReversed()) {
    const before = kind.venue.readings;
    kind.times.push(kind.venue.ticks(SLICE, kind.changes));
    kind.readings.push((kind.venue.readings - before) / SLICE);
  }
}
// The first half is for warming up.
const later = (figures: readonly number[]) => median(figures.slice(figures.length >> 1));
const [changed, unchanged, before] = kinds.map(({ times, readings }) => ({
  time: later(times),
  readings: later(readings),
})) as [Figures, Figures, Figures];

interface Figures {
  readonly time: number;
  readonly readings: number;
}

report("sampling", [
  { name: "sampling", value: changed.time - before.time, unit: "µs", goal: 1_000, atMost: true },
  { name: "tick_50_changed", value: changed.time, unit: "µs" },
  { name: "tick_unchanged", value: unchanged.time, unit: "µs" },
  { name: "tick_without_sampling", value: before.time, unit: "µs" },
  { name: "ratio_to_tick_without_sampling", value: changed.time / before.time },
  { name: "books_read_50_changed", value: changed.readings, gate: 2 * CHANGED, atMost: true },
  { name: "books_read_unchanged", value: unchanged.readings, gate: 0, atMost: true },
]);
