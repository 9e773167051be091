import assert from "node:assert/strict";
import { test } from "node:test";
import { devFloor, marketOf, run, simulationOf } from "../../../test/support/market-floor.ts";
import { checkInvariants } from "../../engine/invariants.ts";
import { devMarkets } from "./dev-markets.ts";
import { bestOf } from "./quotes.ts";

test("twelve spot markets live like three: books, deals and an index in each", () => {
  const floor = devFloor(12);
  const simulation = simulationOf(floor, { markets: devMarkets(12) });
  simulation.step(floor.timeMs);
  run(floor, simulation, 30_000);
  assert.equal(floor.state.markets.length, 15);
  for (const market of devMarkets(12)) {
    const { id, index } = marketOf(floor, market);
    const [bid, ask] = [0, 1].map((side) => bestOf(floor.state, marketOf(floor, market), side)?.price ?? 0n) as [
      bigint,
      bigint,
    ];
    assert.ok(bid > 0n && bid < ask && index.price > 0n, market.market);
    assert.ok((floor.state.lastPrice[id] as bigint) > 0n, market.market);
  }
  assert.ok(floor.refused.length < 30, `${floor.refused.length} refused`);
  assert.deepEqual(checkInvariants(floor.state), []);
});

test("a thousand spot markets can be listed, and cost far less than a thousand busy ones", () => {
  const floor = devFloor(1_000);
  const simulation = simulationOf(floor, { markets: devMarkets(1_000) });
  simulation.step(floor.timeMs);
  run(floor, simulation, 20_000);
  floor.commands.length = 0;
  run(floor, simulation, 10_000);
  assert.ok(floor.commands.length < 20_000, `${floor.commands.length} commands in ten seconds`);
  const quoted = devMarkets(1_000).filter((market) => bestOf(floor.state, marketOf(floor, market), 0) !== undefined);
  assert.ok(quoted.length > 990, `${quoted.length} markets are quoted`);
});
