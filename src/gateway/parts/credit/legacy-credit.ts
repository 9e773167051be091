/** Credit in the legacy generation: /v1/credit/… */
import { creditOf } from "../../../engine/credit/credit-state.ts";
import { statusOf } from "../../../engine/credit/risk.ts";
import { USD_SCALE } from "../../../engine/listing/usd-price.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import type { LegacyCreditInfo } from "../../legacy/types.generated.ts";
import { NOTHING } from "../../reading/market-printer.ts";
import { creditBalancesOf } from "./credit-records.ts";

const NO_CREDIT: LegacyCreditInfo = {
  withdraw_rate: NOTHING,
  trade_rate: NOTHING,
  current_balance: NOTHING,
  unflat_balance: NOTHING,
  can_withdraw_balance: NOTHING,
  can_trade_balance: NOTHING,
  current_rate: NOTHING,
};

export function legacyCreditHandlers({ state }: Backend): LegacyHandlers {
  return {
    "GET /v1/credit/info": (call) => call.answer(infoOf(state, call.caller.userId)),

    "GET /v1/credit/balance": (call) =>
      call.answer(
        creditBalancesOf(state, call.caller.userId).map(({ ccy, repaid, interest }) => ({
          asset: ccy,
          unflat_amount: repaid,
          interest_amount: interest,
        })),
      ),
  };
}

/** In USD. All of it may be traded with, or nothing. */
function infoOf(state: State, userId: number): LegacyCreditInfo {
  const credit = creditOf(state);
  if (credit.loansOf(userId).length === 0) return NO_CREDIT;
  const { withdrawalRiskE8, tradeRiskE8 } = credit.termsOf(userId);
  const { equity, debt, riskRateE8, withdrawable, mayTrade } = statusOf(state, userId);
  const atLeast0 = (value: bigint | undefined) => (value === undefined || value < 0n ? 0n : value);
  const worth = formatDecimal(atLeast0(equity), USD_SCALE);
  return {
    withdraw_rate: formatDecimal(withdrawalRiskE8, RATE_SCALE),
    trade_rate: formatDecimal(tradeRiskE8, RATE_SCALE),
    current_balance: worth,
    unflat_balance: formatDecimal(debt, USD_SCALE),
    can_withdraw_balance: formatDecimal(withdrawable, USD_SCALE),
    can_trade_balance: mayTrade ? worth : formatDecimal(0n, USD_SCALE),
    current_rate: formatDecimal(atLeast0(riskRateE8), RATE_SCALE),
  };
}
