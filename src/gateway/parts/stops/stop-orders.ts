/** POST /spot/stop-order, /spot/batch-stop-order, /spot/modify-stop-order and their likes for futures. */
import type { ModifyStopOrder, PlaceStopOrder, TriggerType } from "../../../engine/command.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import type { State } from "../../../engine/state.ts";
import { readStop } from "../../../engine/stops/emit-stop.ts";
import { findOwnStop } from "../../../engine/stops/stop-commands.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { asJson } from "../../current/envelope.ts";
import { stopIdAt } from "../../current/records/stop-orders.ts";
import type { EndpointParams } from "../../current/types.generated.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import { onGrid } from "../../reading/grid.ts";
import { accountOf, type Both, marketNamed, type Product } from "../../reading/product.ts";
import { invalidParameter, marketNotFound, Refused } from "../../refusals.ts";
import { type OrderRequest, placeOrderOf } from "../trading/place-orders.ts";

interface StopRequest extends OrderRequest {
  readonly trigger_price: string;
  /** Of futures alone. */
  readonly trigger_price_type?: TriggerType | undefined;
}

export function stopOrderHandlers(backend: Backend): Handlers {
  const { state } = backend;

  const stop =
    (product: Product): Handler<Both<"POST", "stop-order">> =>
    (call) => {
      const command = placeStopOf(state, product, call.caller.userId, call.params);
      if (command instanceof Refused) {
        call.refuse(command);
        return;
      }
      execute(backend, call, command, (outcome, engine) => call.answer(stopIdAt(engine.events, outcome.stopEvent)));
    };

  const batch =
    (product: Product): Handler<Both<"POST", "batch-stop-order">> =>
    (call) => {
      executeBatch<StopRequest>(
        backend,
        call,
        call.params.orders,
        (request) => placeStopOf(state, product, call.caller.userId, request),
        (outcome, engine) => asJson(JSON.stringify(stopIdAt(engine.events, outcome.stopEvent))),
        (elements) => call.answer(elements),
      );
    };

  const modify =
    (product: Product): Handler<Both<"POST", "modify-stop-order">> =>
    (call) => {
      const command = modifyStopOf(state, product, call.caller.userId, call.params);
      if (command instanceof Refused) {
        call.refuse(command);
        return;
      }
      execute(backend, call, command, (outcome, engine) => call.answer(stopIdAt(engine.events, outcome.stopEvent)));
    };

  return {
    "POST /spot/stop-order": stop("spot"),
    "POST /futures/stop-order": stop("futures"),
    "POST /spot/batch-stop-order": batch("spot"),
    "POST /futures/batch-stop-order": batch("futures"),
    "POST /spot/modify-stop-order": modify("spot"),
    "POST /futures/modify-stop-order": modify("futures"),
  };
}

/** The command that a request asks for: the order that it becomes, and its trigger. */
function placeStopOf(state: State, product: Product, userId: number, request: StopRequest): PlaceStopOrder | Refused {
  const order = placeOrderOf(state, product, userId, request);
  if (order instanceof Refused) return order;
  const { pricePrecision } = state.markets[order.marketId] as { pricePrecision: number };
  const trigger = onGrid(request.trigger_price, pricePrecision);
  return { ...order, kind: "place_stop_order", trigger, triggerType: request.trigger_price_type };
}

/** What the amount counts never changes about a stop order, so the waiting one tells how to read a new amount. */
function modifyStopOf(
  state: State,
  product: Product,
  userId: number,
  request: EndpointParams[Both<"POST", "modify-stop-order">],
): ModifyStopOrder | Refused {
  const market = marketNamed(state, product, request.market);
  if (market === undefined) return marketNotFound(request.market);
  const { amount, price, trigger_price: trigger } = request;
  if (amount === undefined && price === undefined && trigger === undefined)
    return invalidParameter("amount, price or trigger_price must be given.");
  const slot = findOwnStop(state, userId, market.id, request.stop_id);
  if (slot === NONE) return new Refused("order_not_found");
  const inQuote = readStop(state, slot).amountIn === "quote";
  const scale = inQuote ? (state.assets[market.quoteAssetId] as Asset).scale : market.amountPrecision;
  return {
    kind: "modify_stop_order",
    userId,
    marketId: market.id,
    account: accountOf(request.market_type),
    stopId: request.stop_id,
    amount: amount === undefined ? undefined : onGrid(amount, scale),
    price: price === undefined ? undefined : onGrid(price, market.pricePrecision),
    trigger: trigger === undefined ? undefined : onGrid(trigger, market.pricePrecision),
  };
}
