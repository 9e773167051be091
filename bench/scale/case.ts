/**
 * A venue of one size, and what it costs: memory, a command, a second in which nothing happens, a price, a beat of the
 * sockets, a check of the whole state, a snapshot, a start from it. In each market something waits for a price that
 * does not come. Run as a process of its own by scale.ts, so that no size pays for the one before; prints one line of
 * JSON.
 */

import { type Command, encodeCommand } from "../../src/engine/command.ts";
import { Engine } from "../../src/engine/engine.ts";
import { decodeOrder } from "../../src/engine/event.ts";
import { checkInvariants } from "../../src/engine/invariants.ts";
import { loadSnapshot, takeSnapshot } from "../../src/engine/snapshot.ts";
import { WordBuffer } from "../../src/engine/words.ts";
import { Feeds } from "../../src/feeds/feeds.ts";
import { copyOfState } from "../../src/venue/state-copy.ts";
import { NO_BACKFILL } from "../../test/support/no-backfill.ts";
import { median } from "../report.ts";
import { indexPrice, setupCommands, spreadOrder } from "../workload.ts";
import { followedHub } from "./followers.ts";

/** How large a venue is. */
export interface Size {
  readonly users: number;
  /** Of spot, beside the one that is traded, and as many futures markets. */
  readonly markets: number;
  /** Open orders, spread over the users and over 40,000 prices of one market. */
  readonly orders: number;
}

/** What it costs. Memory beyond that of an empty engine, in bytes. */
export interface Cost {
  readonly memory: number;
  readonly buildS: number;
  /** An order placed and cancelled again, in the engine and the feeds. */
  readonly orderUs: number;
  /** A second that passes without anything being due. */
  readonly tickUs: number;
  /** The next price of one market's index. */
  readonly indexUs: number;
  /** A beat of the sockets with 200 who follow all futures markets, of which one has a new price. */
  readonly beatMs: number;
  /** The dearest second of an hour in which nobody does anything. */
  readonly dearestTickMs: number;
  readonly checkMs: number;
  readonly takeMs: number;
  /** The longest turn of a copy that is made beside commands. */
  readonly longestTurnMs: number;
  readonly snapshotBytes: number;
  readonly loadMs: number;
}

const START_MS = 1_750_000_000_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** A beat of the sockets. */
const BEAT_MS = 200;
const BEATS = 100;
const PAIRS = 20_000;
const SAMPLES = 200;
const MINUTES = 60;
const MID = 3_000_000;

const CONTRACT = {
  marketType: "FUTURES",
  contractType: "linear",
  tickSize: "0.01",
  leverages: [1, 10, 100],
  levels: [{ amount: "1000", leverage: 100, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" }],
} as const;

console.log(JSON.stringify(await costOf(JSON.parse(process.argv[2] ?? "") as Size)));

async function costOf(size: Size): Promise<Cost> {
  const empty = memoryInUse();
  const buildStarted = performance.now();
  const engine = built(size);
  const buildS = (performance.now() - buildStarted) / 1000;
  const memory = memoryInUse() - empty;
  const costs = { memory, buildS, ...(await commandCosts(engine, size)) };

  const checkMs = timed(() => {
    const breaches = checkInvariants(engine.state);
    if (breaches.length > 0) throw new Error(breaches.join(" "));
  });
  let chunks: Uint8Array[] = [];
  const takeMs = timed(() => {
    chunks = [...takeSnapshot(engine.state)];
  });
  const longestTurnMs = (await copyOfState(engine.state)).heldUpMs;
  const { seq, timeMs } = engine.state;
  const snapshotBytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const loadMs = timed(() => loadSnapshot(new Engine().state, chunks, seq, timeMs));
  return { ...costs, checkMs, takeMs, longestTurnMs, snapshotBytes, loadMs };
}

async function commandCosts(engine: Engine, { users }: Size) {
  const feeds = await Feeds.start(engine.state, NO_BACKFILL, START_MS);
  const scratch = new WordBuffer(1_024);
  const apply = (command: Command, timeMs = engine.state.timeMs) => {
    const { events, state } = engine;
    scratch.clear();
    const outcome = engine.apply(scratch, encodeCommand(scratch, command), state.seq + 1, timeMs);
    if (outcome.refusal !== 0) throw new Error(`Refused: ${outcome.detail ?? command.kind}.`);
    const order = outcome.orderEvent < 0 ? undefined : decodeOrder(events, outcome.orderEvent);
    feeds.apply(events, 0, events.length);
    events.clear();
    return order?.orderId ?? 0;
  };
  const pair = (index: number) => {
    const userId = 1 + ((index * 7_919) % users);
    const orderId = apply(spreadOrder(userId, index));
    apply({ kind: "cancel_order", userId, marketId: 0, account: "spot", orderId });
  };
  for (let index = 0; index < PAIRS; index++) pair(index);
  const orders = timesOf(PAIRS / 100, (at) => {
    for (let index = at * 100; index < at * 100 + 100; index++) pair(index);
  });
  const prices = timesOf(SAMPLES, (at) => void apply(indexPrice("M0USDT", "futures", MID + (at % 7))));
  // Seconds in between, and then whole minutes, of which each brings what comes once a minute and once an hour.
  const from = engine.state.timeMs;
  const ticks = timesOf(SAMPLES, (at) => void apply({ kind: "tick" }, from + 1 + at));
  const hour = timesOf(MINUTES, (at) => void apply({ kind: "tick" }, from + (1 + at) * MINUTE_MS));
  const hub = followedHub(engine.state, feeds);
  const beats = timesOf(
    BEATS,
    (at) => {
      hub.beat(at * BEAT_MS);
    },
    (at) => void apply(indexPrice("M0USDT", "futures", MID + (at % 7))),
  );
  return {
    // The first ones greet the followers.
    beatMs: median(beats.slice(BEATS / 2)),
    orderUs: median(orders) * 10,
    tickUs: median(ticks) * 1000,
    indexUs: median(prices) * 1000,
    dearestTickMs: Math.max(...hour),
  };
}

function built({ users, markets, orders }: Size): Engine {
  const engine = new Engine();
  const apply = (command: Command) => {
    const outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs: START_MS });
    if (outcome.refusal !== 0) throw new Error(`Refused: ${outcome.detail ?? command.kind}.`);
    engine.events.clear();
  };
  for (const command of setupCommands(0)) apply(command);
  for (let market = 0; market < markets; market++) {
    const ccy = `M${market}`;
    const terms = { market: `${ccy}USDT`, baseCcy: ccy, quoteCcy: "USDT", amountPrecision: 6, pricePrecision: 2 };
    const fees = { minAmount: "0.000001", makerFeeRate: "0.0003", takerFeeRate: "0.0005" };
    apply({ kind: "list_asset", ccy, scale: 8 });
    apply({ kind: "list_market", ...terms, ...fees });
    apply({
      kind: "list_market",
      ...terms,
      ...fees,
      ...CONTRACT,
      leverages: [...CONTRACT.leverages],
      levels: [...CONTRACT.levels],
    });
    apply(indexPrice(`${ccy}USDT`, "futures", MID));
  }
  for (let userId = 1; userId <= users; userId++) {
    apply({ kind: "create_user", name: `user-${userId}` });
    apply({ kind: "deposit", userId, ccy: "BTC", amount: "1", note: "" });
    apply({ kind: "deposit", userId, ccy: "USDT", amount: "10000", note: "" });
  }
  for (const { id, futures } of engine.state.markets) apply(waitingStop(id, futures !== undefined));
  for (let index = 0; index < orders; index++) apply(spreadOrder(1 + (index % users), index));
  return engine;
}

/** A stop order whose price is far away. */
function waitingStop(marketId: number, isFutures: boolean): Command {
  return {
    kind: "place_stop_order",
    ...{ userId: 1, marketId, account: isFutures ? "futures" : "spot", side: "buy", type: "limit" },
    ...{ amountIn: "base", amount: 10_000n, price: BigInt(MID), trigger: BigInt(MID * 2) },
    ...{ hidden: false, stpMode: "none", clientId: "" },
  };
}

/** Heap and buffers after a full collection. */
function memoryInUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** ms that each of so many runs took, without what is done before it. */
function timesOf(runs: number, run: (at: number) => void, before: (at: number) => void = () => {}): number[] {
  return Array.from({ length: runs }, (_, at) => {
    before(at);
    return timed(() => run(at));
  });
}

function timed(run: () => void): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}
