/** Codes of referral that travel in records; they never change. */
import { DUE_RANKS } from "../due.ts";
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const REFERRAL_REFUSALS = declareRefusals({
  refer_code_not_found: 165,
  refer_code_taken: 166,
  already_referred: 167,
  refers_in_a_circle: 168,
  rebate_too_high: 169,
});

export const REFERRAL_POSTING = POSTINGS.declare({ rebate: { code: 31, statement: "maker_cash_back" } });

/** After the interest of the same midnight. */
export const REFERRAL_RANK = DUE_RANKS.declare({ rebates: { code: 36 } });

type OwnRefusals = typeof REFERRAL_REFUSALS;
type OwnPostings = typeof REFERRAL_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
