/** The cancelling endpoints of spot orders. An order of somebody else is answered as if it did not exist. */
import { decodeOrder, EVENT, type OrderRecord, orderEventName } from "../../../engine/event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../api.ts";
import { endedByClientId } from "./ended-by-client-id.ts";
import { execute, executeBatch } from "./execute.ts";
import type { Printers } from "./market-printer.ts";
import { inMarket, inMarketOrAll } from "./named-markets.ts";
import { accountOf } from "./place-orders.ts";
import { orderText, orderTextAt } from "./wire.ts";

export function cancelOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const { state } = backend;
  return {
    "POST /spot/cancel-order": (call) => {
      const { caller, params } = call;
      inMarket(state, call, params.market, ({ id: marketId }) => {
        const account = accountOf(params.market_type);
        const cancel = { userId: caller.userId, marketId, account, orderId: params.order_id };
        execute(backend, call, { kind: "cancel_order", ...cancel }, (outcome, engine) => {
          call.answer(orderTextAt(printers, engine.events, outcome.orderEvent));
        });
      });
    },

    "POST /spot/cancel-batch-order": (call) => {
      const { caller, params } = call;
      inMarket(state, call, params.market, ({ id: marketId }) => {
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
    },

    "POST /spot/cancel-all-order": (call) => {
      const { caller, params } = call;
      inMarket(state, call, params.market, ({ id: marketId }) => {
        const cancel = { userId: caller.userId, marketId, account: accountOf(params.market_type), side: params.side };
        execute(backend, call, { kind: "cancel_all_orders", ...cancel }, () => call.answer());
      });
    },

    "POST /spot/cancel-order-by-client-id": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, call, params.market, (market) => {
        const { userId } = caller;
        const { client_id: clientId } = params;
        const cancel = { userId, marketId: market?.id, account: accountOf(params.market_type), clientId };
        execute(backend, call, { kind: "cancel_by_client_id", ...cancel }, (outcome, engine) => {
          const ended = endedByClientId(outcome, engine, cancel, EVENT.order, endedOrder);
          call.answer(ended.map((order) => ({ data: orderText(printers, order) })));
        });
      });
    },
  };
}

function endedOrder(events: WordBuffer, at: number): OrderRecord | undefined {
  return orderEventName(events, at) === "finish" ? decodeOrder(events, at) : undefined;
}
