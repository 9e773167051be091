import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import { emptyAccount, settleByFund } from "./debt.ts";
import { payFromAvailable } from "./lending.ts";
import { arm } from "./watch.ts";

/**
 * Ends all margin accounts of a market that leaves: each pays its loans with what it has; what then is missing of one
 * currency the insurance fund pays, and takes the other by the last index. What remains goes to the spot account, but
 * for who is left with a debt.
 */
export function leaveMargin(state: State, market: Market): void {
  const { margin } = state;
  if (!margin.terms.has(market.id)) return;
  const { accounts } = margin;
  for (let row = 0; row < accounts.count; row++) {
    if (accounts.marketId(row) !== market.id) continue;
    for (const isQuote of [false, true]) payFromAvailable(state, row, isQuote, "finish");
    settleByFund(state, market, row);
    margin.liquidations.delete(row);
    margin.warned.delete(row);
    if (accounts.debts(row) === 0) emptyAccount(state, market, row);
    arm(state, row);
  }
}
