import type { Command } from "../../../src/engine/command.ts";
import type { LawMaker } from "./laws/law.ts";
import type { Stage } from "./stage.ts";
import type { Script, Strategy } from "./strategy.ts";
import type { Terms } from "./terms.ts";

/** What a product adds to the plays of adversaries. */
export interface PlayPart {
  readonly name: string;
  readonly strategies: readonly Strategy[];
  readonly laws: readonly LawMaker[];
  /** What is set up of it, after markets of spot and futures are listed. */
  readonly listings?: (terms: Terms) => readonly Command[];
  /**
   * What is there only in plays with a strategy of its own, so that other plays stay what they are: actions of honest
   * people, and commands that are set up last.
   */
  readonly forItsOwn?: (script: Script, terms: Terms) => readonly Command[];
  /** Of accounts that it keeps for a user. */
  readonly accounts?: (stage: Stage, userId: number) => Iterable<Kept>;
}

/** An account of a product at the fair prices, in the unit of worth: what lies in it less what it owes. */
export interface Kept {
  readonly equity: bigint;
  /** Other money of the user stands behind it. */
  readonly isBacked?: boolean;
}
