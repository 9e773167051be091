/** POST /spot/order, /spot/batch-order and their likes for futures. */
import type { PositionSide } from "../../../engine/command.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { accountOf, type Both } from "../../current/product.ts";
import { orderTextAt } from "../../current/records/orders.ts";
import type { MarketType, OrderSide, OrderType, StpMode } from "../../current/types.generated.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { type OrderAsked, placeOrderOf } from "../../reading/orders.ts";
import type { Product } from "../../reading/product.ts";

/** An order of either product as a request has it: `ccy` is of spot, `position_side` of futures. */
export interface OrderRequest {
  readonly market: string;
  readonly market_type: MarketType;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly amount: string;
  readonly price: string | undefined;
  readonly ccy?: string | undefined;
  readonly position_side?: PositionSide | undefined;
  readonly client_id: string | undefined;
  readonly is_hide: boolean | undefined;
  readonly stp_mode: StpMode | undefined;
}

export function placeOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const order =
    (product: Product): Handler<Both<"POST", "order">> =>
    (call) => {
      const command = placeOrderOf(backend.state, product, call.caller.userId, orderAsked(call.params));
      execute(backend, call, command, (outcome, engine) => {
        call.answer(orderTextAt(printers, engine.events, outcome.orderEvent));
      });
    };

  const batch =
    (product: Product): Handler<Both<"POST", "batch-order">> =>
    (call) => {
      executeBatch<OrderRequest>(
        backend,
        call,
        call.params.orders,
        (request) => placeOrderOf(backend.state, product, call.caller.userId, orderAsked(request)),
        (outcome, engine) => orderTextAt(printers, engine.events, outcome.orderEvent),
        (elements) => call.answer(elements),
      );
    };

  return {
    "POST /spot/order": order("spot"),
    "POST /futures/order": order("futures"),
    "POST /spot/batch-order": batch("spot"),
    "POST /futures/batch-order": batch("futures"),
  };
}

/** Returns the order that a request asks for, in the form that `reading` takes. */
export function orderAsked(request: OrderRequest): OrderAsked {
  return {
    market: request.market,
    account: accountOf(request.market_type),
    side: request.side,
    type: request.type,
    amount: request.amount,
    price: request.price,
    ccy: request.ccy,
    positionSide: request.position_side,
    clientId: request.client_id,
    hidden: request.is_hide,
    stpMode: request.stp_mode,
  };
}
