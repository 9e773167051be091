/**
 * Processor time of a quote: 100 pairs by one command, against the same 200 orders moved one by one, cancelled and
 * placed anew, and left as they are. From the command as an object to its events, in one run and in turns, in a spot
 * and in a futures market.
 */
import type { Command } from "../src/engine/command.ts";
import { FuturesVenue } from "../test/support/futures-venue.ts";
import { median, report } from "./report.ts";

const PAIRS = 100;
const ORDERS = 2 * PAIRS;
const TURNS = 41;

const figures = [false, true].flatMap((isFutures) => measure(isFutures));
report("mass-quotes", figures);

function measure(isFutures: boolean) {
  const venue = new FuturesVenue();
  const { engine, state } = venue;
  if (!isFutures) venue.listMarket("BTC", "USDT");
  const market = (isFutures ? state.futuresByName : state.marketByName).get("BTCUSDT");
  if (market === undefined) throw new Error("There is no market BTCUSDT.");
  const { id: marketId } = market;
  const funds = { USDT: "100000000", BTC: "10000" };
  const [masses, singles] = ["masses", "singles"].map((name) =>
    isFutures ? venue.addTrader(name, funds) : venue.addUser(name, funds),
  ) as [number, number];
  if (!isFutures) venue.spotIndex("30000");
  const execute = (command: Command): unknown => {
    engine.events.clear();
    const outcome = engine.execute(command, { seq: state.seq + 1, timeMs: state.timeMs });
    if (outcome.refusal !== 0) throw new Error(`${command.kind} was refused: ${outcome.refusal}`);
    return outcome.result;
  };
  /** Prices of a turn, in ticks: each turn moves all quotes by a few. */
  const priceOf = (turn: number, level: number, side: number) =>
    side === 0 ? 2_990_000 - level * 10 + (turn % 7) : 3_010_000 + level * 10 + (turn % 7);
  const mass = (turn: number) => {
    const quotes = Array.from({ length: PAIRS }, (_, level) => ({
      marketId,
      ...{ bidPrice: (priceOf(turn, level, 0) / 100).toFixed(2), bidAmount: "0.1" },
      ...{ askPrice: (priceOf(turn, level, 1) / 100).toFixed(2), askAmount: "0.1" },
    }));
    return execute({ kind: "mass_quote", userId: masses, quotes });
  };
  const account = isFutures ? "futures" : "spot";
  const ids: number[] = [];
  const place = (turn: number) => {
    ids.length = 0;
    for (let at = 0; at < ORDERS; at++) {
      ids.push(state.nextOrderId);
      const terms = { type: "maker_only", amountIn: "base", amount: 100_000n, hidden: false, stpMode: "none" } as const;
      const price = BigInt(priceOf(turn, at >> 1, at & 1));
      const side = (at & 1) === 0 ? "buy" : "sell";
      execute({ kind: "place_order", userId: singles, marketId, account, side, ...terms, price, clientId: "" });
    }
  };
  const cancel = () => {
    for (const orderId of ids) execute({ kind: "cancel_order", userId: singles, marketId, orderId });
  };
  const move = (turn: number) => {
    ids.forEach((orderId, at) => {
      const price = BigInt(priceOf(turn, at >> 1, at & 1));
      execute({ kind: "modify_order", userId: singles, marketId, orderId, price });
    });
  };
  place(0);
  const times = { mass: [], kept: [], moved: [], renewed: [] } as Record<string, number[]>;
  const time = (name: string, run: () => void) => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    times[name]?.push((user + system) / ORDERS);
  };
  for (let turn = 1; turn <= TURNS; turn++) {
    time("mass", () => mass(turn));
    time("kept", () => mass(turn));
    time("moved", () => move(turn));
    time("renewed", () => {
      cancel();
      place(turn);
    });
  }
  const of = (name: string) => median(times[name] as number[]);
  const product = isFutures ? "futures" : "spot";
  return [
    { name: `${product}_mass_quote`, value: of("mass"), unit: "µs an order" },
    { name: `${product}_mass_quote_unchanged`, value: of("kept"), unit: "µs an order" },
    { name: `${product}_single_moved`, value: of("moved"), unit: "µs an order" },
    { name: `${product}_single_cancelled_and_placed`, value: of("renewed"), unit: "µs an order" },
    { name: `${product}_mass_of_renewed`, value: of("mass") / of("renewed") },
  ];
}
