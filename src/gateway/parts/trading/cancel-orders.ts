/** The cancelling endpoints of orders. An order of somebody else is answered as if it did not exist. */
import type { PositionSide } from "../../../engine/command.ts";
import { decodeOrder, EVENT, type OrderRecord, orderEventName } from "../../../engine/event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { accountOf, type Both } from "../../current/product.ts";
import { orderText, orderTextAt } from "../../current/records/orders.ts";
import { endedByClientId } from "../../reading/ended-by-client-id.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket, inMarketOrAll } from "../../reading/named-markets.ts";
import type { Product } from "../../reading/product.ts";

export function cancelOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const { state } = backend;

  const one =
    (product: Product): Handler<Both<"POST", "cancel-order">> =>
    (call) => {
      const { caller, params } = call;
      inMarket(state, product, call, params.market, ({ id: marketId }) => {
        const account = accountOf(params.market_type);
        const cancel = { userId: caller.userId, marketId, account, orderId: params.order_id };
        execute(backend, call, { kind: "cancel_order", ...cancel }, (outcome, engine) => {
          call.answer(orderTextAt(printers, engine.events, outcome.orderEvent));
        });
      });
    };

  const batch =
    (product: Product): Handler<Both<"POST", "cancel-batch-order">> =>
    (call) => {
      const { caller, params } = call;
      inMarket(state, product, call, params.market, ({ id: marketId }) => {
        const account = params.market_type === undefined ? undefined : accountOf(params.market_type);
        executeBatch(
          backend,
          call,
          params.order_ids,
          (orderId) => ({ kind: "cancel_order", userId: caller.userId, marketId, account, orderId }),
          (outcome, engine) => orderTextAt(printers, engine.events, outcome.orderEvent),
          (elements) => call.answer(elements),
        );
      });
    };

  const all =
    (product: Product): Handler<Both<"POST", "cancel-all-order">> =>
    (call) => {
      const { caller, params } = call;
      inMarket(state, product, call, params.market, ({ id: marketId }) => {
        const { side } = params;
        const positionSide = positionSideOf(params);
        const cancel = { userId: caller.userId, marketId, account: accountOf(params.market_type), side, positionSide };
        execute(backend, call, { kind: "cancel_all_orders", ...cancel }, () => call.answer());
      });
    };

  const byClientId =
    (product: Product): Handler<Both<"POST", "cancel-order-by-client-id">> =>
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
        execute(backend, call, { kind: "cancel_by_client_id", ...cancel }, (outcome, engine) => {
          const ended = endedByClientId(outcome, engine, cancel, EVENT.order, endedOrder);
          call.answer(ended.map((order) => ({ data: orderText(printers, order) })));
        });
      });
    };

  return {
    "POST /spot/cancel-order": one("spot"),
    "POST /futures/cancel-order": one("futures"),
    "POST /spot/cancel-batch-order": batch("spot"),
    "POST /futures/cancel-batch-order": batch("futures"),
    "POST /spot/cancel-all-order": all("spot"),
    "POST /futures/cancel-all-order": all("futures"),
    "POST /spot/cancel-order-by-client-id": byClientId("spot"),
    "POST /futures/cancel-order-by-client-id": byClientId("futures"),
  };
}

/** Which position a call of futures is about; a call of spot names none. */
export function positionSideOf(params: object): PositionSide | undefined {
  return (params as { readonly position_side?: PositionSide }).position_side;
}

/** The order that an event tells the end of. */
export function endedOrder(events: WordBuffer, at: number): OrderRecord | undefined {
  return orderEventName(events, at) === "finish" ? decodeOrder(events, at) : undefined;
}
