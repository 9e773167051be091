/** The history of liquidations, and of the positions that were deleveraged to close them. */
import type { DeleveragingRow, LiquidationRow } from "../../../history/liquidations/liquidation-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket, inPastMarket } from "../../reading/named-markets.ts";

export function liquidationHandlers({ state, history }: Backend, printers: Printers): Handlers {
  return {
    "GET /futures/liquidation-history": (call) => {
      const { params } = call;
      return inMarket(state, "futures", call, params.market, async ({ id: marketId, name }) => {
        const printer = printers.of(marketId);
        const page = await pageFromHistory((query) => history.liquidations(query), {
          marketId,
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        const print = (row: LiquidationRow) => ({
          market: name,
          side: row.isShort ? ("short" as const) : ("long" as const),
          liq_price: printer.priceOrNothing(row.liqPrice),
          liq_amount: printer.amount(row.lots),
          bkr_price: printer.priceOrNothing(row.bkrPrice),
          created_at: row.at,
        });
        answerPage(call, page, (rows) => rows.map(print));
      });
    },

    "GET /futures/position-adl-history": (call) => {
      const { caller, params } = call;
      return inPastMarket(state, "futures", call, params.market, async ({ id: marketId, name }) => {
        const printer = printers.of(marketId);
        const page = await pageFromHistory((query) => history.deleveragings(query), {
          userId: caller.userId,
          marketId,
          positionId: params.position_id,
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        const print = (row: DeleveragingRow) => ({
          market: name,
          market_type: "FUTURES" as const,
          position_id: row.positionId,
          // Nobody ordered it.
          order_id: 0,
          deal_id: row.dealId,
          amount: printer.amount(row.lots),
          price: printer.price(row.price),
          side: row.isShort ? ("buy" as const) : ("sell" as const),
          role: "maker" as const,
          created_at: row.at,
        });
        answerPage(call, page, (rows) => rows.map(print));
      });
    },
  };
}
