import type { GatewayPart } from "../part.ts";
import { marginHandlers } from "./accounts.ts";
import { MARGIN_FIGURES } from "./figures.ts";
import { legacyMarginHandlers } from "./legacy-margin.ts";
import { MARGIN_CALLS } from "./margin-calls.ts";

/** Margin accounts and their loans; their orders are those of spot. */
export const margin = {
  name: "margin",
  refusals: {
    margin_account_missing: {
      v2: 3639,
      v1: 2,
      rule: "3.1",
      message: "Invalid Parameter: there is no margin account in the market; a transfer into it makes one.",
    },
    loan_not_offered: {
      v2: 3639,
      v1: 2,
      rule: "3.3",
      message: "Invalid Parameter: the currency is not lent in the market.",
    },
    loan_too_small: { v2: 3639, v1: 2, rule: "3.3", message: "Invalid Parameter: the loan is below the smallest." },
    loan_too_large: {
      v2: 3639,
      v1: 2,
      rule: "3.3",
      message: "Invalid Parameter: the loans of the account would be above the largest.",
    },
    too_many_loans: { v2: 3639, v1: 2, rule: "3.3", message: "Invalid Parameter: the account has too many loans." },
    lending_pool_short: {
      v2: 3639,
      v1: 2,
      rule: "3.3",
      message: "Invalid Parameter: the lending pool has not so much left.",
    },
    loan_exceeds_worth: { v2: 3109, v1: 107, rule: "3.3", message: "The balance is not enough for the loan." },
    loan_not_found: { v2: 3639, v1: 2, rule: "3.3", message: "Invalid Parameter: the account owes no such loan." },
    margin_debt: {
      v2: 3639,
      v1: 2,
      rule: "3.2",
      message: "Invalid Parameter: the account has a debt, which is to be paid first.",
    },
    margin_liquidating: {
      v2: 3639,
      v1: 2,
      rule: "3.5",
      message: "Invalid Parameter: the margin account is being liquidated.",
    },
    margin_worth_at_risk: {
      v2: 3109,
      v1: 107,
      rule: "3.4",
      message: "The balance is not enough: at this price the order would bring the account to its liquidation.",
    },
    margin_index_stale: {
      v2: 3639,
      v1: 2,
      rule: "3.3",
      message: "Invalid Parameter: while the index of the market is stale, nothing is lent and nothing leaves a loan.",
    },
    margin_waits_for_index: {
      v2: 4117,
      v1: 35,
      rule: "3.1",
      message: "While the index is stale, an account that owes something only trades for what it owes.",
    },
  },
  figures: MARGIN_FIGURES,
  handlers: (backend) => marginHandlers(backend),
  legacy: legacyMarginHandlers,
  calls: MARGIN_CALLS,
  nouns: { "margin-market": "make margin markets and show them", loan: "show loans of margin accounts" },
} satisfies GatewayPart;
