/** Codes of the savings that travel in records; they never change. */
import { DUE_RANKS } from "../due.ts";
import { CELLS } from "../ledger/cell.ts";
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const SAVINGS_REFUSALS = declareRefusals({ savings_behind: 160 });

export const SAVINGS_CELL = CELLS.declare({
  financial: { code: 23, owner: "user", sign: "positive", place: "asset", account: "FINANCIAL" },
  /** Interest of the day that was put aside at midnight and is not yet paid to everybody. */
  interest_due: { code: 24, owner: "venue", sign: "positive", place: "asset" },
});

export const SAVINGS_POSTING = POSTINGS.declare({
  savings_interest: { code: 26, statement: "investment_interest" },
});

/**
 * Interest comes before funding and settlement in 11.3; it touches nothing of theirs, and has its code behind them.
 */
export const SAVINGS_RANK = DUE_RANKS.declare({ savings_interest: { code: 35 } });

type OwnRefusals = typeof SAVINGS_REFUSALS;
type OwnCells = typeof SAVINGS_CELL;
type OwnPostings = typeof SAVINGS_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/cell.ts" {
  interface CellKinds extends OwnCells {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
