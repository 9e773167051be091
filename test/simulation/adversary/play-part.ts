import type { LawMaker } from "./laws/law.ts";
import type { Strategy } from "./strategy.ts";

/** What a product adds to the plays of adversaries. */
export interface PlayPart {
  readonly name: string;
  readonly strategies: readonly Strategy[];
  readonly laws: readonly LawMaker[];
}
