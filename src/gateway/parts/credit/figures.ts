/** The figures that decide refusals of trades and withdrawals on account of a credit: the rates. Source: domain 6.6. */
import { creditOf } from "../../../engine/credit/credit-state.ts";
import { statusOf } from "../../../engine/credit/risk.ts";
import { USD_SCALE } from "../../../engine/listing/usd-price.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { AskedFor, FigureSource } from "../../reading/figures.ts";
import type { Figures } from "../../refused.ts";

const RATE_SCALE = 8;

function standing({ state, command }: AskedFor): Figures | undefined {
  const { userId } = command as unknown as Readonly<Record<string, unknown>>;
  if (typeof userId !== "number") return undefined;
  const { equity, debt, riskRateE8, withdrawable, isDebtKnown } = statusOf(state, userId);
  const { tradeRiskE8, withdrawalRiskE8 } = creditOf(state).termsOf(userId);
  return {
    equity_usd: formatDecimal(equity, USD_SCALE),
    debt_usd: formatDecimal(debt, USD_SCALE),
    risk_rate: riskRateE8 === undefined ? "none" : formatDecimal(riskRateE8, RATE_SCALE),
    trade_above: formatDecimal(tradeRiskE8, RATE_SCALE),
    withdraw_above: formatDecimal(withdrawalRiskE8, RATE_SCALE),
    withdrawable_usd: formatDecimal(withdrawable, USD_SCALE),
    is_debt_known: isDebtKnown,
  };
}

export const CREDIT_FIGURES: Readonly<Record<string, FigureSource>> = {
  credit_trade_risk: standing,
  credit_withdrawal_risk: standing,
};
