/** Calls by which operators set and list margin markets, and list loans. */

import { CELL } from "../../../engine/ledger/cell.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { loansOf } from "../../../engine/margin/lending.ts";
import type { LoanSpec, MarginSpec } from "../../../engine/margin/margin-state.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, oneOf, optional, records, required, text, userId, whole } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { loanOf } from "../../current/records/margin.ts";
import { rateText } from "../../reading/market-printer.ts";
import { marketNotFound } from "../../refused.ts";

const LOANS_PER_MARKET = 2;

const loanFields = {
  ccy: required(text("CCY", 1, 20), "currency, one of the market's two"),
  min_amount: required(decimal("AMOUNT"), "the smallest loan"),
  max_amount: required(decimal("AMOUNT"), "the most that an account may owe of it"),
  daily_interest_rate: required(decimal("RATE"), "interest of a day, a share"),
};

const setMarket = call({
  method: "POST",
  path: "/admin/margin-markets",
  verbs: { "margin-market set": "Make a spot market a margin market, or change its terms." },
  fields: {
    market: required(text("MARKET", 1, 32), "spot market, whose index must have sources"),
    leverage: required(whole("N", 1, 100), "leverage, from 2 to 10"),
    liq_rate: optional(
      decimal("RATE"),
      "risk rate at which an account is liquidated; follows from the leverage unless given",
    ),
    warn_rate: optional(decimal("RATE"), "risk rate at which its user is warned; likewise"),
    transfer_rate: optional(
      decimal("RATE"),
      "risk rate down to which something may leave; leverage / (leverage - 1) unless given",
    ),
    loans: required(records(loanFields, LOANS_PER_MARKET), "what is lent; a currency that is left out is lent no more"),
  },
  serve: (backend, { market, leverage, liq_rate, warn_rate, transfer_rate, loans }) =>
    execute(
      backend,
      {
        kind: "set_margin_market",
        market,
        leverage,
        liqRate: liq_rate,
        warnRate: warn_rate,
        transferRate: transfer_rate,
        loans: loans.map((loan) => ({
          ccy: loan.ccy,
          minAmount: loan.min_amount,
          maxAmount: loan.max_amount,
          dailyInterestRate: loan.daily_interest_rate,
        })),
      },
      () => ({ market }),
    ),
});

const listMarkets = call({
  method: "GET",
  path: "/admin/margin-markets",
  verbs: {
    "margin-market list": "Show the margin markets with their terms, and what the lending pool has left and has lent.",
  },
  fields: {},
  serve: ({ state }) => ({
    margin_markets: [...state.margin.terms].map(([id, terms]) => marketRow(state, state.markets[id] as Market, terms)),
    lending_pool: state.assets.flatMap((asset) => {
      const left = state.ledger.heldByVenue(CELL.lending_pool, asset.id);
      const lent = state.margin.lent.get(asset.id) ?? 0n;
      const fund = state.ledger.heldByVenue(CELL.insurance_margin, asset.id);
      if (left === 0n && lent === 0n && fund === 0n) return [];
      const show = (units: bigint) => formatDecimal(units, asset.scale);
      return [{ ccy: asset.ccy, available: show(left), lent: show(lent), insurance_fund: show(fund) }];
    }),
  }),
});

const listLoans = call({
  method: "GET",
  path: "/admin/loans",
  verbs: { "loan list": "Show the loans of margin accounts that are not paid off, account by account." },
  fields: {
    user_id: optional(userId, "those of this user"),
    market: optional(text("MARKET", 1, 32), "those of this market"),
    status: optional(oneOf(["loan", "debt"] as const), "those in this status"),
    ...pageFields,
  },
  serve({ state }, { user_id, market: name, status, ...page }) {
    const market = name === undefined ? undefined : state.marketNamed(name, false);
    if (name !== undefined && market === undefined) return marketNotFound(name);
    const { accounts, loans } = state.margin;
    const all = loansWhere(state, user_id, market?.id);
    const wanted = all.filter((slot) => status === undefined || loans.isDebt(slot) === (status === "debt"));
    return pageOf("loans", wanted, page, (slot) => ({
      user_id: accounts.userId(loans.account(slot)),
      ...loanOf(state, slot),
    }));
  },
});

function* loansWhere(state: State, user: number | undefined, marketId: number | undefined): Generator<number> {
  const { accounts } = state.margin;
  for (let row = 0; row < accounts.count; row++) {
    if (user !== undefined && accounts.userId(row) !== user) continue;
    if (marketId !== undefined && accounts.marketId(row) !== marketId) continue;
    yield* loansOf(state, row);
  }
}

function marketRow({ assets }: State, market: Market, terms: MarginSpec): object {
  const lent = (assetId: number, loan: LoanSpec | undefined) => {
    const { ccy, scale } = assets[assetId] as Asset;
    return loan === undefined
      ? []
      : [
          {
            ccy,
            min_amount: formatDecimal(loan.minAmount, scale),
            max_amount: formatDecimal(loan.maxAmount, scale),
            daily_interest_rate: rateText(loan.dailyRateE8),
          },
        ];
  };
  const rate = (rateE8: bigint) => formatDecimal(rateE8, 8);
  return {
    market: market.name,
    leverage: terms.leverage,
    liq_rate: rate(terms.liqRateE8),
    warn_rate: rate(terms.warnRateE8),
    transfer_rate: rate(terms.transferRateE8),
    loans: [...lent(market.baseAssetId, terms.base), ...lent(market.quoteAssetId, terms.quote)],
  };
}

export const MARGIN_CALLS: readonly AdminCall[] = [setMarket, listMarkets, listLoans];
