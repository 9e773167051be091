/** Records of margin accounts and loans. */
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import type { LoanRow } from "../../../history/margin/margin-queries.ts";
import { type Loan, loanAt, loanNow } from "../../reading/loans.ts";
import { type MarginFunds, marginFundsOf, type UnitPair } from "../../reading/margin-funds.ts";
import { rateText } from "../../reading/market-printer.ts";
import type { MarginBalance, MarginLoan } from "../types.generated.ts";

/** The margin accounts of a user: that of a market, or those of all. */
export function marginBalancesOf(state: State, userId: number, market: Market | undefined): MarginBalance[] {
  const { terms, accounts } = state.margin;
  const ids = market === undefined ? [...terms.keys()] : [market.id];
  const own = ids.filter((id) => accounts.find(userId, id) >= 0);
  return own.map((id) =>
    marginBalanceOf(state, marginFundsOf(state, userId, state.markets[id] as Market) as MarginFunds),
  );
}

function marginBalanceOf({ assets }: State, funds: MarginFunds): MarginBalance {
  const { market, riskE8, liqPrice } = funds;
  const base = assets[market.baseAssetId] as Asset;
  const quote = assets[market.quoteAssetId] as Asset;
  const pair = (units: UnitPair) => ({
    base_ccy: formatDecimal(units.base, base.scale),
    quote_ccy: formatDecimal(units.quote, quote.scale),
  });
  return {
    margin_account: market.name,
    base_ccy: base.ccy,
    quote_ccy: quote.ccy,
    available: pair(funds.available),
    frozen: pair(funds.frozen),
    repaid: pair(funds.principal),
    interest: pair(funds.interest),
    risk_rate: riskE8 === undefined ? "" : formatDecimal(riskE8, RATE_SCALE),
    liq_price: liqPrice === undefined ? "" : formatDecimal(liqPrice, market.pricePrecision),
  };
}

/** A loan that is not paid off; `slot` is the engine's. */
export function loanOf(state: State, slot: number): MarginLoan {
  return recordOf(loanAt(state, slot));
}

/** A loan out of history, as it stands now. */
export function pastLoanOf(state: State, row: LoanRow): MarginLoan {
  return recordOf(loanNow(state, row));
}

function recordOf(loan: Loan): MarginLoan {
  const { market, asset } = loan;
  const owed = formatDecimal(loan.principal + loan.interest, asset.scale);
  return {
    borrow_id: loan.borrowId,
    created_at: loan.createdAt,
    market: market.name,
    ccy: asset.ccy,
    daily_interest_rate: rateText(loan.dailyRateE8),
    expired_at: loan.expiredAt,
    borrow_amount: formatDecimal(loan.amount, asset.scale),
    to_repaid_amount: owed,
    to_repaied_amount: owed,
    is_auto_renew: loan.isAutoRenew,
    status: loan.status,
  };
}
