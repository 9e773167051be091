import type { KeptSeed } from "./kept-seeds.ts";
import { shrink } from "./shrink.ts";
import type { Run } from "./world.ts";
import { worldNamed } from "./worlds.ts";

/** Runs a seed: as many commands in its venue, those that set it up aside. */
export function runSeed(name: string, seed: number, commands: number, closely = false): Run {
  const world = worldNamed(name);
  return world.run(world.steps(seed, commands), closely);
}

/** A failing seed with what is left of its steps after shrinking. */
export function shrunkSeed(name: string, seed: number, commands: number, at: number): KeptSeed {
  const world = worldNamed(name);
  const failing = world.steps(seed, commands).slice(0, at + 1);
  // An engine that is restored more often may hide what another one shows.
  const closely = world.run(failing, true).failure !== undefined;
  const shows = (list: readonly unknown[]) => world.run(list, closely).failure?.differences[0];
  // Numbers change as steps are left out.
  const kindOf = (list: readonly unknown[]) => shows(list)?.replace(/\d+/g, "0");
  const steps = shrink(failing, kindOf);
  return { world: name, seed, commands, showed: shows(steps) ?? "It does not show again.", steps };
}
