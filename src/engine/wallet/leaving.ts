/** What must be asked before money leaves a user, and what a user owns in all. */
import type { Answer } from "../answer.ts";
import { hooks } from "../hooks.ts";
import { cellKey } from "../ledger/cell.ts";
import type { Leaving } from "../part.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";

/**
 * Why so much may not leave a user, to another user (a sub-account is one) or out of the venue; undefined when it may. Whoever carries
 * out such a command asks before its first write; transfers between accounts of one user need not.
 */
export function refuseLeaving(state: State, userId: number, leaving: readonly Leaving[]): Answer | undefined {
  for (const part of hooks()) {
    const refusal = part.refuseLeaving?.(state, userId, leaving);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** What a user owns of each asset over all accounts, units, less what it owes there. Linear in the assets of the venue. */
export function holdingsOf(state: State, userId: number): Map<number, bigint> {
  const holdings = new Map<number, bigint>();
  for (const part of hooks()) {
    part.holdings?.(state, userId, (assetId, units) => {
      holdings.set(assetId, (holdings.get(assetId) ?? 0n) + units);
    });
  }
  return holdings;
}

/** Both parts of a user's cells of a kind that has one per asset, for `holdings` of a part. */
export function holdingsIn(kind: number) {
  return ({ assets, ledger }: State, userId: number, hold: (assetId: number, units: bigint) => void): void => {
    for (const { id } of assets) {
      const cell = ledger.find(cellKey(kind, userId, id));
      if (cell !== NONE) hold(id, ledger.available(cell) + ledger.frozen(cell));
    }
  };
}
