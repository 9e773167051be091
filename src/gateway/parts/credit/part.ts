import type { GatewayPart } from "../part.ts";
import { CREDIT_CALLS } from "./credit-calls.ts";
import { creditBalancesOf, creditInfoOf } from "./credit-records.ts";
import { CREDIT_FIGURES } from "./figures.ts";
import { legacyCreditHandlers } from "./legacy-credit.ts";

/** Money lent to users by operators. */
export const credit = {
  name: "credit",
  refusals: {
    credit_trade_risk: {
      v2: 4115,
      v1: 158,
      rule: "6.6",
      message:
        "At its risk rate the credit lets the account only close positions, or sell for a currency that it owes.",
    },
    credit_withdrawal_risk: {
      v2: 3109,
      v1: 107,
      rule: "6.6",
      message: "The credit of the account does not let so much leave it.",
    },
    credit_not_found: { v2: 3639, v1: 2, rule: "6.6", message: "Invalid Parameter: there is no such loan." },
    no_usd_price: {
      v2: 3639,
      v1: 2,
      rule: "6.6",
      message: "Invalid Parameter: the currency has no fresh index in USDT.",
    },
  },
  figures: CREDIT_FIGURES,
  handlers: ({ state }) => ({
    "GET /assets/credit/info": (call) => {
      call.answer(creditInfoOf(state, call.caller.userId));
    },
    "GET /assets/credit/balance": (call) => {
      call.answer(creditBalancesOf(state, call.caller.userId));
    },
  }),
  legacy: legacyCreditHandlers,
  calls: CREDIT_CALLS,
  nouns: { credit: "lend users money, take it back, and show how they stand" },
} satisfies GatewayPart;
