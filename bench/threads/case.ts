/**
 * `case.ts ROOT FOLDER CASE`: the orders of bench/http.ts without HTTP, at a steady rate, through the engine, the log
 * and the history of the work tree at ROOT, with files in FOLDER. A process of its own; prints one line of JSON:
 * processor time of each thread for an order.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { setupCommands } from "../workload.ts";

/** How the orders come, and who hears of them. */
export interface Case {
  readonly perSecond: number;
  /** Orders of a group, which is a row of the log. */
  readonly perGroup: number;
  readonly seconds: number;
  /** Whether there are a log and a history; without, what is left is the engine's and the clock's. */
  readonly withViews: boolean;
}

/** Microseconds of a processor for an order, by thread; bytes of an order in the files. */
export interface Costs {
  readonly orders: number;
  readonly main: number;
  readonly log: number;
  readonly history: number;
  readonly others: number;
  readonly logBytes: number;
  readonly historyBytes: number;
}

const TRADERS = 32;
/** Prices that orders take in turn, as in bench/venue.ts. */
const PRICES = 200;
const WARM_UP_SECONDS = 3;
/** Groups with the log at a time, where the machine is too slow for the rate. */
const PENDING_GROUPS_MAX = 32;

const [root = "", dir = "", text = "{}"] = process.argv.slice(2);
console.log(JSON.stringify(await costsOf(JSON.parse(text) as Case)));
process.exit(0);

function from<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(join(root, "src", path)).href);
}

async function costsOf(of: Case): Promise<Costs> {
  const { Engine } = await from<typeof import("../../src/engine/engine.ts")>("engine/engine.ts");
  const { encodeCommand } = await from<typeof import("../../src/engine/command.ts")>("engine/command.ts");
  const { WordBuffer } = await from<typeof import("../../src/engine/words.ts")>("engine/words.ts");
  const engine = new Engine();
  const views = of.withViews ? await openViews() : undefined;
  const records = new WordBuffer(4_096);
  let index = 0;
  const give = (orders: number, commands: Parameters<typeof encodeCommand>[1][] = []) => {
    records.clear();
    for (const command of commands) encodeCommand(records, command);
    for (let count = 0; count < orders; count++) encodeCommand(records, orderOf(index++));
    const firstSeq = engine.state.seq + 1;
    const count = orders + commands.length;
    const timeMs = Date.now();
    views?.append({ firstSeq, count, timeMs, payload: records.written() });
    engine.applyGroup(records, firstSeq, timeMs);
    views?.heard(engine.events.written(), engine.state.seq);
    engine.events.clear();
  };
  give(0, setupCommands(TRADERS));
  const room = async () => {
    while ((views?.pendingGroups() ?? 0) > PENDING_GROUPS_MAX) await sleep(1);
  };
  await atRate(of, WARM_UP_SECONDS, { give, room });
  await views?.flushed();
  const before = { threads: processorTimes(), sizes: views?.sizes(), index };
  await atRate(of, of.seconds, { give, room });
  await views?.flushed();
  const after = processorTimes();
  const sizes = views?.sizes();
  const orders = index - before.index;
  const each = (name: string) => ((after.get(name) ?? 0) - (before.threads.get(name) ?? 0)) / 1_000 / orders;
  const named = ["main", "log", "history"];
  const others = [...after.keys()].filter((name) => !named.includes(name)).reduce((sum, name) => sum + each(name), 0);
  const [main, log, history] = named.map(each) as [number, number, number];
  return {
    ...{ orders, main, log, history, others },
    logBytes: ((sizes?.log ?? 0) - (before.sizes?.log ?? 0)) / orders,
    historyBytes: ((sizes?.history ?? 0) - (before.sizes?.history ?? 0)) / orders,
  };
}

async function openViews() {
  const { openDataDir } = await from<typeof import("../../src/log/data-dir.ts")>("log/data-dir.ts");
  const { recover } = await from<typeof import("../../src/log/recovery.ts")>("log/recovery.ts");
  const { openLogWriter } = await from<typeof import("../../src/log/log-writer.ts")>("log/log-writer.ts");
  const { EngineMachine } = await from<typeof import("../../src/venue/machine.ts")>("venue/machine.ts");
  const { History } = await from<typeof import("../../src/history/history.ts")>("history/history.ts");
  const dataDir = openDataDir(dir);
  const { end } = await recover(dataDir, new EngineMachine());
  const onFault = (fault: Error) => {
    throw fault;
  };
  const log = await openLogWriter(dataDir, end, { onDurable: () => {}, onFault });
  const path = join(dir, "history.sqlite");
  const history = await History.open({ path, venueId: "bench", onFault });
  return {
    append: log.append.bind(log),
    pendingGroups: () => log.pendingGroups,
    heard: history.append.bind(history),
    flushed: async () => {
      await history.flushed();
      while (log.pendingGroups > 0) await sleep(1);
    },
    sizes: () => ({ log: statSync(join(dir, "log.sqlite")).size, history: statSync(path).size }),
  };
}

/** The next group as soon as it is due. */
async function atRate(
  of: Case,
  seconds: number,
  { give, room }: { readonly give: (orders: number) => void; readonly room: () => Promise<void> },
): Promise<void> {
  const started = performance.now();
  for (let group = 0; group < (seconds * of.perSecond) / of.perGroup; group++) {
    const waitMs = started + (group * of.perGroup * 1_000) / of.perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    await room();
    give(of.perGroup);
  }
}

/** Of all traders in turn. Every odd one meets the one before it. */
function orderOf(index: number) {
  return {
    kind: "place_order",
    userId: 1 + (index % TRADERS),
    marketId: 0,
    account: "spot",
    side: index % 2 === 0 ? "buy" : "sell",
    type: "limit",
    amountIn: "base",
    amount: 1_000n,
    price: BigInt(6_000_000 + 100 * ((index >> 1) % PRICES)),
    hidden: false,
    stpMode: "none",
    clientId: "",
  } as const;
}

/** Nanoseconds of a processor that threads have taken, by name. */
function processorTimes(): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync("/proc/self/task")) {
    const task = `/proc/self/task/${thread}`;
    const name = Number(thread) === process.pid ? "main" : readFileSync(`${task}/comm`, "utf8").trim();
    const [nanoseconds] = readFileSync(`${task}/schedstat`, "utf8").split(" ");
    times.set(name, (times.get(name) ?? 0) + Number(nanoseconds));
  }
  return times;
}
