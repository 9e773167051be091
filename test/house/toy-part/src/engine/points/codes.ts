/** Codes of the points that travel in records; they never change. */
import { DUE_RANKS } from "../due.ts";
import { CELLS } from "../ledger/cell.ts";
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const POINTS_REFUSALS = declareRefusals({ not_enough_points: 200, too_many_points: 201 });

/** What redeemed points are paid from; an operator funds it. */
export const POINTS_CELL = CELLS.declare({
  points_fund: {
    code: 30,
    owner: "venue",
    sign: "positive",
    place: "asset",
    adjustsAs: "sys:points",
    isFundable: true,
  },
});

export const POINTS_POSTING = POSTINGS.declare({ redeem: { code: 30, statement: "maker_cash_back" } });

/** After everything else of the same time. */
export const POINTS_RANK = DUE_RANKS.declare({ points: { code: 200 } });

type OwnRefusals = typeof POINTS_REFUSALS;
type OwnCells = typeof POINTS_CELL;
type OwnPostings = typeof POINTS_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/cell.ts" {
  interface CellKinds extends OwnCells {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
