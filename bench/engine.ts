/**
 * Workload W1 through the whole engine - checks, accounts, freezes, matching, fees, ledger, events - against the npm
 * package nodejs-order-book, which keeps a book only, on the same list in the same run; against itself with stop orders
 * waiting, and with a pool; how long single commands take; and what an open order and a balance cost in memory. Then
 * workload W2 (paths/messages.ts), with the book alone and with the whole engine. With `--counted`, machine
 * instructions a command of W1 and a message of W2 instead, by `perf stat` or valgrind.
 */
import { OrderBook } from "nodejs-order-book";
import type { Command } from "../src/engine/command.ts";
import { Engine } from "../src/engine/engine.ts";
import { LadderBook } from "../src/engine/trading/ladder-book.ts";
import { reportCounted } from "./paths/counted.ts";
import { PATHS } from "./paths/messages.ts";
import { compareAnswers, racePaths } from "./paths/paths.ts";
import { quantile, report } from "./report.ts";
import {
  type BookAction,
  makeWorkload,
  newVenue,
  PRELOADED,
  placeStops,
  setupCommands,
  spreadOrder,
  USERS,
  type Workload,
} from "./workload.ts";

const COMMANDS = Number(process.env.BENCH_COMMANDS ?? 3_000_000);
const WARM_UP_COMMANDS = Math.min(COMMANDS, 300_000);
const TIMED_COMMANDS = Math.min(COMMANDS, 1_000_000);
const PATH_MESSAGES = Math.min(COMMANDS, 2_000_000);
const SLICES = 20;
const STOPS_WAITING = 100_000;
const OPEN_ORDERS = 1_000_000;
const ORDERS_PER_USER = 500;

/** Of those who take: what all their orders have. */
const TAKER = {
  kind: "place_order",
  userId: 2,
  marketId: 0,
  account: "spot",
  type: "ioc",
  amountIn: "base",
  hidden: false,
  stpMode: "none",
  clientId: "",
} as const;

if (process.argv.includes("--counted")) {
  await reportCounted("engine", ["W1", "ladder", "engine"], PATHS);
  process.exit();
}

const workload = makeWorkload(COMMANDS, 20_260);
runEngine(preloaded(workload), PRELOADED, WARM_UP_COMMANDS);
const race = compare();
const stopsRatio = compareWithStops();
const besidePool = compareBesidePool();
const takersOfPool = compareTakersOfPool();
const latency = timeCommands(workload);
const memory = fill();
const paths = [
  ...(await compareAnswers(PATHS, PATH_MESSAGES)),
  ...(await racePaths("ladder", PATHS, PATH_MESSAGES)),
  ...(await racePaths("engine", PATHS, PATH_MESSAGES)),
];

report("engine", [
  { name: "ratio", value: race.ratio, gate: 10, goal: 20 },
  { name: "engine", value: race.ours, unit: "commands/s" },
  { name: "nodejs_order_book", value: race.theirs, unit: "commands/s" },
  { name: "ratio_with_100_000_stops_waiting", value: stopsRatio, gate: 0.9, goal: 1 },
  { name: "ratio_beside_a_pool", value: besidePool, gate: 1 / 3 },
  { name: "ratio_of_takers_of_a_pool", value: takersOfPool, gate: 1 / 3 },
  { name: "p50", value: latency.p50, unit: "µs" },
  { name: "p99", value: latency.p99, unit: "µs", goal: 2, atMost: true },
  { name: "p99_9", value: latency.p999, unit: "µs" },
  { name: "timer_overhead", value: latency.overhead, unit: "µs" },
  { name: "bytes_per_open_order", value: memory.perOrder, unit: "bytes", gate: 200, goal: 96, atMost: true },
  { name: "bytes_per_balance", value: memory.perBalance, unit: "bytes", goal: 48, atMost: true },
  ...paths,
]);

/**
 * Both run the whole list, slice by slice in turns, so that what else the machine does falls on both. The figures are
 * medians over the slices.
 */
function compare(): { ratio: number; ours: number; theirs: number } {
  const engine = preloaded(workload);
  const book = new OrderBook();
  for (const action of workload.actions.slice(0, PRELOADED)) apply(book, action);
  const ours: number[] = [];
  const theirs: number[] = [];
  const perSlice = Math.floor(COMMANDS / SLICES);
  for (let from = PRELOADED; from + perSlice <= PRELOADED + COMMANDS; from += perSlice) {
    ours.push(perSlice / runEngine(engine, from, perSlice));
    theirs.push(perSlice / runOther(book, workload.actions.slice(from, from + perSlice)));
  }
  const ratios = ours.map((perSecond, slice) => perSecond / (theirs[slice] as number));
  return { ratio: median(ratios), ours: median(ours), theirs: median(theirs) };
}

/** Commands a second with stop orders waiting, over those without, which take turns as in `compare`. */
function compareWithStops(): number {
  const plain = preloaded(workload);
  const waiting = preloaded(workload);
  placeStops(waiting, STOPS_WAITING / USERS);
  const perSlice = Math.floor(COMMANDS / SLICES);
  const ratios: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const from = PRELOADED + slice * perSlice;
    // Who goes first finds the list cold, so they take that in turns too.
    const first = slice % 2 === 0 ? plain : waiting;
    const second = first === plain ? waiting : plain;
    const [one, other] = [runEngine(first, from, perSlice), runEngine(second, from, perSlice)];
    ratios.push(first === plain ? one / other : other / one);
  }
  if (waiting.state.stops.live !== STOPS_WAITING) throw new Error("A stop order fired that should have waited.");
  return median(ratios);
}

/**
 * Commands a second of a market whose orders stand before a pool, over those of one without; each has its own list,
 * since other orders live.
 */
function compareBesidePool(): number {
  const setup = [...setupCommands(), ...poolCommands()];
  const pooled = makeWorkload(COMMANDS, 20_260, { setup });
  const [plain, beside] = [preloaded(workload), preloaded(pooled, setup)];
  const perSlice = Math.floor(COMMANDS / SLICES);
  const ratios: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const from = PRELOADED + slice * perSlice;
    const alone = () => runEngine(plain, from, perSlice);
    const withPool = () => runEngine(beside, from, perSlice, pooled);
    const [one, other] = slice % 2 === 0 ? [alone(), withPool()] : [withPool(), alone()].reverse();
    ratios.push((one as number) / (other as number));
  }
  return median(ratios);
}

/** Orders a second that take from a pool alone, back and forth, over those that take from resting orders alone. */
function compareTakersOfPool(): number {
  const resting = (["buy", "sell"] as const).map((side, at) => ({
    ...TAKER,
    userId: 1,
    side,
    price: 2_999_900n + BigInt(at * 200),
    amount: 300_000_000n,
  }));
  const ofOrders = newVenue([...setupCommands(2), ...resting.map((order) => ({ ...order, type: "limit" }) as const)]);
  const ofPool = newVenue([...setupCommands(2), ...poolCommands()]);
  const perSlice = Math.floor(TIMED_COMMANDS / SLICES);
  const ratios: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const [one, other] =
      slice % 2 === 0
        ? [take(ofOrders, perSlice), take(ofPool, perSlice)]
        : [take(ofPool, perSlice), take(ofOrders, perSlice)].reverse();
    ratios.push((one as number) / (other as number));
  }
  return median(ratios);
}

/** Seconds for so many orders that take a few lots of one side and then of the other. */
function take(engine: Engine, orders: number): number {
  const { state, events } = engine;
  const deals = state.nextDealId;
  const started = process.hrtime.bigint();
  for (let at = 0; at < orders; at++) {
    if ((at & 63) === 0) events.clear();
    const side = at % 2 === 0 ? "buy" : "sell";
    const price = side === "buy" ? 3_100_000n : 2_900_000n;
    engine.execute({ ...TAKER, side, price, amount: 100n }, { seq: state.seq + 1, timeMs: 1 });
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  if (state.nextDealId - deals !== orders) throw new Error("An order met nobody, or more than one.");
  return seconds;
}

/** A pool of 300 coins at the middle of the workload's prices, which quotes at every hundredth of them. */
function poolCommands(): Command[] {
  return [
    { kind: "set_pool", market: "BTCUSDT", type: "infinite", gridDigits: 5 },
    { kind: "add_liquidity", userId: 1, market: "BTCUSDT", baseAmount: "300", quoteAmount: "9000000" },
  ];
}

/** Seconds that the engine takes for so many commands of a list. */
function runEngine(engine: Engine, from: number, commands: number, list = workload): number {
  const { records, starts } = list;
  const { events } = engine;
  let seq = engine.state.seq;
  const started = process.hrtime.bigint();
  for (let index = from; index < from + commands; index++) {
    // Readers take events group by group; a group of this size is what a busy venue forms.
    if ((index & 63) === 0) events.clear();
    engine.apply(records, starts[index] as number, ++seq, 1);
  }
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function preloaded({ records, starts }: Pick<Workload, "records" | "starts">, setup?: readonly Command[]): Engine {
  const engine = newVenue(setup);
  for (let index = 0; index < PRELOADED; index++) {
    engine.apply(records, starts[index] as number, engine.state.seq + 1, 1);
  }
  return engine;
}

/**
 * Each command alone, in a run of its own, between two looks at the clock. The looks cost more than many a command, so
 * their own median is measured as well and taken off.
 */
function timeCommands(workload: Workload): { p50: number; p99: number; p999: number; overhead: number } {
  const engine = preloaded(workload);
  const { records, starts } = workload;
  const { events } = engine;
  const times = new Float64Array(TIMED_COMMANDS);
  const overheads = new Float64Array(100_000);
  for (let index = 0; index < overheads.length; index++) {
    const from = performance.now();
    overheads[index] = performance.now() - from;
  }
  const overhead = quantile(overheads.sort(), 0.5) * 1000;
  let seq = engine.state.seq;
  for (let index = 0; index < TIMED_COMMANDS; index++) {
    if ((index & 63) === 0) events.clear();
    const from = performance.now();
    engine.apply(records, starts[PRELOADED + index] as number, ++seq, 1);
    times[index] = (performance.now() - from) * 1000;
  }
  times.sort();
  const at = (share: number) => Math.max(0, quantile(times, share) - overhead);
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), overhead };
}

/** The memory of a venue with a million open orders: tables and indexes, capacity included, over what they hold. */
function fill(): { perOrder: number; perBalance: number } {
  const engine = new Engine();
  const { state, events } = engine;
  let seq = 0;
  const apply = (command: Parameters<Engine["execute"]>[0]) => {
    const outcome = engine.execute(command, { seq: ++seq, timeMs: 1 });
    if (outcome.refusal !== 0) throw new Error(`Refused: ${JSON.stringify(command)}`);
    events.clear();
  };
  for (const command of setupCommands(OPEN_ORDERS / ORDERS_PER_USER)) apply(command);
  for (let index = 0; index < OPEN_ORDERS; index++) {
    apply(spreadOrder(1 + Math.floor(index / ORDERS_PER_USER), index));
  }
  const books = state.books.reduce((sum, book) => sum + (book instanceof LadderBook ? book.byteLength : 0), 0);
  const orders = state.orders.byteLength + state.fills.byteLength + books;
  return { perOrder: orders / state.orders.live, perBalance: balanceBytes() };
}

/** A million balances: two for each of half a million users. */
function balanceBytes(): number {
  const { ledger } = new Engine().state;
  for (let userId = 1; userId <= 500_000; userId++) for (const assetId of [0, 1]) ledger.spotCell(userId, assetId);
  return ledger.byteLength / ledger.count;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] as number;
}

/** Seconds that the other book takes. */
function runOther(book: OrderBook, actions: readonly BookAction[]): number {
  const started = process.hrtime.bigint();
  for (const action of actions) apply(book, action);
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function apply(book: OrderBook, action: BookAction): void {
  const id = String(action.id);
  if (action.kind === "cancel") book.cancel(id);
  else if (action.kind === "move") {
    const order = book.order(id);
    if (order !== undefined) book.modify(id, { price: action.price, size: order.size });
  } else if (action.kind === "limit")
    book.limit({ id, side: action.side as never, size: action.lots, price: action.price });
  else
    book.limit({ id, side: action.side as never, size: action.lots, price: action.price, timeInForce: "IOC" as never });
}
