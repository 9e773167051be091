import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../support/runs.ts";
import { describe } from "../../support/venue.ts";
import { runSeed } from "../seed-run.ts";
import type { Run } from "../world.ts";
import { fedStep, setup } from "./generator.ts";
import { runFutures } from "./run.ts";
import { worldOf } from "./settings.ts";

test("whatever is done to it, futures accounts hold what the rules make of it", () => {
  const numbers = fc.array(fc.nat(2 ** 32 - 1), { maxLength: 200, size: "max" });
  fc.assert(
    fc.property(fc.noShrink(fc.nat()), numbers, (seed, list) => {
      const world = worldOf(seed);
      assertClean(runFutures([...setup(world), ...list.flatMap((number) => fedStep(world, number))]));
    }),
    runs(20),
  );
});

/** What never happens is not compared: so often at least each must come in fifteen seeds. */
const REACHED: Readonly<Record<string, number>> = {
  deal: 1_000,
  flip: 100,
  liquidated: 40,
  deleveraged: 10,
  risk_alert: 10,
  funding_collected: 100,
  funding_interval: 3,
  index_stale: 100,
  "position funding": 150,
  "position settle": 100,
  "position margin": 50,
  "position leverage": 50,
  "stop active_success": 100,
  "exit active_success": 20,
  "position ended by take_profit": 3,
  "position ended by stop_loss": 3,
  "position ended by sys": 3,
  "position ended by liq": 50,
  "position ended by adl": 10,
  "position ended by market_close_all": 50,
};

test("fifteen seeds of spot and futures run clean and reach what can happen", () => {
  const tally = new Map<string, number>();
  for (let seed = 1; seed <= 15; seed++) {
    const done = runSeed("futures", seed, 2_000);
    assertClean(done, `seed ${seed}`);
    for (const [name, times] of done.tally) tally.set(name, (tally.get(name) ?? 0) + times);
  }
  const missed = Object.entries(REACHED).filter(([name, times]) => (tally.get(name) ?? 0) < times);
  assert.deepEqual(
    missed.map(([name]) => `${name} ${tally.get(name) ?? 0}`),
    [],
  );
});

test("every seed of futures has a venue to begin with", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { tally } = runFutures(setup(worldOf(seed)));
    const allowed = ["none", "transferred", "leverage_above_level"];
    assert.deepEqual(
      [...tally.keys()].filter((name) => !allowed.includes(name)),
      [],
      `the venue of seed ${seed}`,
    );
  }
});

function assertClean({ failure }: Run, which = ""): void {
  if (failure === undefined) return;
  const { at, command, differences } = failure;
  assert.fail(`${which} step ${at}, ${describe(command)}\n${differences.join("\n")}`);
}
