/** The balances of sub-accounts for their main account: exactly as the sub-accounts see them themselves. */
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { futuresBalancesOf } from "../../current/records/futures-balances.ts";
import { marginBalancesOf } from "../../current/records/margin.ts";
import { spotBalances } from "../../current/records/spot-balances.ts";
import { inMarketOrAll } from "../../reading/named-markets.ts";
import { invalidParameter } from "../../refused.ts";
import { inSub } from "./named-sub.ts";

export function subBalanceHandlers({ state }: Backend): Handlers {
  return {
    "GET /account/subs/balance": (call) => {
      const { sub_user_name: name, market_type: type, market } = call.params;
      inMarketOrAll(state, "spot", call, market, (named) =>
        inSub(state, call, name, (subUserId) => {
          if (type === "SPOT") call.answer(spotBalances(state, subUserId));
          else if (type === "FUTURES") call.answer(futuresBalancesOf(state, subUserId));
          else call.answer(marginBalancesOf(state, subUserId, named));
        }),
      );
    },

    "GET /account/subs/spot-balance": (call) => {
      const { sub_user_name: name, ccy } = call.params;
      if (ccy !== undefined && !state.assetByCcy.has(ccy)) {
        call.refuse(invalidParameter(`the currency ${ccy} is not listed.`));
        return;
      }
      inSub(state, call, name, (subUserId) => {
        const balances = spotBalances(state, subUserId);
        call.answer(ccy === undefined ? balances : balances.filter((balance) => balance.ccy === ccy));
      });
    },
  };
}
