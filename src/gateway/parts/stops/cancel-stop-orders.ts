/** The cancelling endpoints of stop orders. One of somebody else is answered as if it did not exist. */
import { EVENT } from "../../../engine/event.ts";
import { decodeStop, type StopRecord, stopEventName } from "../../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { accountOf, type Both } from "../../current/product.ts";
import { stopOrderText, stopOrderTextAt } from "../../current/records/stop-orders.ts";
import { endedByClientId } from "../../reading/ended-by-client-id.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket, inMarketOrAll } from "../../reading/named-markets.ts";
import type { Product } from "../../reading/product.ts";
import { positionSideOf } from "../trading/cancel-orders.ts";

export function cancelStopOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const { state } = backend;

  const one =
    (product: Product): Handler<Both<"POST", "cancel-stop-order">> =>
    (call) => {
      const { caller, params } = call;
      inMarket(state, product, call, params.market, ({ id: marketId }) => {
        const account = accountOf(params.market_type);
        const cancel = { userId: caller.userId, marketId, account, stopId: params.stop_id };
        execute(backend, call, { kind: "cancel_stop_order", ...cancel }, (outcome, engine) => {
          call.answer(stopOrderTextAt(printers, engine.events, outcome.stopEvent));
        });
      });
    };

  const batch =
    (product: Product): Handler<Both<"POST", "cancel-batch-stop-order">> =>
    (call) => {
      const { caller, params } = call;
      inMarket(state, product, call, params.market, ({ id: marketId }) => {
        const account = params.market_type === undefined ? undefined : accountOf(params.market_type);
        executeBatch(
          backend,
          call,
          params.stop_ids,
          (stopId) => ({ kind: "cancel_stop_order", userId: caller.userId, marketId, account, stopId }),
          (outcome, engine) => stopOrderTextAt(printers, engine.events, outcome.stopEvent),
          (elements) => call.answer(elements),
        );
      });
    };

  const byClientId =
    (product: Product): Handler<Both<"POST", "cancel-stop-order-by-client-id">> =>
    (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, product, call, params.market, (market) => {
        const cancel = {
          userId: caller.userId,
          marketId: market?.id,
          account: accountOf(params.market_type),
          positionSide: positionSideOf(params),
          clientId: params.client_id,
        };
        execute(backend, call, { kind: "cancel_stop_by_client_id", ...cancel }, (outcome, engine) => {
          const ended = endedByClientId(outcome, engine, cancel, EVENT.stop, cancelledStop);
          call.answer(ended.map((stop) => ({ data: stopOrderText(printers, stop) })));
        });
      });
    };

  return {
    "POST /spot/cancel-stop-order": one("spot"),
    "POST /futures/cancel-stop-order": one("futures"),
    "POST /spot/cancel-batch-stop-order": batch("spot"),
    "POST /futures/cancel-batch-stop-order": batch("futures"),
    "POST /spot/cancel-stop-order-by-client-id": byClientId("spot"),
    "POST /futures/cancel-stop-order-by-client-id": byClientId("futures"),
  };
}

/** The stop order that an event tells the cancelling of. */
export function cancelledStop(events: WordBuffer, at: number): StopRecord | undefined {
  return stopEventName(events, at) === "cancel" ? decodeStop(events, at).stop : undefined;
}
