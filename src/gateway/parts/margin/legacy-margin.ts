/** Margin accounts and their loans in the legacy generation: /v1/margin/… */
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { LoanStatus } from "../../../engine/margin/loan.ts";
import type { MarginSpec } from "../../../engine/margin/margin-state.ts";
import { loanTermsOf } from "../../../engine/margin/terms.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import type { MarginTransferRow } from "../../../history/margin/margin-queries.ts";
import type { Backend } from "../../backend.ts";
import { accountIdOf, marketOfAccount, SPOT_ACCOUNT } from "../../legacy/accounts.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { answerNumbered, answerRecords } from "../../legacy/pages.ts";
import { seconds } from "../../legacy/records/time.ts";
import type {
  LegacyLoan,
  LegacyLoanStatus,
  LegacyMarginAccount,
  LegacyMarginAssetLimit,
  LegacyMarginConfig,
  LegacyMarginTransfer,
} from "../../legacy/types.generated.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { asJson } from "../../reading/json-text.ts";
import { type Loan, loanNow } from "../../reading/loans.ts";
import { type MarginFunds, marginFundsOf, type UnitPair } from "../../reading/margin-funds.ts";
import { NOTHING, rateText } from "../../reading/market-printer.ts";
import { inMarket, inMarketOrAll, inPastMarketOrAll } from "../../reading/named-markets.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const LOAN_STATUS = { pass: "loan", burst: "liquidated", arrears: "debt", finish: "finish" } as const satisfies Record<
  LegacyLoanStatus,
  LoanStatus
>;
const WORD_OF_LOAN = Object.fromEntries(Object.entries(LOAN_STATUS).map(([word, status]) => [status, word])) as Record<
  LoanStatus,
  LegacyLoanStatus
>;

export function legacyMarginHandlers(backend: Backend): LegacyHandlers {
  const { state, history } = backend;

  /** The margin markets that are listed, in the order in which they came. */
  const marginMarkets = (): [Market, MarginSpec][] =>
    [...state.margin.terms]
      .map(([id, terms]): [Market, MarginSpec] => [state.markets[id] as Market, terms])
      .filter(([market]) => !market.delisted);

  return {
    "GET /v1/margin/market": (call) =>
      call.answer(Object.fromEntries(marginMarkets().map(([{ name }, { accountId }]) => [name, accountId]))),

    "GET /v1/margin/account": (call) => {
      const { caller, params } = call;
      inMarket(state, "spot", call, params.market, (market) => {
        const funds = marginFundsOf(state, caller.userId, market);
        if (funds === undefined) call.refuse("margin_not_available");
        else call.answer(accountOf(state, funds));
      });
    },

    "GET /v1/margin/config": (call) => {
      inMarketOrAll(state, "spot", call, call.params.market, (market) => {
        const found = marginMarkets().filter(([each]) => market === undefined || each === market);
        const configs = found.map(([each, terms]) => configOf(state, each, terms));
        // Without a market it is a list of them.
        if (market === undefined) call.answer(asJson(JSON.stringify(configs)));
        else if (configs[0] === undefined) call.refuse("margin_not_available");
        else call.answer(configs[0]);
      });
    },

    "POST /v1/margin/loan": (call) => {
      const { market, coin_type: ccy, amount, renew } = call.params;
      const loan = { userId: call.caller.userId, market, ccy, amount, isAutoRenew: renew === 1 };
      execute(backend, call, { kind: "borrow", ...loan }, ({ result }) =>
        call.answer({ loan_id: (result as { borrowId: number }).borrowId }),
      );
    },

    "POST /v1/margin/flat": (call) => {
      const { market, coin_type: ccy, amount, loan_id: borrowId } = call.params;
      const repayment = { userId: call.caller.userId, market, ccy, amount, borrowId };
      execute(backend, call, { kind: "repay", ...repayment }, () => call.answer(undefined));
    },

    "POST /v1/margin/transfer": (call) => {
      const { from_account: from, to_account: to, coin_type: ccy, amount } = call.params;
      const market = marketBetween(state, from, to);
      if (market instanceof Refused) {
        call.refuse(market);
        return;
      }
      const moved = { userId: call.caller.userId, market: market.name, ccy, amount, isIn: from === SPOT_ACCOUNT };
      execute(backend, call, { kind: "transfer_margin", ...moved }, () => call.answer(undefined));
    },

    "GET /v1/margin/transfer/history": (call) => {
      const { caller, params } = call;
      const { asset: ccy, transfer_type: type, start_time: startTime, end_time: endTime, page, limit } = params;
      if (ccy !== undefined && !state.assetByCcy.has(ccy)) {
        call.refuse("asset_not_found");
        return;
      }
      return inPastMarketOrAll(state, "spot", call, params.market, async (market) => {
        const { userId } = caller;
        const isIn = type && type === "IN";
        const query = { userId, ccy, marketId: market?.id, isIn, startTime, endTime, page, limit };
        const found = await pageFromHistory((each) => history.marginTransfers(each), query);
        answerRecords(call, found, (row) => JSON.stringify(transferOf(state, userId, row)));
      });
    },

    "GET /v1/margin/loan/history": (call) => {
      const { caller, params } = call;
      const { page, limit } = params;
      return inPastMarketOrAll(state, "spot", call, params.market, async (market) => {
        const status = params.status && LOAN_STATUS[params.status];
        const query = { userId: caller.userId, marketId: market?.id, status, page, limit };
        const found = await pageFromHistory((each) => history.loans(each), query);
        answerNumbered(call, found, (row) => JSON.stringify(loanOf(loanNow(state, row))));
      });
    },
  };
}

/** The market of the margin account that is one of the two; the other is the spot account. */
function marketBetween(state: State, from: number, to: number): Market | Refused {
  if ((from === SPOT_ACCOUNT) === (to === SPOT_ACCOUNT)) {
    return invalidParameter("exactly one of from_account and to_account must be 0.");
  }
  return (
    marketOfAccount(state, from === SPOT_ACCOUNT ? to : from) ??
    invalidParameter("from_account and to_account must be 0 and the id of a margin account.")
  );
}

function accountOf({ assets }: State, funds: MarginFunds): LegacyMarginAccount {
  const { market, terms, riskE8, liqPrice } = funds;
  const base = assets[market.baseAssetId] as Asset;
  const quote = assets[market.quoteAssetId] as Asset;
  const pair = (units: UnitPair) => ({
    sell_type: formatDecimal(units.base, base.scale),
    buy_type: formatDecimal(units.quote, quote.scale),
  });
  return {
    account_id: terms.accountId,
    leverage: terms.leverage,
    market_type: market.name,
    sell_asset_type: base.ccy,
    buy_asset_type: quote.ccy,
    balance: pair(funds.available),
    frozen: pair(funds.frozen),
    loan: pair(funds.principal),
    interest: pair(funds.interest),
    can_transfer: pair(funds.transferable),
    warn_rate: riskE8 === undefined ? "" : formatDecimal(riskE8, RATE_SCALE),
    liquidation_price: liqPrice === undefined ? "" : formatDecimal(liqPrice, market.pricePrecision),
  };
}

/**
 * Of a currency that is not lent the limits are 0. On top stands the rate of the quote currency, or of the one that is
 * lent.
 */
function configOf({ assets }: State, market: Market, terms: MarginSpec): LegacyMarginConfig {
  const limitOf = (isQuote: boolean): LegacyMarginAssetLimit => {
    const lent = loanTermsOf(terms, isQuote);
    if (lent === undefined) return { min_amount: NOTHING, max_amount: NOTHING, day_rate: NOTHING };
    const { scale } = assets[isQuote ? market.quoteAssetId : market.baseAssetId] as Asset;
    return {
      min_amount: formatDecimal(lent.minAmount, scale),
      max_amount: formatDecimal(lent.maxAmount, scale),
      day_rate: rateText(lent.dailyRateE8),
    };
  };
  return {
    market: market.name,
    leverage: terms.leverage,
    day_rate: rateText((terms.quote ?? terms.base)?.dailyRateE8 ?? 0),
    [(assets[market.baseAssetId] as Asset).ccy]: limitOf(false),
    [(assets[market.quoteAssetId] as Asset).ccy]: limitOf(true),
  };
}

function transferOf(state: State, userId: number, row: MarginTransferRow): LegacyMarginTransfer {
  const margin = accountIdOf(state, { account: "margin", marketId: row.marketId });
  const time = seconds(row.createdAt);
  return {
    id: row.transferId,
    created_at: time,
    // A transfer is done in one step: one that is refused leaves no record.
    updated_at: time,
    user_id: userId,
    from_account_id: row.isIn ? SPOT_ACCOUNT : margin,
    to_account_id: row.isIn ? margin : SPOT_ACCOUNT,
    asset: row.ccy,
    amount: row.amount,
    balance: formatDecimal(row.balance, (state.assetByCcy.get(row.ccy) as Asset).scale),
    transfer_type: row.isIn ? "IN" : "OUT",
    status: "SUCCESS",
  };
}

function loanOf(loan: Loan): LegacyLoan {
  const show = (units: bigint) => formatDecimal(units, loan.asset.scale);
  return {
    loan_id: loan.borrowId,
    create_time: seconds(loan.createdAt),
    market_type: loan.market.name,
    coin_type: loan.asset.ccy,
    day_rate: rateText(loan.dailyRateE8),
    loan_amount: show(loan.amount),
    interest_amount: show(loan.interest),
    unflat_amount: show(loan.principal + loan.interest),
    expire_time: seconds(loan.expiredAt),
    is_renew: loan.isAutoRenew,
    status: WORD_OF_LOAN[loan.status],
  };
}
