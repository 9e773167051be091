import { SPOT_PARTS } from "../parts.ts";
import type { World } from "../world.ts";
import { stepsOf } from "./generator.ts";
import { BRISKLY, CLOSELY, run } from "./pair.ts";
import { settingsOf } from "./settings.ts";
import type { Step } from "./step.ts";

/**
 * Spot trading beside the plain model of it. Its variants are venues in which there happens much to one part, named by
 * it.
 */
export const spot: World<Step> = {
  ...worldAbout(undefined),
  variant: (name) => {
    if (SPOT_PARTS.every((part) => part.name !== name)) throw new Error(`The world of spot has no part ${name}.`);
    return worldAbout(name);
  },
};

function worldAbout(part: string | undefined): World<Step> {
  return {
    name: "spot",
    commands: 2_000,
    steps: (seed, commands) => stepsOf(settingsOf(seed, part), commands),
    run: (steps, closely) => run(steps, closely ? CLOSELY : BRISKLY),
    // A part's faults are looked for where there happens much to it.
    faults: SPOT_PARTS.flatMap(({ name, faults }) => faults.map((fault) => ({ part: name, ...fault }))),
  };
}
