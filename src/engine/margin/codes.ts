/** Codes of margin trading that travel in records; they never change. */
import { DUE_RANKS } from "../due.ts";
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const MARGIN_REFUSALS = declareRefusals({
  margin_account_missing: 60,
  loan_not_offered: 61,
  loan_too_small: 62,
  loan_too_large: 63,
  too_many_loans: 64,
  lending_pool_short: 65,
  loan_exceeds_worth: 66,
  loan_not_found: 67,
  margin_debt: 68,
  margin_liquidating: 69,
  margin_worth_at_risk: 70,
  margin_waits_for_index: 71,
  margin_index_stale: 72,
});

export const MARGIN_POSTING = POSTINGS.declare({
  margin_borrow: { code: 13, statement: "margin_borrow" },
  margin_repay: { code: 14, statement: "margin_repay" },
  margin_interest: { code: 15, statement: "margin_interest" },
  /** The fee of a liquidation, and what the insurance fund takes over in one. */
  margin_liquidation: { code: 16, statement: "liquidation" },
});

/** Interest comes before all else of its time; the rest is of margin alone. Source: domain 11.3. */
export const MARGIN_RANK = DUE_RANKS.declare({
  margin_interest: { code: 0 },
  margin_expiry: { code: 13 },
  margin_liquidation: { code: 14 },
  margin_fund: { code: 15 },
});

type OwnRefusals = typeof MARGIN_REFUSALS;
type OwnPostings = typeof MARGIN_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
