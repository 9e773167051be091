/** What a caller asks about its own stop orders: what waits is read from the engine, what has fired from history. */
import { ACCOUNTS, type Account, type Side } from "../../../engine/command.ts";
import type { State } from "../../../engine/state.ts";
import { readStop } from "../../../engine/stops/emit-stop.ts";
import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { stopOrderListText } from "../../current/records/stop-orders.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarketOrAll, inPastMarketOrAll } from "../../reading/named-markets.ts";
import { accountOf, type Both, type Product } from "../../reading/product.ts";

interface WaitingStopsQuery {
  readonly userId: number;
  readonly account: Account;
  /** Absent: every market. */
  readonly marketId: number | undefined;
  readonly side: Side | undefined;
  readonly clientId: string | undefined;
}

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
        const from = (params.page - 1) * params.limit;
        const shown = stopOrderListText(printers, stops.slice(from, from + params.limit));
        call.answer(shown, { hasNext: from + params.limit < stops.length, total: stops.length });
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

/** Newest first. The engine allows a hundred per market. */
function waitingStops(state: State, { userId, account, marketId, side, clientId }: WaitingStopsQuery): StopRecord[] {
  const at = ACCOUNTS.indexOf(account);
  const slots = marketId === undefined ? state.stops.ofUser(userId, at) : state.stops.ofAccount(userId, marketId, at);
  return slots
    .map((slot) => readStop(state, slot))
    .filter((stop) => side === undefined || stop.side === side)
    .filter((stop) => clientId === undefined || stop.clientId === clientId)
    .reverse();
}
