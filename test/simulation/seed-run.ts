import { stepsOf } from "./generator.ts";
import type { KeptSeed } from "./kept-seeds.ts";
import { BRISKLY, CLOSELY, type Run, run, type Watch } from "./run.ts";
import { settingsOf } from "./settings.ts";
import { shrink } from "./shrink.ts";

/** Runs a seed: as many commands in its venue, those that set it up aside. */
export function runSeed(seed: number, commands: number, watch: Watch = BRISKLY): Run {
  return run(stepsOf(settingsOf(seed), commands), watch);
}

/** A failing seed with what is left of its steps after shrinking. */
export function shrunkSeed(seed: number, commands: number, at: number): KeptSeed {
  const steps = shrink(stepsOf(settingsOf(seed), commands).slice(0, at + 1));
  const showed = run(steps, CLOSELY).failure?.differences[0] ?? "It does not show under closer watch.";
  return { seed, commands, showed, steps };
}
