import assert from "node:assert/strict";
import { test } from "node:test";
import { describe } from "../support/venue.ts";
import { keptSeeds } from "./kept-seeds.ts";
import { shrink } from "./shrink.ts";
import { stepsOf } from "./spot/generator.ts";
import { settingsOf } from "./spot/settings.ts";
import type { Step } from "./spot/step.ts";
import { stepsFromJson, stepsToJson } from "./steps-json.ts";
import type { Run } from "./world.ts";
import { worldNamed } from "./worlds.ts";

test("what failed once runs clean", () => {
  for (const { world, seed, showed, steps } of keptSeeds()) {
    const which = `seed ${seed}, which once showed as: ${showed}`;
    for (const closely of [true, false]) assertClean(worldNamed(world).run(steps, closely), which);
  }
});

test("a failing list shrinks to the steps that it takes", () => {
  const steps = stepsOf(settingsOf(1), 300);
  const needed = [steps[7], steps[120], steps[121]];
  const kind = (list: readonly Step[]) =>
    needed.every((step) => list.includes(step as Step)) ? "it fails" : undefined;
  assert.deepEqual(shrink(steps, kind), needed);
});

test("steps come back from JSON as they were", () => {
  const steps = stepsOf(settingsOf(2), 300);
  const back = stepsFromJson(JSON.parse(JSON.stringify(stepsToJson(steps)))) as Step[];
  const [ours, theirs] = [steps, back].map((list) => list.map(({ command }) => describe(command)));
  assert.deepEqual(theirs, ours);
  assert.ok(back.some(({ command }) => command.kind === "place_order" && typeof command.price === "bigint"));
});

function assertClean({ failure }: Run, which = ""): void {
  if (failure === undefined) return;
  const { at, command, differences } = failure;
  assert.fail(`${which} step ${at}, ${describe(command)}\n${differences.join("\n")}`);
}
