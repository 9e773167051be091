/** The cancelling endpoints of spot stop orders. One of somebody else is answered as if it did not exist. */
import { EVENT } from "../../../engine/event.ts";
import { decodeStop, type StopRecord, stopEventName } from "../../../engine/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import type { Backend } from "../../backend.ts";
import { asJson } from "../../envelope.ts";
import type { Handlers } from "../api.ts";
import { endedByClientId } from "./ended-by-client-id.ts";
import { execute, executeBatch } from "./execute.ts";
import type { Printers } from "./market-printer.ts";
import { inMarket, inMarketOrAll } from "./named-markets.ts";
import { accountOf } from "./place-orders.ts";
import { stopOrderAt, stopOrderOf } from "./stop-text.ts";

export function cancelStopOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const { state } = backend;
  return {
    "POST /spot/cancel-stop-order": (call) => {
      const { caller, params } = call;
      inMarket(state, call, params.market, ({ id: marketId }) => {
        const account = accountOf(params.market_type);
        const cancel = { userId: caller.userId, marketId, account, stopId: params.stop_id };
        execute(backend, call, { kind: "cancel_stop_order", ...cancel }, (outcome, engine) => {
          call.answer(stopOrderAt(printers, engine.events, outcome.stopEvent));
        });
      });
    },

    "POST /spot/cancel-batch-stop-order": (call) => {
      const { caller, params } = call;
      inMarket(state, call, params.market, ({ id: marketId }) => {
        const account = params.market_type === undefined ? undefined : accountOf(params.market_type);
        executeBatch(
          backend,
          call,
          params.stop_ids,
          (stopId) => ({ kind: "cancel_stop_order", userId: caller.userId, marketId, account, stopId }),
          (outcome, engine) => asJson(JSON.stringify(stopOrderAt(printers, engine.events, outcome.stopEvent))),
          (elements) => call.answer(elements),
        );
      });
    },

    "POST /spot/cancel-stop-order-by-client-id": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, call, params.market, (market) => {
        const { userId } = caller;
        const { client_id: clientId } = params;
        const cancel = { userId, marketId: market?.id, account: accountOf(params.market_type), clientId };
        execute(backend, call, { kind: "cancel_stop_by_client_id", ...cancel }, (outcome, engine) => {
          const ended = endedByClientId(outcome, engine, cancel, EVENT.stop, cancelledStop);
          call.answer(ended.map((stop) => ({ data: stopOrderOf(printers, stop) })));
        });
      });
    },
  };
}

function cancelledStop(events: WordBuffer, at: number): StopRecord | undefined {
  return stopEventName(events, at) === "cancel" ? decodeStop(events, at).stop : undefined;
}
