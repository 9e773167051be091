/** Pools of spot markets in the legacy generation: /v1/amm/market, /v1/account/amm/balance */
import type { Backend } from "../../backend.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { liquidityOfUser } from "./pools.ts";

export function legacyPoolHandlers({ state }: Backend, printers: Printers): LegacyHandlers {
  return {
    "GET /v1/amm/market": (call) =>
      call.answer(
        state.markets.filter(({ pool, delisted }) => pool !== undefined && !delisted).map(({ name }) => name),
      ),

    "GET /v1/account/amm/balance": (call) =>
      call.answer(
        liquidityOfUser(state, printers, call.caller.userId).map((own) => ({
          market: own.market,
          base_asset: own.base_ccy,
          quote_asset: own.quote_ccy,
          base_amount: own.base_ccy_amount,
          quote_amount: own.quote_ccy_amount,
        })),
      ),
  };
}
