import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { SpotBalance } from "../types.generated.ts";

/** What a user has in its spot account, by currency; those of which it has nothing are left out. */
export function spotBalances({ assets, ledger }: State, userId: number): SpotBalance[] {
  const balances: SpotBalance[] = [];
  for (const { id, ccy, scale } of assets) {
    const cell = ledger.findSpotCell(userId, id);
    if (cell === NONE) continue;
    const available = ledger.available(cell);
    const frozen = ledger.frozen(cell);
    if (available === 0n && frozen === 0n) continue;
    balances.push({ ccy, available: formatDecimal(available, scale), frozen: formatDecimal(frozen, scale) });
  }
  return balances.sort((left, right) => (left.ccy < right.ccy ? -1 : 1));
}
