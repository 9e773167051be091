import { decodeOrder } from "../../../engine/event.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { accountOf, type Both } from "../../current/product.ts";
import { orderStatusText, orderText, orderTextAt } from "../../current/records/orders.ts";
import type { FuturesModifyRequest, SpotModifyRequest } from "../../current/types.generated.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { type ModificationAsked, modifyOrderOf } from "../../reading/orders.ts";
import type { Product } from "../../reading/product.ts";

type ModifyRequest = SpotModifyRequest | FuturesModifyRequest;

export function modifyOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const modify =
    (product: Product): Handler<Both<"POST", "modify-order">> =>
    (call) => {
      const command = modifyOrderOf(backend.state, product, call.caller.userId, modificationAsked(call.params));
      execute(backend, call, command, (outcome, engine) => {
        const order = decodeOrder(engine.events, outcome.orderEvent);
        // Only that of spot says how the order stands.
        call.answer(product === "spot" ? orderStatusText(printers, order) : orderText(printers, order));
      });
    };

  const batch =
    (product: Product): Handler<Both<"POST", "batch-modify-order">> =>
    (call) => {
      executeBatch<ModifyRequest>(
        backend,
        call,
        call.params.orders,
        (request) => modifyOrderOf(backend.state, product, call.caller.userId, modificationAsked(request)),
        (outcome, engine) => orderTextAt(printers, engine.events, outcome.orderEvent),
        (elements) => call.answer(elements),
      );
    };

  return {
    "POST /spot/modify-order": modify("spot"),
    "POST /futures/modify-order": modify("futures"),
    "POST /spot/batch-modify-order": batch("spot"),
    "POST /futures/batch-modify-order": batch("futures"),
  };
}

function modificationAsked(request: ModifyRequest): ModificationAsked {
  const { market, order_id: orderId, amount, price } = request;
  return { market, account: accountOf(request.market_type), orderId, amount, price };
}
