import { CELL, cellKey } from "../../../engine/ledger/cell.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { SpotBalance } from "../types.generated.ts";

/**
 * Returns the balances of a user's spot account, by currency; currencies of which the user has nothing are left out.
 */
export function spotBalances(state: State, userId: number): SpotBalance[] {
  return balancesIn(state, CELL.spot, userId);
}

/** The same of an account whose cells are of this kind, one per asset. */
export function balancesIn({ assets, ledger }: State, kind: number, userId: number): SpotBalance[] {
  const balances: SpotBalance[] = [];
  for (const { id, ccy, scale } of assets) {
    const cell = ledger.find(cellKey(kind, userId, id));
    if (cell === NONE) continue;
    const available = ledger.available(cell);
    const frozen = ledger.frozen(cell);
    if (available === 0n && frozen === 0n) continue;
    balances.push({ ccy, available: formatDecimal(available, scale), frozen: formatDecimal(frozen, scale) });
  }
  return balances.sort((left, right) => (left.ccy < right.ccy ? -1 : 1));
}
