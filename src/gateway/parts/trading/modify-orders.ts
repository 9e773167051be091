/** POST /spot/modify-order, /spot/batch-modify-order and their likes for futures: price and total of resting orders, in place. */
import type { ModifyOrder } from "../../../engine/command.ts";
import { decodeOrder } from "../../../engine/event.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { orderStatusText, orderText, orderTextAt } from "../../current/records/orders.ts";
import type { FuturesModifyRequest, SpotModifyRequest } from "../../current/types.generated.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import { onGrid } from "../../reading/grid.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { accountOf, type Both, marketNamed, type Product } from "../../reading/product.ts";
import { invalidParameter, marketNotFound, Refused } from "../../refusals.ts";

type ModifyRequest = SpotModifyRequest | FuturesModifyRequest;

export function modifyOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const modify =
    (product: Product): Handler<Both<"POST", "modify-order">> =>
    (call) => {
      const command = modifyOrderOf(backend.state, product, call.caller.userId, call.params);
      if (command instanceof Refused) {
        call.refuse(command);
        return;
      }
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
        (request) => modifyOrderOf(backend.state, product, call.caller.userId, request),
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

function modifyOrderOf(state: State, product: Product, userId: number, request: ModifyRequest): ModifyOrder | Refused {
  const market = marketNamed(state, product, request.market);
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
