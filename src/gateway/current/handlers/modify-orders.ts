/** POST /spot/modify-order and /spot/batch-modify-order: price and total of resting orders, in place. */
import type { ModifyOrder } from "../../../engine/command.ts";
import { decodeOrder } from "../../../engine/event.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import { invalidParameter, marketNotFound, Refused } from "../../refusals.ts";
import type { Handlers } from "../api.ts";
import type { SpotModifyRequest } from "../types.generated.ts";
import { execute, executeBatch } from "./execute.ts";
import { onGrid } from "./grid.ts";
import type { Printers } from "./market-printer.ts";
import { accountOf } from "./place-orders.ts";
import { orderStatusText, orderTextAt } from "./wire.ts";

export function modifyOrderHandlers(backend: Backend, printers: Printers): Handlers {
  return {
    "POST /spot/modify-order": (call) => {
      const command = modifyOrderOf(backend.state, call.caller.userId, call.params);
      if (command instanceof Refused) {
        call.refuse(command);
        return;
      }
      execute(backend, call, command, (outcome, engine) => {
        call.answer(orderStatusText(printers, decodeOrder(engine.events, outcome.orderEvent)));
      });
    },

    "POST /spot/batch-modify-order": (call) => {
      executeBatch(
        backend,
        call,
        call.params.orders,
        (request) => modifyOrderOf(backend.state, call.caller.userId, request),
        (outcome, engine) => orderTextAt(printers, engine.events, outcome.orderEvent),
        (elements) => call.answer(elements),
      );
    },
  };
}

function modifyOrderOf(state: State, userId: number, request: SpotModifyRequest): ModifyOrder | Refused {
  const market = state.marketByName.get(request.market);
  if (market === undefined) return marketNotFound(request.market);
  const { amount, price } = request;
  if (amount === undefined && price === undefined) return invalidParameter("amount or price must be given.");
  return {
    kind: "modify_order",
    userId,
    marketId: market.id,
    account: accountOf(request.market_type),
    orderId: request.order_id,
    amount: amount === undefined ? undefined : onGrid(amount, market.amountPrecision),
    price: price === undefined ? undefined : onGrid(price, market.pricePrecision),
  };
}
