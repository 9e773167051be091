/** Refusal codes of sub-accounts, and the postings that move money between them. */
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const SUB_REFUSALS = declareRefusals({
  not_a_main_account: 110,
  sub_account_not_found: 111,
  too_many_sub_accounts: 112,
  too_many_api_keys: 113,
  sub_api_not_granted: 114,
  sub_account_frozen_by_operator: 115,
});

export const SUB_POSTING = POSTINGS.declare({ sub_transfer: { code: 25, statement: "sub_transfer" } });

type OwnRefusals = typeof SUB_REFUSALS;
type OwnPosting = typeof SUB_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPosting {}
}
