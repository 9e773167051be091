/** Checks an order of a margin account before anything else of it is looked at. Source: domain 2.1 and 3.5. */
import type { Market } from "../listing/market.ts";
import "./codes.ts";
import { refusalNumber } from "../refusal.ts";
import type { State } from "../state.ts";

const R = {
  notAvailable: refusalNumber("margin_not_available"),
  accountMissing: refusalNumber("margin_account_missing"),
  liquidating: refusalNumber("margin_liquidating"),
};

/** Whether a user has a margin account in the market, and may trade with it; 0 = yes. */
export function refuseMarginOrder({ margin }: State, userId: number, market: Market): number {
  if (!margin.terms.has(market.id)) return R.notAvailable;
  const row = margin.accounts.find(userId, market.id);
  if (row < 0) return R.accountMissing;
  return margin.liquidations.has(row) ? R.liquidating : 0;
}
