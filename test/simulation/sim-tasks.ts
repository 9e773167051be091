/** What the runner and its workers send each other. */
import type { KeptSeed } from "./kept-seeds.ts";
import type { Run } from "./run.ts";
import type { WorldName } from "./seed-run.ts";

export interface SeedTask {
  readonly world: WorldName;
  readonly seed: number;
  readonly commands: number;
}

export interface SeedAnswer extends Run {
  readonly world: WorldName;
  readonly seed: number;
  /** Of a failing seed. */
  readonly kept: KeptSeed | undefined;
}
