/**
 * Futures in the engine. The mix of W1 - new orders, cancels, moves - over 20 markets with index updates in between, by
 * 1,000 users half of whom trade on cross and half on isolated margin, against the same mix over 20 spot markets in the same
 * run; and what one mark change costs with 1,000 and with 100,000 open positions, none of which is near liquidation.
 */
import { type Command, encodeCommand } from "../src/engine/command.ts";
import type { Engine } from "../src/engine/engine.ts";
import { WordBuffer } from "../src/engine/words.ts";
import { report } from "./report.ts";
import { indexPrice, makeWorkload, newVenue, PRELOADED, USERS, type Workload } from "./workload.ts";

const COMMANDS = Number(process.env.BENCH_COMMANDS ?? 400_000);
const SLICES = 20;
const MARKETS = 20;
/** One command in so many is an index update: twenty markets that hear of a price every second, under some load. */
const INDEX_EVERY = 200;
/** Mark changes that are timed together. */
const CHANGES = 200;
const MID = 3_000_000;
const FEW = 1_000;
const MANY = 100_000;

const CONTRACT = {
  marketType: "FUTURES",
  contractType: "linear",
  tickSize: "0.01",
  leverages: [1, 10, 100],
  levels: [
    { amount: "1000", leverage: 100, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" },
    { amount: "4000", leverage: 10, maintenanceMarginRate: "0.05", minInitialMarginRate: "0.1" },
  ],
};

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
    const setup = setupOf(account, USERS);
    const list = makeWorkload(COMMANDS, 20_265, { setup, markets: MARKETS, account, indexEvery: INDEX_EVERY });
    const engine = newVenue(setup);
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

/** A venue with so many open positions, each user holding one in every market, half of them on isolated margin. */
function venueWith(positions: number): Engine {
  const users = positions / MARKETS;
  const engine = newVenue(setupOf("futures", users));
  for (let marketId = 0; marketId < MARKETS; marketId++) {
    for (let userId = 1; userId <= users; userId++) {
      const side = userId % 2 === 0 ? "buy" : "sell";
      const outcome = engine.execute(
        {
          kind: "place_order",
          userId,
          marketId,
          account: "futures",
          side,
          type: "limit",
          amountIn: "base",
          amount: 1_000n,
          price: BigInt(MID),
          hidden: false,
          stpMode: "none",
          clientId: "",
        },
        { seq: engine.state.seq + 1, timeMs: 1 },
      );
      if (outcome.refusal !== 0) throw new Error(`The order of user ${userId} was refused.`);
      engine.events.clear();
    }
  }
  if (engine.state.futures.positions.live !== positions) throw new Error("Not all positions were opened.");
  return engine;
}

/** The commands that make a venue with 20 markets, and users that never run out of funds. */
function setupOf(account: "spot" | "futures", users: number): Command[] {
  const setup: Command[] = [{ kind: "list_asset", ccy: "USDT", scale: 8 }];
  for (let market = 0; market < MARKETS; market++) {
    setup.push({ kind: "list_asset", ccy: `M${market}`, scale: 8 });
    setup.push({
      kind: "list_market",
      market: `M${market}USDT`,
      baseCcy: `M${market}`,
      quoteCcy: "USDT",
      amountPrecision: 6,
      pricePrecision: 2,
      minAmount: "0.000001",
      makerFeeRate: "0.0003",
      takerFeeRate: "0.0005",
      ...(account === "spot" ? {} : CONTRACT),
    });
    setup.push(indexPrice(`M${market}USDT`, account, MID));
  }
  for (let userId = 1; userId <= users; userId++) {
    setup.push({ kind: "create_user", name: `user-${userId}` });
    setup.push({ kind: "deposit", userId, ccy: "USDT", amount: "1000000", note: "bench" });
    if (account === "futures") {
      setup.push({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy: "USDT", amount: "1000000" });
    }
    // Two of four, so that both sides of a trade are of either kind.
    const marginMode = userId % 4 < 2 ? "cross" : "isolated";
    for (let marketId = 0; marketId < MARKETS; marketId++) {
      if (account === "futures") setup.push({ kind: "set_leverage", userId, marketId, marginMode, leverage: 10 });
      else setup.push({ kind: "deposit", userId, ccy: `M${marketId}`, amount: "1000", note: "bench" });
    }
  }
  return setup;
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
