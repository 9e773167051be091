/** Records of margin accounts and loans. Amounts are read from the engine, so that interest is that of now. */
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { assetOfLoan, statusOf } from "../../../engine/margin/lending.ts";
import type { MarginTerms } from "../../../engine/margin/margin-state.ts";
import { figuresOf, liqPriceOf, riskRateE8 } from "../../../engine/margin/risk.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { LoanRow } from "../../../history/margin/margin-queries.ts";
import { rateText } from "../../reading/market-printer.ts";
import type { MarginBalance, MarginLoan, MarginPair } from "../types.generated.ts";

const RATE_SCALE = 8;

/** The margin accounts of a user: that of a market, or those of all. */
export function marginBalancesOf(state: State, userId: number, market: Market | undefined): MarginBalance[] {
  const { terms, accounts } = state.margin;
  const ids = market === undefined ? [...terms.keys()] : [market.id];
  const rows = ids.map((id) => accounts.find(userId, id)).filter((row) => row >= 0);
  return rows.map((row) => marginBalanceOf(state, row));
}

/** A margin account; `row` is the engine's. */
function marginBalanceOf(state: State, row: number): MarginBalance {
  const { margin, ledger, assets, markets } = state;
  const { accounts } = margin;
  const market = markets[accounts.marketId(row)] as Market;
  const base = assets[market.baseAssetId] as Asset;
  const quote = assets[market.quoteAssetId] as Asset;
  const pair = (read: (isQuote: boolean) => bigint): MarginPair => ({
    base_ccy: formatDecimal(read(false), base.scale),
    quote_ccy: formatDecimal(read(true), quote.scale),
  });
  const figures = figuresOf(state, row);
  const { price } = market.index;
  const risk = riskRateE8(market, price, figures);
  const liqPrice = liqPriceOf(market, figures, (margin.terms.get(market.id) as MarginTerms).liqRateE8);
  return {
    margin_account: market.name,
    base_ccy: base.ccy,
    quote_ccy: quote.ccy,
    available: pair((isQuote) => ledger.available(accounts.cell(row, isQuote))),
    frozen: pair((isQuote) => ledger.frozen(accounts.cell(row, isQuote))),
    repaid: pair((isQuote) => accounts.principal(row, isQuote)),
    interest: pair((isQuote) => accounts.interest(row, isQuote)),
    risk_rate: risk === undefined ? "" : formatDecimal(risk, RATE_SCALE),
    liq_price: liqPrice === undefined ? "" : formatDecimal(liqPrice, market.pricePrecision),
  };
}

/** A loan that is not paid off; `slot` is the engine's. */
export function loanOf(state: State, slot: number): MarginLoan {
  const { accounts, loans } = state.margin;
  const asset = assetOfLoan(state, slot);
  const owed = formatDecimal(loans.owed(slot), asset.scale);
  return {
    borrow_id: loans.borrowId(slot),
    created_at: loans.createdAt(slot),
    market: (state.markets[accounts.marketId(loans.account(slot))] as Market).name,
    ccy: asset.ccy,
    daily_interest_rate: rateText(loans.dailyRateE8(slot)),
    expired_at: loans.expiredAt(slot),
    borrow_amount: formatDecimal(loans.amount(slot), asset.scale),
    to_repaid_amount: owed,
    to_repaied_amount: owed,
    is_auto_renew: loans.isAutoRenew(slot),
    status: statusOf(state, slot),
  };
}

/** A loan out of history: as the engine has it while it is not paid off, else as it ended. */
export function pastLoanOf(state: State, row: LoanRow): MarginLoan {
  const slot = state.margin.loans.find(row.borrowId);
  if (slot >= 0) return loanOf(state, slot);
  const nothing = formatDecimal(0n, (state.assetByCcy.get(row.ccy) as Asset).scale);
  return {
    borrow_id: row.borrowId,
    created_at: row.createdAt,
    market: (state.markets[row.marketId] as Market).name,
    ccy: row.ccy,
    daily_interest_rate: rateText(row.dailyRateE8),
    expired_at: row.expiredAt,
    borrow_amount: row.amount,
    to_repaid_amount: nothing,
    to_repaied_amount: nothing,
    is_auto_renew: row.isAutoRenew,
    status: row.status,
  };
}
