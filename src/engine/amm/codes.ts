/** Codes of the pools that travel in records; they never change. */
import { DUE_RANKS } from "../due.ts";
import { CELLS } from "../ledger/cell.ts";
import { POSTINGS } from "../ledger/posting.ts";
import { declareRefusals } from "../refusal.ts";

const AMM_REFUSALS = declareRefusals({
  pool_not_found: 90,
  pool_in_use: 91,
  pool_price_off_index: 92,
  liquidity_too_small: 93,
  liquidity_too_large: 94,
  liquidity_locked: 95,
  no_liquidity: 96,
});

/**
 * The reserve of a pool in each currency of its market, and the part of its fees that belongs to its providers and has
 * not been paid to them.
 */
export const AMM_CELL = CELLS.declare({
  amm: { code: 15, owner: "venue", sign: "positive", place: "market_asset" },
  amm_pot: { code: 16, owner: "venue", sign: "positive", place: "market_asset" },
});

export const AMM_POSTING = POSTINGS.declare({
  amm_add: { code: 18, statement: "amm_add" },
  amm_remove: { code: 19, statement: "amm_remove" },
  amm_dividend: { code: 20, statement: "amm_dividend" },
});

/** After funding and settlement of the same time. */
export const AMM_RANK = DUE_RANKS.declare({ amm_day: { code: 3 } });

type OwnRefusals = typeof AMM_REFUSALS;
type OwnCells = typeof AMM_CELL;
type OwnPostings = typeof AMM_POSTING;

declare module "../refusal.ts" {
  interface Refusals extends OwnRefusals {}
}
declare module "../ledger/cell.ts" {
  interface CellKinds extends OwnCells {}
}
declare module "../ledger/posting.ts" {
  interface PostingKinds extends OwnPostings {}
}
