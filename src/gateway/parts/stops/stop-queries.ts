import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { accountOf, type Both } from "../../current/product.ts";
import { stopOrderListText } from "../../current/records/stop-orders.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarketOrAll, inPastMarketOrAll } from "../../reading/named-markets.ts";
import type { Product } from "../../reading/product.ts";
import { waitingStops } from "../../reading/waiting-stops.ts";

export function stopQueryHandlers({ state, history }: Backend, printers: Printers): Handlers {
  const pending =
    (product: Product): Handler<Both<"GET", "pending-stop-order">> =>
    (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, product, call, params.market, (market) => {
        const stops = waitingStops(state, {
          userId: caller.userId,
          account: accountOf(params.market_type),
          marketId: market?.id,
          side: params.side,
          clientId: params.client_id,
        });
        answerPage(call, cutPage(stops, params), (shown) => stopOrderListText(printers, shown));
      });
    };

  const finished =
    (product: Product): Handler<Both<"GET", "finished-stop-order">> =>
    (call) => {
      const { caller, params } = call;
      return inPastMarketOrAll(state, product, call, params.market, async (market) => {
        const page = await pageFromHistory((query) => history.firedStops(query), {
          userId: caller.userId,
          account: accountOf(params.market_type),
          marketId: market?.id,
          side: params.side,
          page: params.page,
          limit: params.limit,
        });
        answerPage(call, page, (stops) => stopOrderListText(printers, stops));
      });
    };

  return {
    "GET /spot/pending-stop-order": pending("spot"),
    "GET /futures/pending-stop-order": pending("futures"),
    "GET /spot/finished-stop-order": finished("spot"),
    "GET /futures/finished-stop-order": finished("futures"),
  };
}
