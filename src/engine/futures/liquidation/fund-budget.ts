/** The insurance fund of futures as the markets that it pays for see it. Source: domain 4.14. */
import * as budgets from "../../insurance/budget.ts";
import { futuresFund } from "../../insurance/funds.ts";
import type { Market } from "../../listing/market.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";

/** The units that the fund may still lose in a market now; in rules version 1 all that it has. */
export function budgetLeft(state: State, market: Market): bigint {
  const fund = futuresFund(market);
  if (!holds(state, "guardedFund")) return state.ledger.heldByVenue(fund.cellKind, fund.assetId);
  return budgets.budgetLeft(state, fund);
}

/** Counts a loss of what the venue has taken over; a gain does not give anything back. */
export function noteResult(state: State, market: Market, result: bigint): void {
  if (holds(state, "guardedFund")) budgets.noteLoss(state, futuresFund(market), -result);
}
