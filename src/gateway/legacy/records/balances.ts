import type { State } from "../../../engine/state.ts";
import { spotBalances } from "../../current/records/spot-balances.ts";
import { NOTHING } from "../../reading/market-printer.ts";
import type { LegacyBalance } from "../types.generated.ts";

/** Returns the balances of a user's spot account by currency, or only that of `only`. */
export function legacyBalancesOf(state: State, userId: number, only?: string): Record<string, LegacyBalance> {
  const balances = spotBalances(state, userId).filter(({ ccy }) => only === undefined || ccy === only);
  return Object.fromEntries(balances.map(({ ccy, available, frozen }) => [ccy, { available, frozen, lock: NOTHING }]));
}
