/**
 * What the simulated market has in common with real ones, measured on minutes of three days: docs/guides/market.md
 * states it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { devFloor, type Floor, marketOf, run, simulationOf } from "../../../test/support/market-floor.ts";
import { checkInvariants } from "../../engine/invariants.ts";
import { DEV_MARKETS } from "./dev-markets.ts";
import { bestOf } from "./quotes.ts";

const MINUTES = 3 * 1_440;
const MARKETS = ["BTCUSDT", "ETHUSDT", "DSCUSDT"] as const;

/** Index prices and volumes of each minute. */
function minutesOf(seed: number) {
  const floor = devFloor();
  const simulation = simulationOf(floor, { seed, markets: DEV_MARKETS.slice(0, MARKETS.length) });
  const prices = MARKETS.map((): number[] => []);
  const lots = MARKETS.map((): number[] => []);
  const ids = MARKETS.map((name) => marketOf(floor, name).id);
  floor.onEvents = (events) => {
    for (const event of events) {
      const at = event.kind === "deal" ? ids.indexOf(event.marketId) : -1;
      if (event.kind === "deal" && at >= 0)
        (lots[at] as number[])[(lots[at] as number[]).length - 1]! += Number(event.lots);
    }
  };
  for (let minute = 0; minute < MINUTES; minute++) {
    floor.timeMs += 60_000;
    for (const all of lots) all.push(0);
    simulation.look();
    simulation.coarseStep(floor.timeMs, 60_000, { stops: 1 });
    floor.commands.length = 0;
    for (const [at, name] of MARKETS.entries()) prices[at]?.push(Number(marketOf(floor, name).index.price));
  }
  assert.deepEqual(checkInvariants(floor.state), []);
  const returns = prices.map((all) => all.slice(1).map((price, at) => Math.log(price / (all[at] as number))));
  return { returns, lots };
}

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;

function correlation(ones: readonly number[], others: readonly number[]): number {
  const [one, other] = [mean(ones), mean(others)];
  const product = (a: readonly number[], b: readonly number[], ma: number, mb: number) =>
    mean(a.map((value, at) => (value - ma) * ((b[at] as number) - mb)));
  return (
    product(ones, others, one, other) / Math.sqrt(product(ones, ones, one, one) * product(others, others, other, other))
  );
}

const lagged = (all: readonly number[], lag: number) => correlation(all.slice(0, -lag), all.slice(lag));

function kurtosis(all: readonly number[]): number {
  const centre = mean(all);
  const power = (n: number) => mean(all.map((one) => (one - centre) ** n));
  return power(4) / power(2) ** 2;
}

test("returns have fat tails and no memory, their size comes in clusters, markets move together, volume goes with them and by the hour", () => {
  const seeds = [1, 2].map(minutesOf);
  const over = (figure: (found: ReturnType<typeof minutesOf>, at: number) => number) =>
    MARKETS.map((_, at) => mean(seeds.map((found) => figure(found, at))));
  const sizes = (found: ReturnType<typeof minutesOf>, at: number) => (found.returns[at] as number[]).map(Math.abs);

  for (const value of over(({ returns }, at) => kurtosis(returns[at] as number[]))) {
    assert.ok(value > 3.8 && value < 30, `kurtosis ${value}; a bell curve has 3`);
  }
  for (const lag of [1, 5, 30]) {
    for (const value of over(({ returns }, at) => lagged(returns[at] as number[], lag))) {
      assert.ok(Math.abs(value) < 0.06, `returns ${lag} minutes apart: ${value}`);
    }
  }
  for (const [lag, least] of [
    [1, 0.08],
    [10, 0.08],
    [60, 0.04],
  ] as const) {
    for (const value of over((found, at) => lagged(sizes(found, at), lag))) {
      assert.ok(value > least, `sizes of returns ${lag} minutes apart: ${value}`);
    }
  }
  const [both, small] = [0, 1].map((at) =>
    mean(seeds.map(({ returns }) => correlation(returns[at] as number[], returns[at + 1] as number[]))),
  );
  assert.ok((both as number) > 0.5 && (both as number) < 0.95, `BTC and ETH: ${both}`);
  assert.ok((small as number) > 0.02 && (small as number) < (both as number), `ETH and the small coin: ${small}`);
  for (const value of over((found, at) => correlation(sizes(found, at), (found.lots[at] as number[]).slice(1)))) {
    assert.ok(value > 0.1, `volume and moves: ${value}`);
  }
});

test("spreads vary around a few hundredths of a percent, and are wider in the small market", () => {
  const floor = devFloor();
  const simulation = simulationOf(floor, { seed: 4 });
  simulation.step(floor.timeMs);
  const spreads = MARKETS.map((): number[] => []);
  for (let second = 0; second < 300; second++) {
    run(floor, simulation, 1_000);
    for (const [at, name] of MARKETS.entries()) spreads[at]?.push(spreadBp(floor, name));
  }
  const quantiles = spreads
    .map((all) => all.toSorted((one, other) => one - other))
    .map((all) => [0.05, 0.5, 0.95].map((q) => all[Math.floor(q * all.length)] as number));
  for (const [low, middle, high] of quantiles as [number, number, number][]) {
    assert.ok(
      low > 0 && low < 0.95 * middle && high > 1.05 * middle && high < 8 * middle,
      `spreads ${low}, ${middle}, ${high}`,
    );
  }
  assert.ok((quantiles[0]?.[1] as number) < 5 && (quantiles[2]?.[1] as number) > 2 * (quantiles[0]?.[1] as number));
});

function spreadBp(floor: Floor, name: string): number {
  const [bid, ask] = [0, 1].map((side) => Number(bestOf(floor.state, marketOf(floor, name), side)?.price ?? 0n)) as [
    number,
    number,
  ];
  return ((ask - bid) / bid) * 10_000;
}
