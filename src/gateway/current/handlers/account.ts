/** What a caller asks about its own account. */
import type { Backend } from "../../backend.ts";
import { marketNotFound } from "../../refusals.ts";
import type { Handlers } from "../api.ts";
import { rateText } from "./market-printer.ts";
import { inMarket } from "./named-markets.ts";

export function accountHandlers({ state }: Backend): Handlers {
  return {
    "GET /account/info": (call) => call.answer({ user_id: String(call.caller.userId) }),

    "GET /account/trade-fee-rate": (call) => {
      const { caller, params } = call;
      if (params.market_type === "FUTURES") {
        call.refuse(marketNotFound(params.market));
        return;
      }
      inMarket(state, call, params.market, (market) => {
        const { makerFeeRateE8, takerFeeRateE8 } = state.users.get(caller.userId) ?? {};
        call.answer({
          market: market.name,
          maker_rate: rateText(makerFeeRateE8 ?? market.makerFeeRateE8),
          taker_rate: rateText(takerFeeRateE8 ?? market.takerFeeRateE8),
        });
      });
    },
  };
}
