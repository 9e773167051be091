import type { State } from "../state.ts";
import { cashOf, marginOf, positionsOf, termsOf } from "./positions/account-sums.ts";
import { signOf, valueAtMark } from "./positions/contract.ts";
import { LIQUIDATOR } from "./positions/futures-account.ts";

/**
 * The equity of futures accounts at the mark, as a debt of the venue: cash and cross positions together, and each
 * isolated position with its margin, none below 0. Of what the venue has taken over nothing is owed to anybody.
 */
export function futuresOwed(state: State, owe: (userId: number, assetId: number, units: bigint) => void): void {
  const { accounts, positions } = state.futures;
  for (let account = 0; account < accounts.count; account++) {
    const userId = accounts.userId(account);
    if (userId === LIQUIDATOR) continue;
    let cross = cashOf(state, account);
    let isolated = 0n;
    for (const slot of positionsOf(state, account)) {
      const unrealized = unrealizedOf(state, slot);
      if (!positions.isIsolated(slot)) cross += unrealized;
      else isolated += atLeastZero(marginOf(state, slot) + unrealized);
    }
    const units = atLeastZero(cross) + isolated;
    if (units > 0n) owe(userId, accounts.assetId(account), units);
  }
}

/**
 * As in `positionAtMark`, without what else is worked out there: all positions are looked at while no order is taken.
 */
function unrealizedOf(state: State, slot: number): bigint {
  const { positions, live } = state.futures;
  const marketId = positions.marketId(slot);
  const terms = termsOf(state, marketId);
  const sign = signOf(terms, positions.isShort(slot));
  return sign * (valueAtMark(terms, live.mark(marketId), positions.amount(slot), sign) - positions.settleCost(slot));
}

function atLeastZero(units: bigint): bigint {
  return units > 0n ? units : 0n;
}
