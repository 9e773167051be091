import type { World } from "../world.ts";
import { ADVERSARY_FAULTS } from "./planted-faults.ts";
import { playSteps } from "./play.ts";
import { runPlay } from "./run.ts";
import type { PlayStep } from "./step.ts";

/** Anyone who plays the rules for money, against honest people and a path of prices that he does not choose. */
export const adversary: World<PlayStep> = {
  name: "adversary",
  commands: 2_000,
  steps: playSteps,
  run: runPlay,
  faults: ADVERSARY_FAULTS,
  variant: (strategy) => ({ ...adversary, steps: (seed, commands) => playSteps(seed, commands, strategy) }),
};
