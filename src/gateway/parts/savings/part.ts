import { SAVINGS_CELL } from "../../../engine/savings/codes.ts";
import { balancesIn } from "../../current/records/spot-balances.ts";
import type { GatewayPart } from "../part.ts";
import { legacySavingsHandlers } from "./legacy-savings.ts";
import { SAVINGS_CALLS } from "./savings-calls.ts";

/** Savings of users in FINANCIAL. */
export const savings = {
  name: "savings",
  refusals: {
    savings_behind: {
      v2: 3639,
      v1: 2,
      rule: "6.6",
      message: "Invalid Parameter: the interest of days that have passed is still being booked.",
    },
  },
  handlers: ({ state }) => ({
    "GET /assets/financial/balance": (call) => {
      call.answer(balancesIn(state, SAVINGS_CELL.financial, call.caller.userId));
    },
  }),
  legacy: legacySavingsHandlers,
  calls: SAVINGS_CALLS,
  nouns: { savings: "move money into savings and back, and say what they earn" },
} satisfies GatewayPart;
