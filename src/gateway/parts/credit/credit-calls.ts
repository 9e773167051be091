/** Credit as operators handle it: the contract lets users only look. */
import { type CreditSpec, creditOf } from "../../../engine/credit/credit-state.ts";
import { type CreditLoan, interestDue } from "../../../engine/credit/loan.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, optional, reference, required, text, userId, whole } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { rateText } from "../../reading/market-printer.ts";
import { Refused } from "../../refused.ts";
import { creditInfoOf } from "./credit-records.ts";

const grant = call({
  method: "POST",
  path: "/admin/credit-loans",
  verbs: { "credit grant": "Lend a user money of the credit pool, into the spot account." },
  fields: {
    user_id: required(userId, "who gets it"),
    ccy: required(text("CCY", 1, 20), "currency; it needs a fresh index in USDT"),
    amount: required(decimal("AMOUNT"), "amount, out of sys:credit_pool"),
    daily_interest_rate: required(decimal("RATE"), "interest of a day; an hour costs its 24th part"),
    note: required(text("TEXT", 1, 256), "why, for the log"),
    reference,
  },
  takesTwo: true,
  mayBy: () => ["treasurer"],
  serve: (backend, { user_id, ccy, amount, daily_interest_rate, note, reference: sent }) =>
    execute(
      backend,
      {
        kind: "grant_credit",
        userId: user_id,
        ccy,
        amount,
        dailyRate: daily_interest_rate,
        note,
        reference: sent,
      },
      (result) => ({ loan_id: (result as { loanId: number }).loanId }),
    ),
});

const repay = call({
  method: "POST",
  path: "/admin/credit-repayments",
  verbs: { "credit repay": "Pay loans of a user back out of the spot account, of each the interest first." },
  fields: {
    user_id: required(userId, "whose loans"),
    ccy: required(text("CCY", 1, 20), "currency"),
    amount: required(decimal("AMOUNT"), "amount; what is beyond the debt is left"),
    loan_id: optional(whole("LOAN_ID", 1, Number.MAX_SAFE_INTEGER), "this loan only; else one after the other"),
    note: optional(text("TEXT", 0, 256), "why, for the log"),
    reference,
  },
  mayBy: () => ["treasurer"],
  serve: (backend, { user_id, ccy, amount, loan_id, note = "", reference: sent }) =>
    execute(
      backend,
      { kind: "repay_credit", userId: user_id, ccy, amount, loanId: loan_id, note, reference: sent },
      (result) => ({ repaid: (result as { repaid: string }).repaid }),
    ),
});

const setTerms = call({
  method: "POST",
  path: "/admin/credit-terms",
  verbs: { "credit terms": "Set the risk rates above which users with credit may withdraw and trade." },
  fields: {
    user_id: optional(userId, "this user; else all who have no terms of their own"),
    withdrawal_risk: required(decimal("RATE"), "at or below it nothing leaves the user"),
    trade_risk: required(decimal("RATE"), "at or below it only orders that reduce are taken"),
  },
  serve: (backend, { user_id, withdrawal_risk: withdrawalRisk, trade_risk: tradeRisk }) =>
    execute(backend, { kind: "set_credit_terms", userId: user_id, withdrawalRisk, tradeRisk }, () => ({
      withdrawal_risk: withdrawalRisk,
      trade_risk: tradeRisk,
    })),
});

const listLoans = call({
  method: "GET",
  path: "/admin/credit-loans",
  verbs: { "credit list": "Show the loans that are open, with what is owed by now." },
  fields: { user_id: optional(userId, "those of this user"), ...pageFields },
  serve({ state }, values) {
    const { loans } = creditOf(state);
    const asked = values.user_id === undefined ? loans.values() : creditOf(state).loansOf(values.user_id);
    return pageOf("loans", asked, values, (loan) => loanOf(state, loan));
  },
});

const show = call({
  method: "GET",
  path: "/admin/credit-accounts/USER_ID",
  verbs: { "credit show": "Show how a user with credit stands, as the user sees it, with the terms." },
  fields: { user_id: required(userId, "the user") },
  serve: ({ state }, { user_id }) =>
    state.users.has(user_id)
      ? { ...creditInfoOf(state, user_id), ...termsOf(creditOf(state).termsOf(user_id)) }
      : new Refused("user_not_found"),
});

function loanOf(state: State, loan: CreditLoan): object {
  const { ccy, scale } = state.assets[loan.assetId] as Asset;
  return {
    loan_id: loan.loanId,
    user_id: loan.userId,
    ccy,
    principal: formatDecimal(loan.principal, scale),
    interest: formatDecimal(interestDue(loan, state.timeMs), scale),
    daily_interest_rate: rateText(loan.dailyRateE8),
    created_at: loan.createdAt,
  };
}

function termsOf({ withdrawalRiskE8, tradeRiskE8 }: CreditSpec): object {
  return {
    withdrawal_risk: formatDecimal(withdrawalRiskE8, RATE_SCALE),
    trade_risk: formatDecimal(tradeRiskE8, RATE_SCALE),
  };
}

export const CREDIT_CALLS: readonly AdminCall[] = [grant, repay, setTerms, listLoans, show];
