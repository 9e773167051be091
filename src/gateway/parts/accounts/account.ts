/** The endpoints by which a caller reads and changes the settings of its own account. */
import { USER_FLAG } from "../../../engine/accounts/user.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { productOf } from "../../current/product.ts";
import { execute } from "../../reading/execute.ts";
import { feeRatesOf } from "../../reading/fee-rates.ts";
import { rateText } from "../../reading/market-printer.ts";
import { inMarket } from "../../reading/named-markets.ts";

/** Values of settle_switch. */
const SETTLES = 1;
const SETTLES_NOT = 2;

export function accountHandlers(backend: Backend): Handlers {
  const { state } = backend;
  return {
    "GET /account/info": (call) => call.answer({ user_id: String(call.caller.userId) }),

    "POST /account/settings": (call) => {
      const { caller, params } = call;
      const { userId } = caller;
      const change = { userId, byUser: true, feeDeduction: params.cet_discount_enabled };
      execute(backend, call, { kind: "change_user", actor: actorOf(state, userId), ...change }, () => call.answer());
    },

    "GET /account/futures-market-settings": (call) => {
      const flags = state.users.flags(call.caller.userId);
      call.answer({
        settle_switch: (flags & USER_FLAG.settleOff) === 0 ? SETTLES : SETTLES_NOT,
        position_mode: (flags & USER_FLAG.hedge) === 0 ? "one_way" : "hedge",
      });
    },

    "POST /account/futures-market-settings": (call) => {
      const { caller, params } = call;
      const settings = {
        userId: caller.userId,
        positionMode: params.position_mode,
        settleSwitch: params.settle_switch === undefined ? undefined : params.settle_switch === SETTLES,
      };
      execute(backend, call, { kind: "change_futures_settings", ...settings }, () => call.answer());
    },

    "GET /account/trade-fee-rate": (call) => {
      const { caller, params } = call;
      inMarket(state, productOf(params.market_type), call, params.market, (market) => {
        const { maker, taker } = feeRatesOf(state, caller.userId, market);
        call.answer({ market: market.name, maker_rate: rateText(maker), taker_rate: rateText(taker) });
      });
    },
  };
}

/** Who asked, as the log shows it: users may change something of what an operator may. */
export function actorOf({ users }: State, userId: number): string {
  return `user ${userId} ${users.get(userId)?.name ?? ""}`.trimEnd();
}
