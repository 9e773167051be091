/** What the runner and its workers send each other. */
import type { KeptSeed } from "./kept-seeds.ts";
import type { Run } from "./world.ts";

export interface SeedTask {
  readonly world: string;
  readonly seed: number;
  readonly commands: number;
}

export interface SeedAnswer extends Run {
  readonly world: string;
  readonly seed: number;
  /** Of a failing seed. */
  readonly kept: KeptSeed | undefined;
}
