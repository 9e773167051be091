/**
 * What a simulated world is to the runner: where its steps come from, how they are judged, and which faults it must
 * find.
 */
import type { Command } from "../../src/engine/command.ts";
import type { Plant } from "../support/plant-fault.ts";

export interface Failure {
  /** Position of the step after which it showed. */
  readonly at: number;
  readonly command: Command;
  /** Sentences. */
  readonly differences: readonly string[];
}

export interface Run {
  readonly commands: number;
  /** Undefined: nothing was wrong throughout. */
  readonly failure: Failure | undefined;
  /** How often each refusal was answered, accepted commands under "none", and how often what happened. */
  readonly tally: ReadonlyMap<string, number>;
  /** Of a world with adversaries: what each strategy has won, in USDT. */
  readonly gains?: ReadonlyMap<string, number>;
}

const REPOSITORY = new URL("../../", import.meta.url).href;

/**
 * A difference: what the engine threw, and where. Places are those of the repository, wherever that lies, since seeds
 * are kept with what they showed.
 */
export function threw(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `It threw: ${text.replaceAll(REPOSITORY, "")}`;
}

/** A fault that the simulation has to find: it changes one place of the engine as it is loaded. */
export interface PlantedFault extends Plant {
  readonly name: string;
  /** Module of src/engine. */
  readonly file: string;
  /**
   * The part of its world that finds it, and within how many seeds from which on; a few of the whole world unless told.
   */
  readonly part?: string;
  readonly seeds?: number;
  readonly from?: number;
}

export interface World<Step = unknown> {
  readonly name: string;
  /** How many steps a seed has unless told otherwise, those that set up its venue aside. */
  readonly commands: number;
  /**
   * The steps of a seed: those that set up its venue, then so many that happen in it. Plain data, and all that a run
   * hangs on.
   */
  steps(seed: number, commands: number): Step[];
  /** Runs steps, looking at everything after each, or now and then. */
  run(steps: readonly Step[], closely: boolean): Run;
  readonly faults: readonly PlantedFault[];
  /** A part of it, named behind a colon. */
  variant?(name: string): World<Step>;
}
