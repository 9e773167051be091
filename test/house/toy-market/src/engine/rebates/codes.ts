/** Codes of rebates that travel in records; they never change. */
import { CELLS } from "../ledger/cell.ts";
import { POSTINGS } from "../ledger/posting.ts";

/** What rebates are paid from; an operator funds it. */
export const REBATE_CELL = CELLS.declare({
  rebate_fund: {
    code: 30,
    owner: "venue",
    sign: "positive",
    place: "asset",
    adjustsAs: "sys:rebates",
    isFundable: true,
  },
});

export const REBATE_POSTING = POSTINGS.declare({ maker_rebate: { code: 30, statement: "maker_cash_back" } });

type OwnCells = typeof REBATE_CELL;
type OwnPostings = typeof REBATE_POSTING;

declare module "../ledger/cell.ts" {
  interface CellKinds extends OwnCells {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
