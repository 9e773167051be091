import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../support/runs.ts";
import { describe } from "../support/venue.ts";
import { setup, stepOf, stepsOf } from "./generator.ts";
import { keptSeeds } from "./kept-seeds.ts";
import { BRISKLY, CLOSELY, type Run, run } from "./run.ts";
import { runSeed, runSteps } from "./seed-run.ts";
import { settingsOf } from "./settings.ts";
import { shrink } from "./shrink.ts";
import { type Step, stepsFromJson, stepsToJson } from "./step.ts";

test("whatever is done to it, the engine does what the plain model of the venue does", () => {
  const seed = fc.noShrink(fc.nat());
  const numbers = fc.array(fc.nat(2 ** 32 - 1), { maxLength: 200, size: "max" });
  fc.assert(
    fc.property(seed, numbers, (settingsSeed, list) => {
      const settings = settingsOf(settingsSeed);
      const steps = list.map((number, at) => stepOf(settings, number, at / list.length));
      assertClean(run([...setup(settings), ...steps], CLOSELY));
    }),
    runs(60),
  );
});

test("twenty seeds of the simulation run clean", () => {
  const answers = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const done = runSeed("spot", seed, 2_000);
    assertClean(done);
    for (const answer of done.tally.keys()) answers.add(answer);
  }
  // What never happens is not compared: the generator has to reach nearly every answer there is.
  assert.ok(answers.size > 30, `only ${[...answers].join(", ")} were answered`);
});

test("every seed has a venue to begin with", () => {
  for (let seed = 1; seed <= 1_000; seed++) {
    const { tally } = run(setup(settingsOf(seed)), BRISKLY);
    assert.deepEqual([...tally.keys()], ["none"], `the venue of seed ${seed}`);
  }
});

test("the model knows nothing of the engine but the words of commands and refusals", () => {
  const folder = new URL("model/", import.meta.url);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), "utf8");
    for (const [line, from] of text.matchAll(/^import [^;]* from "(\.\.\/[^"]*)";$/gm)) {
      assert.match(from as string, /^\.\.\/\.\.\/\.\.\/src\/engine\/(command|refusal)\.ts$/, `${name}: ${line}`);
      assert.match(line, /^import type /, name);
    }
  }
});

test("what failed once runs clean", () => {
  for (const { world, seed, showed, steps } of keptSeeds()) {
    const which = `seed ${seed}, which once showed as: ${showed}`;
    for (const closely of [true, false]) assertClean(runSteps(world, steps, closely), which);
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
  const back = stepsFromJson(JSON.parse(JSON.stringify(stepsToJson(steps))));
  const [ours, theirs] = [steps, back].map((list) => list.map(({ command }) => describe(command)));
  assert.deepEqual(theirs, ours);
  assert.ok(back.some(({ command }) => command.kind === "place_order" && typeof command.price === "bigint"));
});

function assertClean({ failure }: Run, which = ""): void {
  if (failure === undefined) return;
  const { at, command, differences } = failure;
  assert.fail(`${which} step ${at}, ${describe(command)}\n${differences.join("\n")}`);
}
