import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { atMark, cashOf, leansOnStaleIndex, marginOf, positionsOf } from "./positions/account-sums.ts";

/**
 * Adds up the futures accounts of a user: cash and margins, less the losses of positions at the mark. Profit on paper
 * does not count, and an account that depends on a stale index counts only where it comes to less than 0.
 */
export function futuresHoldings(state: State, userId: number, hold: (assetId: number, units: bigint) => void): void {
  const { accounts } = state.futures;
  for (const { id } of state.assets) {
    const account = accounts.find(userId, id);
    if (account === NONE) continue;
    let units = cashOf(state, account);
    for (const slot of positionsOf(state, account)) units += worthOf(state, slot);
    if (units < 0n || !leansOnStaleIndex(state, userId, id)) hold(id, units);
  }
}

/** An isolated position loses its margin at most. */
function worthOf(state: State, slot: number): bigint {
  const { unrealized } = atMark(state, slot);
  const loss = unrealized < 0n ? unrealized : 0n;
  if (!state.futures.positions.isIsolated(slot)) return loss;
  const left = marginOf(state, slot) + loss;
  return left > 0n ? left : 0n;
}
