/**
 * An hour that is jumped over is as liquid as one that is lived step by step: books, spreads and deals of every market.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Level } from "../../src/engine/trading/book.ts";
import { paceOf } from "../../src/lab/dev/time-lapse.ts";
import { DEV_MARKETS } from "../../src/lab/market/dev-markets.ts";
import { devFloor, type Floor, marketOf, run, simulationOf } from "../support/market-floor.ts";

const HOUR_MS = 3_600_000;
/** Books are looked at so often. */
const LOOK_MS = 30_000;
/** Moods, which come and go for hours, differ between two lives of one seed: together these even out. */
const SEEDS = [1, 2, 3];
/** Part of the price to either side. */
const NEAR = 0.005;

/** Of one market in one hour: lots within NEAR of the middle, spread as a part of it, what was traded. */
interface Hour {
  readonly bids: number[];
  readonly asks: number[];
  readonly spreads: number[];
  deals: number;
  lots: number;
}

/** Of one market in all hours: medians and sums. */
interface Life extends Record<"bids" | "asks" | "spread" | "deals" | "lots", number> {}

/** An hour of each market from the opening on; `live` lets the time between two looks pass. */
function hourOf(seed: number, live: (floor: Floor, simulation: ReturnType<typeof simulationOf>) => void): Hour[] {
  const floor = devFloor();
  const simulation = simulationOf(floor, { seed });
  simulation.step(floor.timeMs);
  const markets = DEV_MARKETS.map((character) => marketOf(floor, character));
  const hours = markets.map((): Hour => ({ bids: [], asks: [], spreads: [], deals: 0, lots: 0 }));
  floor.onEvents = (events) => {
    for (const event of events) {
      const hour = event.kind === "deal" ? hours[markets.findIndex(({ id }) => id === event.marketId)] : undefined;
      if (event.kind !== "deal" || hour === undefined) continue;
      hour.deals++;
      hour.lots += Number(event.lots);
    }
  };
  for (const endMs = floor.timeMs + HOUR_MS; floor.timeMs < endMs; ) {
    live(floor, simulation);
    floor.commands.length = 0;
    for (const [at, { id }] of markets.entries()) look(hours[at] as Hour, floor, id);
  }
  return hours;
}

function look({ bids, asks, spreads }: Hour, { state }: Floor, marketId: number): void {
  const [buys, sells] = [0, 1].map((side) => [...(state.books[marketId]?.levels(side) ?? [])]) as [Level[], Level[]];
  const [bid, ask] = [Number(buys[0]?.price ?? 0n), Number(sells[0]?.price ?? 0n)];
  assert.ok(bid > 0 && ask > bid, `the book of market ${marketId} is ${bid} to ${ask}`);
  const middle = (bid + ask) / 2;
  const near = (levels: readonly Level[]) =>
    levels
      .filter(({ price }) => Math.abs(Number(price) - middle) <= middle * NEAR)
      .reduce((sum, { lots }) => sum + Number(lots), 0);
  bids.push(near(buys));
  asks.push(near(sells));
  spreads.push((ask - bid) / middle);
}

const median = (all: readonly number[]) => all.toSorted((one, other) => one - other)[all.length >> 1] as number;

test("an hour in coarse steps has books as deep, spreads as narrow and as much volume in every market, and deals in every minute", (t) => {
  const fine = SEEDS.map((seed) => hourOf(seed, (floor, simulation) => run(floor, simulation, LOOK_MS)));
  const coarse = SEEDS.map((seed) =>
    hourOf(seed, (floor, simulation) => {
      const pace = paceOf(HOUR_MS, false, simulation.markets);
      floor.timeMs += pace.stepMs;
      simulation.look();
      simulation.coarseStep(floor.timeMs, pace.stepMs, pace);
    }),
  );
  for (const [at, { market, contract }] of DEV_MARKETS.entries()) {
    const name = contract === undefined ? market : `the futures market ${market}`;
    const [slow, fast] = [fine, coarse].map((lives) => {
      const hours = lives.map((life) => life[at] as Hour);
      return {
        bids: median(hours.flatMap(({ bids }) => bids)),
        asks: median(hours.flatMap(({ asks }) => asks)),
        spread: median(hours.flatMap(({ spreads }) => spreads)),
        deals: hours.reduce((sum, { deals }) => sum + deals, 0),
        lots: hours.reduce((sum, { lots }) => sum + lots, 0),
      };
    }) as [Life, Life];
    t.diagnostic(`${name}: step by step ${JSON.stringify(slow)}, at once ${JSON.stringify(fast)}`);
    assert.ok(fast.deals >= (SEEDS.length * HOUR_MS * 4) / 60_000, `${name}: ${fast.deals} deals, not four a minute`);
    for (const what of ["bids", "asks", "lots"] as const) {
      assert.ok(fast[what] >= slow[what], `${name}: ${what} ${fast[what]}, not ${slow[what]}`);
    }
    assert.ok(fast.spread <= slow.spread, `${name}: spread ${fast.spread}, not ${slow.spread}`);
  }
});
