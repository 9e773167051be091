/** Settings and fee rates of accounts in the legacy generation: /v1/account/… */
import type { Backend } from "../../backend.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { execute } from "../../reading/execute.ts";
import { feeRatesOf } from "../../reading/fee-rates.ts";
import { rateText } from "../../reading/market-printer.ts";
import { inMarket } from "../../reading/named-markets.ts";
import { actorOf } from "./account.ts";

export function legacyAccountHandlers(backend: Backend): LegacyHandlers {
  const { state } = backend;
  return {
    "PUT /v1/account/settings": (call) => {
      const { userId } = call.caller;
      const change = { userId, byUser: true, feeDeduction: call.params.cet_discount };
      execute(backend, call, { kind: "change_user", actor: actorOf(state, userId), ...change }, () =>
        call.answer(undefined),
      );
    },

    "GET /v1/account/market/fee": (call) => {
      const { caller, params } = call;
      const product = params.business_type === "PERPETUAL" ? "futures" : "spot";
      inMarket(state, product, call, params.market, (market) => {
        const { maker, taker } = feeRatesOf(state, caller.userId, market);
        call.answer({ maker: rateText(maker), taker: rateText(taker) });
      });
    },
  };
}
