import type { PlantedFault } from "../world.ts";

/** Rules that keep an adversary from gaining, and a strategy that gains when one is taken out. */
const STOPS: ReadonlyArray<readonly [rule: string, strategy: string, name: string]> = [
  ["depthAtIndex", "thin_book", "depth that is not there speaks"],
  ["meansOverMinutes", "thin_book", "a minute without a sample does not count"],
  ["boundedMark", "thin_book", "the mark goes wherever premiums lead"],
  ["staleIndexWaits", "silent_index", "a deal stands in for a silent index"],
  ["guardedFund", "let_go", "the ladder and deleveraging spend the insurance fund"],
  ["deductionByIndex", "wash_deduction", "fees are deducted at the latest price of the coin"],
  ["bandsByIndex", "sweep", "prices of orders are held to the latest price"],
  ["interruptions", "sweep", "no market is interrupted"],
  ["silentBands", "silent_index", "a silent index holds no prices of orders"],
  ["anchoredInterruptions", "hold_auction", "an interrupted market opens wherever two accounts say"],
  ["heldTriggers", "fright", "triggers of futures by the latest price fire and trade wherever that is"],
  ["delistingWaits", "last_mark", "a market leaves at an old mark"],
  ["bankruptTakenOver", "last_mark", "the fund pays for all who are bankrupt when a suspended market leaves"],
];

/** So many plays must be enough to find that a rule is missing. */
const PLAYS = 2_000;

export const ADVERSARY_FAULTS: readonly PlantedFault[] = STOPS.map(([rule, part, name]) => ({
  name,
  part,
  seeds: PLAYS,
  file: "rules-version.ts",
  code: "return rulesVersion >= SINCE[rule];",
  instead: `return rulesVersion >= SINCE[rule] && rule !== "${rule}";`,
}));
