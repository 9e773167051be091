/** Margin accounts, their loans, and what may be borrowed. */
import type { Asset } from "../../../engine/listing/asset.ts";
import { loanTermsOf } from "../../../engine/margin/terms.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { loanOf, marginBalancesOf, pastLoanOf } from "../../current/records/margin.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import { rateText } from "../../reading/market-printer.ts";
import { inMarket, inMarketOrAll, inPastMarketOrAll } from "../../reading/named-markets.ts";
import { invalidParameter } from "../../refused.ts";

export function marginHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  const { margin } = state;
  return {
    "GET /assets/margin/balance": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, "spot", call, params.market, (market) =>
        call.answer(marginBalancesOf(state, caller.userId, market)),
      );
    },

    "POST /assets/margin/borrow": (call) => {
      const { caller, params } = call;
      const { market, ccy, borrow_amount: amount, is_auto_renew: isAutoRenew } = params;
      const loan = { userId: caller.userId, market, ccy, amount, isAutoRenew };
      execute(backend, call, { kind: "borrow", ...loan }, ({ result }) => {
        const { borrowId } = result as { borrowId: number };
        call.answer(loanOf(state, margin.loans.find(borrowId)));
      });
    },

    "POST /assets/margin/repay": (call) => {
      const { caller, params } = call;
      const { market, ccy, borrow_id: borrowId } = params;
      const amount = params.amount ?? params.borrow_amount;
      if (amount === undefined) {
        call.refuse(invalidParameter("amount is missing."));
        return;
      }
      const repayment = { userId: caller.userId, market, ccy, amount, borrowId };
      execute(backend, call, { kind: "repay", ...repayment }, () => call.answer());
    },

    "GET /assets/margin/borrow-history": (call) => {
      const { caller, params } = call;
      const { status, page, limit } = params;
      return inPastMarketOrAll(state, "spot", call, params.market, async (market) => {
        const query = { userId: caller.userId, marketId: market?.id, status, page, limit };
        const found = await pageFromHistory((each) => history.loans(each), query);
        answerPage(call, found, (rows) => rows.map((row) => pastLoanOf(state, row)));
      });
    },

    "GET /assets/margin/interest-limit": (call) => {
      const { params } = call;
      inMarket(state, "spot", call, params.market, (market) => {
        const terms = margin.terms.get(market.id);
        if (terms === undefined) {
          call.refuse("margin_not_available");
          return;
        }
        const asset = state.assetByCcy.get(params.ccy) as Asset;
        const isQuote = asset?.id === market.quoteAssetId;
        const lent = isQuote || asset?.id === market.baseAssetId ? loanTermsOf(terms, isQuote) : undefined;
        if (lent === undefined) {
          call.refuse("loan_not_offered");
          return;
        }
        call.answer({
          market: market.name,
          ccy: asset.ccy,
          leverage: terms.leverage,
          min_amount: formatDecimal(lent.minAmount, asset.scale),
          max_amount: formatDecimal(lent.maxAmount, asset.scale),
          daily_interest_rate: rateText(lent.dailyRateE8),
        });
      });
    },
  };
}
