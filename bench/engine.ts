/**
 * Workload W1 through the whole engine - checks, accounts, freezes, matching, fees, ledger, events - against the npm package
 * nodejs-order-book, which keeps a book only, on the same list in the same run.
 */
import { OrderBook } from "nodejs-order-book";
import { report } from "./report.ts";
import { type BookDeed, makeWorkload, newVenue, PRELOADED, type Workload } from "./workload.ts";

const COMMANDS = Number(process.env.BENCH_COMMANDS ?? 3_000_000);
/** The other book gets a shorter piece of the list: its speed does not depend on the length, and minutes do. */
const OTHERS_COMMANDS = Math.min(COMMANDS, 600_000);

const workload = makeWorkload(COMMANDS, 20_260);
runEngine(workload, 300_000);
const ours = runEngine(workload, COMMANDS);
const theirs = runOther(
  workload.deeds.slice(0, PRELOADED),
  workload.deeds.slice(PRELOADED, PRELOADED + OTHERS_COMMANDS),
);

report("engine", [
  { name: "ratio", value: ours.perSecond / theirs, gate: 10, goal: 20 },
  { name: "engine", value: ours.perSecond, unit: "commands/s" },
  { name: "nodejs-order-book", value: theirs, unit: "commands/s" },
  { name: "deals", value: ours.deals },
]);

function runEngine({ records, starts }: Workload, commands: number): { perSecond: number; deals: number } {
  const engine = newVenue();
  const { events } = engine;
  let seq = engine.state.seq;
  for (let index = 0; index < PRELOADED; index++) engine.apply(records, starts[index] as number, ++seq, 1);
  const started = process.hrtime.bigint();
  for (let index = PRELOADED; index < PRELOADED + commands; index++) {
    // Readers take events group by group; a group of this size is what a busy venue forms.
    if ((index & 63) === 0) events.clear();
    engine.apply(records, starts[index] as number, ++seq, 1);
  }
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { perSecond: commands / seconds, deals: engine.state.nextDealId - 1 };
}

function runOther(preload: readonly BookDeed[], deeds: readonly BookDeed[]): number {
  const book = new OrderBook();
  for (const deed of preload) apply(book, deed);
  const started = process.hrtime.bigint();
  for (const deed of deeds) apply(book, deed);
  return deeds.length / (Number(process.hrtime.bigint() - started) / 1e9);
}

function apply(book: OrderBook, deed: BookDeed): void {
  const id = String(deed.id);
  if (deed.kind === "cancel") book.cancel(id);
  else if (deed.kind === "move") {
    const order = book.order(id);
    if (order !== undefined) book.modify(id, { price: deed.price, size: order.size });
  } else if (deed.kind === "limit") book.limit({ id, side: deed.side as never, size: deed.lots, price: deed.price });
  else book.limit({ id, side: deed.side as never, size: deed.lots, price: deed.price, timeInForce: "IOC" as never });
}
