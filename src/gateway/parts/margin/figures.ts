/** The figures that decide refusals of loans, transfers and orders of margin accounts. Source: domain 3. */

import { CELL } from "../../../engine/ledger/cell.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { LOANS_MAX } from "../../../engine/margin/margin-state.ts";
import { figuresOf, loanLimit, riskRateE8 } from "../../../engine/margin/risk.ts";
import { loanTermsOf } from "../../../engine/margin/terms.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { type AskedFor, type FigureSource, marketIn } from "../../reading/figures.ts";
import { longRateText } from "../../reading/market-printer.ts";
import type { Figures } from "../../refused.ts";

/** Of a command that names a currency to be borrowed: the bounds of loans, and what the account owes and may owe. */
function loan(asked: AskedFor): Figures | undefined {
  const { state, command } = asked;
  const market = marketIn(asked);
  const { ccy, userId } = command as unknown as Readonly<Record<string, unknown>>;
  const asset = typeof ccy === "string" ? state.assetByCcy.get(ccy) : undefined;
  const terms = market && state.margin.terms.get(market.id);
  if (market === undefined || terms === undefined || asset === undefined || typeof userId !== "number")
    return undefined;
  const isQuote = asset.id === market.quoteAssetId;
  const lent = loanTermsOf(terms, isQuote);
  const { accounts } = state.margin;
  const row = accounts.find(userId, market.id);
  const show = (units: bigint) => formatDecimal(units, asset.scale);
  const limit = row < 0 ? 0n : loanLimit(market, market.index.price, figuresOf(state, row), terms.leverage, isQuote);
  return {
    ...(lent === undefined ? {} : { min_amount: show(lent.minAmount), max_amount: show(lent.maxAmount) }),
    borrowed: row < 0 ? "0" : show(accounts.principal(row, isQuote)),
    most_by_worth: show(limit),
    lending_pool: show(state.ledger.heldByVenue(CELL.lending_pool, asset.id)),
    loans: row < 0 ? 0 : accounts.loans(row),
    most_loans: LOANS_MAX,
    leverage: terms.leverage,
  };
}

/** How an account stands by the index of its market. */
function risk(asked: AskedFor): Figures | undefined {
  const { state, command, printers } = asked;
  const market = marketIn(asked);
  const terms = market && state.margin.terms.get(market.id);
  if (market === undefined || terms === undefined) return undefined;
  const { userId } = command as unknown as Readonly<Record<string, unknown>>;
  const row = typeof userId === "number" ? state.margin.accounts.find(userId, market.id) : -1;
  return {
    ...indexOf(asked, market),
    ...(row < 0 ? {} : statusOf(asked, market, row)),
    risk_rate_of_liquidation: longRateText(terms.liqRateE8),
    risk_rate_of_transfers: longRateText(terms.transferRateE8),
    index: printers.of(market.id).priceOrNothing(market.index.price),
  };
}

function statusOf({ state, printers }: AskedFor, market: Market, row: number): Figures {
  const figures = figuresOf(state, row);
  const rate = riskRateE8(market, market.index.price, figures);
  const { base, quote } = printers.of(market.id);
  return {
    risk_rate: rate === undefined ? "none" : longRateText(rate),
    owed_base: formatDecimal(figures.basePrincipal, base.scale),
    owed_quote: formatDecimal(figures.quotePrincipal, quote.scale),
    debts: state.margin.accounts.debts(row),
  };
}

function indexOf({ state }: AskedFor, { index }: Market): Figures {
  return { index_updated_at: index.updatedAt, is_stale: index.isStale, now: state.timeMs };
}

/** A risk rate as the API has it. */
export const MARGIN_FIGURES: Readonly<Record<string, FigureSource>> = {
  loan_too_small: loan,
  loan_too_large: loan,
  too_many_loans: loan,
  lending_pool_short: loan,
  loan_exceeds_worth: loan,
  margin_debt: risk,
  margin_liquidating: risk,
  margin_worth_at_risk: risk,
  margin_index_stale: risk,
  margin_waits_for_index: risk,
};
