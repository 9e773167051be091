import { cellKey } from "../ledger/cell.ts";
import type { State } from "../state.ts";
import { PAYMENT_CELL } from "./codes.ts";
import { payments } from "./payments.ts";
import { isOpen } from "./withdrawal.ts";

/**
 * Deducts money that is as good as gone from a user: withdrawals under way, whose money is still frozen in spot, and
 * debts for deposits.
 */
export function paymentHoldings(state: State, userId: number, hold: (assetId: number, units: bigint) => void): void {
  const { openOf, withdrawals, debtors } = payments.of(state);
  if ((openOf.get(userId) ?? 0) > 0) {
    for (const one of withdrawals.values()) {
      if (one.userId !== userId || !isOpen(one)) continue;
      hold(one.assetId, -one.amount);
      if (one.feeAssetId !== one.assetId) hold(one.feeAssetId, -one.fee);
    }
  }
  if (debtors.size === 0) return;
  for (const { id } of state.assets) {
    const debt = state.ledger.find(cellKey(PAYMENT_CELL.deposit_debt, userId, id));
    if (debt >= 0) hold(id, state.ledger.available(debt));
  }
}
