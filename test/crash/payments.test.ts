import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { NO_ANVIL } from "../chains/anvil.ts";
import { paymentRounds } from "./payment-rounds.ts";
import { EvmWorld, SimulatedWorld } from "./payment-worlds.ts";

const dir = mkdtempSync(join(tmpdir(), "bourse-payments-"));
after(() => rmSync(dir, { recursive: true, force: true }));

test("a venue that is killed while it pays on a simulated chain pays everything once", async () => {
  const world = new SimulatedWorld();
  const report = await paymentRounds({ data: join(dir, "simulated"), world, rounds: 2, seed: 20_261_122 });
  assert.ok(report.acknowledged > 5, `only ${report.acknowledged} withdrawals were acknowledged`);
  assert.ok(report.paid >= report.acknowledged);
});

test("a venue that is killed while it pays on an EVM chain pays everything once", { skip: NO_ANVIL }, async (t) => {
  const world = await EvmWorld.open();
  t.after(() => world.stop());
  const report = await paymentRounds({ data: join(dir, "evm"), world, rounds: 3, seed: 20_261_122 });
  assert.ok(report.atSteps > 0, "no kill came at a step of handing over");
  assert.ok(report.paid >= report.acknowledged && report.acknowledged > 5, JSON.stringify(report));
});
