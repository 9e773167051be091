import { futuresSteps } from "./futures/generator.ts";
import { ALL, runFutures, SAMPLED } from "./futures/run.ts";
import type { FuturesStep } from "./futures/step.ts";
import { stepsOf } from "./generator.ts";
import type { KeptSeed } from "./kept-seeds.ts";
import { BRISKLY, CLOSELY, type Run, run } from "./run.ts";
import { settingsOf } from "./settings.ts";
import { shrink } from "./shrink.ts";

/**
 * What a seed stands for: a venue of spot trading beside the model of it, or one of spot and futures together beside futures
 * accounts that are kept by hand. The model counts orders and deals of one product, so it cannot look at both.
 */
export const WORLDS = ["spot", "futures"] as const;
export type WorldName = (typeof WORLDS)[number];

/** The steps of a seed: those that set up its venue, then so many that happen in it. */
function worldSteps(world: WorldName, seed: number, commands: number): FuturesStep[] {
  return world === "spot" ? stepsOf(settingsOf(seed), commands) : futuresSteps(seed, commands);
}

/** Runs steps, looking at everything after each, or now and then. */
export function runSteps(world: WorldName, steps: readonly FuturesStep[], closely: boolean): Run {
  if (world === "spot") return run(steps, closely ? CLOSELY : BRISKLY);
  return runFutures(steps, closely ? ALL : SAMPLED);
}

/** Runs a seed: as many commands in its venue, those that set it up aside. */
export function runSeed(world: WorldName, seed: number, commands: number, closely = false): Run {
  return runSteps(world, worldSteps(world, seed, commands), closely);
}

/** A failing seed with what is left of its steps after shrinking. */
export function shrunkSeed(world: WorldName, seed: number, commands: number, at: number): KeptSeed {
  const failing = worldSteps(world, seed, commands).slice(0, at + 1);
  // An engine that is restored more often may hide what another one shows.
  const closely = runSteps(world, failing, true).failure !== undefined;
  const shows = (list: readonly FuturesStep[]) => runSteps(world, list, closely).failure?.differences[0];
  // Numbers change as steps are left out.
  const kindOf = (list: readonly FuturesStep[]) => shows(list)?.replace(/\d+/g, "0");
  const steps = shrink(failing, kindOf);
  return { world, seed, commands, showed: shows(steps) ?? "It does not show again.", steps };
}
