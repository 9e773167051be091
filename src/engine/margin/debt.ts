/** What liquidations have left unpaid. Source: domain 3.5. */
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";

/** Whether a margin account of the user owes a debt. Linear in the margin markets of the venue. Reads only. */
export function hasMarginDebt({ margin: { accounts, debts, terms } }: State, userId: number): boolean {
  if (debts.size === 0) return false;
  for (const marketId of terms.keys()) {
    const row = accounts.find(userId, marketId);
    if (row !== NONE && accounts.debts(row) > 0) return true;
  }
  return false;
}
