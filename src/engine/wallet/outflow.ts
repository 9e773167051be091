/** Checks to make before money leaves a user, or goes where leverage may lose it. Source: domain 6.6 and 7. */
import type { Answer } from "../answer.ts";
import { hooks } from "../hooks.ts";
import { cellKey } from "../ledger/cell.ts";
import type { Outflow, Outlet } from "../part.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";

/**
 * Why so much may not leave a user; undefined when it may. Anyone who carries out such a command asks before its first
 * write, and anyone who pays out what was put aside asks once more.
 */
export function refuseOutflow(
  state: State,
  userId: number,
  outflow: readonly Outflow[],
  outlet: Outlet = "others",
): Answer | undefined {
  for (const part of hooks()) {
    const refusal = part.refuseOutflow?.(state, userId, outflow, outlet);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The same of what goes into an account of the user's own in which leverage may lose it, or into a pool. */
export function refusePledging(
  state: State,
  userId: number,
  outflow: readonly Outflow[],
  outlet: Outlet,
): Answer | undefined {
  return holds(state, "ordersByResult") ? refuseOutflow(state, userId, outflow, outlet) : undefined;
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
