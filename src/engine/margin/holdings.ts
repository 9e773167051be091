import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { figuresOf } from "./risk.ts";

/** Adds up the margin accounts of a user, less their loans with interest. Linear in the markets of the venue. */
export function marginHoldings(state: State, userId: number, hold: (assetId: number, units: bigint) => void): void {
  const { accounts } = state.margin;
  if (accounts.count === 0) return;
  for (const { id, baseAssetId, quoteAssetId } of state.markets) {
    const row = accounts.find(userId, id);
    if (row === NONE) continue;
    const { baseHave, quoteHave, basePrincipal, quotePrincipal } = figuresOf(state, row);
    hold(baseAssetId, baseHave - basePrincipal);
    hold(quoteAssetId, quoteHave - quotePrincipal);
  }
}
