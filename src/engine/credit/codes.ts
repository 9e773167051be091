/** Codes of credit that travel in records; they never change. */
import { CELLS } from "../ledger/cell.ts";
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const CREDIT_REFUSALS = declareRefusals({
  credit_trade_risk: 161,
  credit_withdrawal_risk: 162,
  credit_not_found: 163,
  no_usd_price: 164,
});

/** The pool that loans are granted from. Repaid principal goes back to it. */
export const CREDIT_CELL = CELLS.declare({
  credit_pool: {
    code: 25,
    owner: "venue",
    sign: "positive",
    place: "asset",
    adjustsAs: "sys:credit_pool",
    isFundable: true,
    since: "creditFunded",
  },
});

/** The statement knows loans by the words of margin. */
export const CREDIT_POSTING = POSTINGS.declare({
  credit_loan: { code: 27, statement: "margin_borrow" },
  credit_repayment: { code: 28, statement: "margin_repay" },
  credit_interest: { code: 29, statement: "margin_interest" },
});

type OwnRefusals = typeof CREDIT_REFUSALS;
type OwnCells = typeof CREDIT_CELL;
type OwnPostings = typeof CREDIT_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/cell.ts" {
  interface CellKinds extends OwnCells {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
