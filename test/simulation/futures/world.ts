import type { World } from "../world.ts";
import { futuresSteps } from "./generator.ts";
import { FUTURES_FAULTS } from "./planted-faults.ts";
import { ALL, runFutures, SAMPLED } from "./run.ts";
import type { FuturesStep } from "./step.ts";

/** Spot and futures in one venue, beside futures accounts that are kept by hand. */
export const futures: World<FuturesStep> = {
  name: "futures",
  commands: 2_000,
  steps: futuresSteps,
  run: (steps, closely) => runFutures(steps, closely ? ALL : SAMPLED),
  faults: FUTURES_FAULTS,
};
