/** The stop orders of spot and margin in the legacy generation: /v1/order/stop/… */
import type { OrderType } from "../../../engine/command.ts";
import { decodeStop, type StopRecord } from "../../../engine/stops/stop-event.ts";
import type { Backend } from "../../backend.ts";
import { inAccount, inAccountOrAll } from "../../legacy/accounts.ts";
import type { LegacyCall, LegacyHandlers } from "../../legacy/call.ts";
import { elementsText } from "../../legacy/elements.ts";
import { aboutOrder } from "../../legacy/others-orders.ts";
import { answerNumbered } from "../../legacy/pages.ts";
import { SpotOrderPrinter } from "../../legacy/records/spot-orders.ts";
import { cancelNamed, cancelOne, STOP_ORDERS } from "../../reading/cancelling.ts";
import { cutPage } from "../../reading/cut-page.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { asJson } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { modifyStopOf, placeStopOf } from "../../reading/stop-orders.ts";
import { cancelWaitingStops, waitingStops } from "../../reading/waiting-stops.ts";
import { legacyOrderAsked } from "../trading/legacy-orders.ts";

export function legacyStopHandlers(backend: Backend, printers: Printers): LegacyHandlers {
  const { state, history } = backend;
  const print = new SpotOrderPrinter(state, printers);

  type Placing = "POST /v1/order/stop/limit" | "POST /v1/order/stop/market";
  const place =
    (type?: OrderType) =>
    (call: LegacyCall<Placing>): void => {
      const { caller, params } = call;
      inAccount(state, call, (market, account) => {
        const order = legacyOrderAsked(
          market,
          account,
          type === "market" ? { ...params, hide: undefined } : params,
          type,
        );
        const asked = { ...order, trigger: params.stop_price, triggerType: undefined };
        const command = placeStopOf(state, "spot", caller.userId, asked);
        execute(backend, call, command, (outcome, engine) => {
          // The id is more than this generation has ever said, and harmless.
          const { stopId } = decodeStop(engine.events, outcome.stopEvent).stop;
          call.answer(asJson(`{"status":"success","order_id":${stopId}}`));
        });
      });
    };

  return {
    "POST /v1/order/stop/limit": place(),
    "POST /v1/order/stop/market": place("market"),

    "POST /v1/order/stop/modify": (call) => {
      const { market, id: stopId, amount, price, stop_price: trigger } = call.params;
      const asked = { market, account: undefined, stopId, amount, price, trigger };
      const command = modifyStopOf(state, "spot", call.caller.userId, asked);
      execute(backend, aboutOrder(backend, call, "stop", stopId), command, (outcome, engine) => {
        call.answer(print.stop(decodeStop(engine.events, outcome.stopEvent).stop));
      });
    },

    "DELETE /v1/order/stop/pending/{order_id}": (call) => {
      const { caller, params } = call;
      inAccount(state, call, ({ id: marketId }, account) => {
        const within = { userId: caller.userId, marketId, account };
        const about = aboutOrder(backend, call, "stop", params.order_id);
        cancelOne(backend, about, STOP_ORDERS, within, params.order_id, () => call.answer(undefined));
      });
    },

    "DELETE /v1/order/stop/pending": (call) => {
      inAccount(state, call, ({ id: marketId }, account) => {
        const all = { userId: call.caller.userId, account, marketId, side: undefined };
        cancelWaitingStops(backend, call, all, () => call.answer(undefined));
      });
    },

    "DELETE /v1/order/stop/pending/by_client_id": (call) => {
      const { caller, params } = call;
      inAccountOrAll(state, call, (market, account) => {
        const named = { userId: caller.userId, marketId: market?.id, account, clientId: params.client_id };
        const printed = (stop: StopRecord) => print.stop(stop);
        cancelNamed(backend, call, STOP_ORDERS, named, printed, (elements) => {
          call.answer(elementsText(call.renderer, elements));
        });
      });
    },

    "GET /v1/order/stop/pending": (call) => {
      const { caller, params } = call;
      inAccountOrAll(state, call, (market, account) => {
        const { type: side, client_id: clientId, page, limit } = params;
        const stops = waitingStops(state, { userId: caller.userId, account, marketId: market?.id, side, clientId });
        answerNumbered(call, cutPage(stops, { page, limit }), (stop) => print.stop(stop));
      });
    },

    "GET /v1/order/stop/finished": (call) => {
      const { caller, params } = call;
      return inAccountOrAll(
        state,
        call,
        async (market, account) => {
          const fired = await pageFromHistory((query) => history.firedStops(query), {
            userId: caller.userId,
            account,
            marketId: market?.id,
            side: params.type,
            page: params.page,
            limit: params.limit,
          });
          answerNumbered(call, fired, (stop) => print.stop(stop, stop.orderId === 0 ? FAILED : PLACED));
        },
        "past",
      );
    },
  };
}

/** The outcome of a stop order that has fired. Source: LegacyStopStatus. */
const PLACED = 1;
const FAILED = 2;
