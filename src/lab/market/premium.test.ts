/**
 * Makers stand long enough for their books to have a premium, at an ordinary pace and when hours pass in seconds.
 * Source: domain 4.11.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { devFloor, type Floor, marketOf, run, simulationOf } from "../../../test/support/market-floor.ts";
import { DEV_MARKETS } from "./dev-markets.ts";

const MINUTE = 60_000;
/** A premium strays by a basis point and so; its mean over a while lies as near to what it is told to be. */
const NEAR_E8 = 20_000;

/** Hears of premiums and funding rates, by market, 10^-8. */
function listen(floor: Floor) {
  const premiums = new Map<number, number[]>();
  const rates = new Map<number, number[]>();
  const add = (to: Map<number, number[]>, id: number, figure: number) => to.set(id, [...(to.get(id) ?? []), figure]);
  floor.onEvents = (events) => {
    for (const event of events) {
      if (event.kind !== "json") continue;
      if (event.event.type === "premium_sampled") add(premiums, event.event.marketId, event.event.premiumE8);
      if (event.event.type === "funding_collected") add(rates, event.event.marketId, event.event.rateE8);
    }
  };
  return { premiums, rates };
}

function assertPremiums(floor: Floor, premiums: ReadonlyMap<number, readonly number[]>): void {
  for (const market of DEV_MARKETS) {
    if (market.contract === undefined) continue;
    const told = premiums.get(marketOf(floor, market).id) ?? [];
    const mean = told.reduce((sum, premium) => sum + premium, 0) / told.length;
    assert.ok(
      Math.abs(mean - market.contract.premiumE8) < NEAR_E8,
      `${market.market}: ${mean} for ${market.contract.premiumE8}`,
    );
  }
}

test("ladders that makers keep in place each second have rested enough for the premium that they stand for", () => {
  const floor = devFloor();
  const { premiums } = listen(floor);
  const simulation = simulationOf(floor, { seed: 1 });
  simulation.step(floor.timeMs);
  for (let second = 0; second < 400; second++) {
    run(floor, simulation, 1_000);
    floor.must({ kind: "tick" });
  }
  assertPremiums(floor, premiums);
});

test("in steps of a minute books are sampled as each step left them, and fundings differ from 0", () => {
  const floor = devFloor();
  const { premiums, rates } = listen(floor);
  const simulation = simulationOf(floor, { seed: 1 });
  simulation.step(floor.timeMs);
  for (let minute = 0; minute < 1_000; minute++) {
    simulation.look();
    floor.timeMs = Math.floor(floor.timeMs / MINUTE + 1) * MINUTE;
    simulation.coarseStep(floor.timeMs, MINUTE, { stops: 1 });
  }
  assertPremiums(floor, premiums);
  // The first collection is of less than an interval.
  assert.equal(rates.size, 3);
  for (const [marketId, [, rateE8]] of rates) assert.notEqual(rateE8, 0, `market ${marketId}`);
});
