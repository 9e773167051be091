import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { onePerFamily } from "../support/ring.ts";
import type { FaultAnswer, FaultTask } from "./fault-worker.ts";
import type { PlantedFault } from "./world.ts";
import { WORLDS } from "./worlds.ts";

/** So many seeds of so many commands must be enough to find a fault. */
const SEEDS = 300;
const COMMANDS = 1_000;

const PLANTED = WORLDS.flatMap(({ name, faults }) => faults.map((fault) => ({ world: name, fault })));

for (const { world, fault } of onePerFamily(PLANTED, ({ world }) => world)) {
  test(`the simulation finds it when ${fault.name}`, async (t) => {
    const seeds = fault.seeds ?? SEEDS;
    const part = fault.part === undefined ? world : `${world}:${fault.part}`;
    const answer = await answerOf({ world: part, fault, seeds, commands: COMMANDS });
    assert.ok(answer !== undefined, `${seeds} seeds ran clean with the fault in ${fault.file}.`);
    t.diagnostic(`seed ${answer.seed}: ${answer.showed}`);
  });
}

test("every fault has its place, also those that are planted in the long ring alone", () => {
  const sources = new Map<string, string>();
  const gone = PLANTED.filter(({ fault: { file, code } }) => {
    const text = sources.get(file) ?? readFileSync(new URL(`../../src/engine/${file}`, import.meta.url), "utf8");
    sources.set(file, text);
    return text.split(code).length !== 2;
  });
  assert.deepEqual(
    gone.map(({ fault }) => `${fault.file}: ${fault.name}`),
    [],
  );
});

test("a fault whose place is gone is not planted quietly", async () => {
  const fault: PlantedFault = { name: "none", file: "engine.ts", code: "no such code", instead: "" };
  await assert.rejects(
    answerOf({ world: "spot", fault, seeds: 1, commands: 1 }),
    /engine\.ts holds the code to change 0 times/,
  );
});

test("without a fault those seeds run clean", async () => {
  const fault: PlantedFault = {
    name: "none",
    file: "engine.ts",
    code: "export class Engine",
    instead: "export class Engine",
  };
  assert.equal(await answerOf({ world: "spot", fault, seeds: 5, commands: COMMANDS }), undefined);
});

async function answerOf(workerData: FaultTask): Promise<FaultAnswer | undefined> {
  const worker = new Worker(new URL("fault-worker.ts", import.meta.url), { workerData });
  const [answer] = (await once(worker, "message")) as [FaultAnswer | undefined];
  await worker.terminate();
  return answer;
}
