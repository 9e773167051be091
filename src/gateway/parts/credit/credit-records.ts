import { creditOf } from "../../../engine/credit/credit-state.ts";
import { interestDue } from "../../../engine/credit/loan.ts";
import { statusOf } from "../../../engine/credit/risk.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { USD_SCALE } from "../../../engine/listing/usd-price.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import type { CreditBalance, CreditInfo } from "../../current/types.generated.ts";

const NO_CREDIT: CreditInfo = {
  equity: "0",
  repaid: "0",
  risk_rate: "",
  withdrawal_risk: "0",
  withdrawal_value: "0",
};

/** How a user with credit stands, in USD; of all others zeros. */
export function creditInfoOf(state: State, userId: number): CreditInfo {
  const credit = creditOf(state);
  if (credit.loansOf(userId).length === 0) return NO_CREDIT;
  const { equity, debt, riskRateE8, withdrawable } = statusOf(state, userId);
  return {
    equity: formatDecimal(equity < 0n ? 0n : equity, USD_SCALE),
    repaid: formatDecimal(debt, USD_SCALE),
    risk_rate: riskRateE8 === undefined ? "" : formatDecimal(riskRateE8 < 0n ? 0n : riskRateE8, RATE_SCALE),
    withdrawal_risk: formatDecimal(credit.termsOf(userId).withdrawalRiskE8, RATE_SCALE),
    withdrawal_value: formatDecimal(withdrawable, USD_SCALE),
  };
}

/** Returns the credit debts of a user, principal and interest due now, one row per currency, sorted by currency. */
export function creditBalancesOf(state: State, userId: number): CreditBalance[] {
  const debts = new Map<number, { principal: bigint; interest: bigint }>();
  for (const loan of creditOf(state).loansOf(userId)) {
    const { principal, interest } = debts.get(loan.assetId) ?? { principal: 0n, interest: 0n };
    debts.set(loan.assetId, {
      principal: principal + loan.principal,
      interest: interest + interestDue(loan, state.timeMs),
    });
  }
  const rows = [...debts].map(([assetId, { principal, interest }]) => {
    const { ccy, scale } = state.assets[assetId] as Asset;
    return { ccy, repaid: formatDecimal(principal, scale), interest: formatDecimal(interest, scale) };
  });
  return rows.sort((left, right) => (left.ccy < right.ccy ? -1 : 1));
}
