import { SPOT_PARTS } from "../parts.ts";
import type { World } from "../world.ts";
import { stepsOf } from "./generator.ts";
import { BRISKLY, CLOSELY, run } from "./pair.ts";
import { settingsOf } from "./settings.ts";
import type { Step } from "./step.ts";

/** Spot trading beside the plain model of it. */
export const spot: World<Step> = {
  name: "spot",
  commands: 2_000,
  steps: (seed, commands) => stepsOf(settingsOf(seed), commands),
  run: (steps, closely) => run(steps, closely ? CLOSELY : BRISKLY),
  faults: SPOT_PARTS.flatMap(({ faults }) => faults),
};
