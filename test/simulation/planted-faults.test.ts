import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { FaultAnswer, FaultTask } from "./fault-worker.ts";
import { FUTURES_FAULTS } from "./futures/planted-faults.ts";
import { PLANTED_FAULTS, type PlantedFault } from "./planted-faults.ts";

/** So many seeds of so many commands must be enough to find a fault. */
const SEEDS = 120;
const COMMANDS = 1_000;

for (const fault of [...PLANTED_FAULTS, ...FUTURES_FAULTS]) {
  test(`the simulation finds it when ${fault.name}`, async (t) => {
    const answer = await answerOf({ fault, seeds: SEEDS, commands: COMMANDS });
    assert.ok(answer !== undefined, `${SEEDS} seeds ran clean with the fault in ${fault.file}.`);
    t.diagnostic(`seed ${answer.seed}: ${answer.showed}`);
  });
}

test("a fault whose place is gone is not planted quietly", async () => {
  const fault: PlantedFault = { name: "none", file: "engine.ts", code: "no such code", instead: "" };
  await assert.rejects(answerOf({ fault, seeds: 1, commands: 1 }), /engine\.ts holds the code to change 0 times/);
});

test("without a fault those seeds run clean", async () => {
  const fault: PlantedFault = {
    name: "none",
    file: "engine.ts",
    code: "export class Engine",
    instead: "export class Engine",
  };
  assert.equal(await answerOf({ fault, seeds: 5, commands: COMMANDS }), undefined);
});

async function answerOf(workerData: FaultTask): Promise<FaultAnswer | undefined> {
  const worker = new Worker(new URL("fault-worker.ts", import.meta.url), { workerData });
  const [answer] = (await once(worker, "message")) as [FaultAnswer | undefined];
  await worker.terminate();
  return answer;
}
