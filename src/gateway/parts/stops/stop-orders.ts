/** POST /spot/stop-order, /spot/batch-stop-order, /spot/modify-stop-order and their likes for futures. */
import type { TriggerType } from "../../../engine/command.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { accountOf, type Both } from "../../current/product.ts";
import { stopIdAt } from "../../current/records/stop-orders.ts";
import type { EndpointParams } from "../../current/types.generated.ts";
import { execute, executeBatch } from "../../reading/execute.ts";
import { asJson } from "../../reading/json-text.ts";
import type { Product } from "../../reading/product.ts";
import { modifyStopOf, placeStopOf, type StopAsked, type StopModificationAsked } from "../../reading/stop-orders.ts";
import { type OrderRequest, orderAsked } from "../trading/place-orders.ts";

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
      const command = placeStopOf(state, product, call.caller.userId, stopAsked(call.params));
      execute(backend, call, command, (outcome, engine) => call.answer(stopIdAt(engine.events, outcome.stopEvent)));
    };

  const batch =
    (product: Product): Handler<Both<"POST", "batch-stop-order">> =>
    (call) => {
      executeBatch<StopRequest>(
        backend,
        call,
        call.params.orders,
        (request) => placeStopOf(state, product, call.caller.userId, stopAsked(request)),
        (outcome, engine) => asJson(JSON.stringify(stopIdAt(engine.events, outcome.stopEvent))),
        (elements) => call.answer(elements),
      );
    };

  const modify =
    (product: Product): Handler<Both<"POST", "modify-stop-order">> =>
    (call) => {
      const command = modifyStopOf(state, product, call.caller.userId, stopModificationAsked(call.params));
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

function stopAsked(request: StopRequest): StopAsked {
  return { ...orderAsked(request), trigger: request.trigger_price, triggerType: request.trigger_price_type };
}

function stopModificationAsked(request: EndpointParams[Both<"POST", "modify-stop-order">]): StopModificationAsked {
  const { market, stop_id: stopId, amount, price, trigger_price: trigger } = request;
  return { market, account: accountOf(request.market_type), stopId, amount, price, trigger };
}
