/** The balances of a caller's futures accounts. */
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { futuresBalancesOf } from "../../current/records/futures-balances.ts";

export function futuresBalanceHandlers({ state }: Backend): Handlers {
  return {
    "GET /assets/futures/balance": (call) => {
      const balances = futuresBalancesOf(state, call.caller.userId);
      call.answer(balances.sort((left, right) => (left.ccy < right.ccy ? -1 : 1)));
    },
  };
}
