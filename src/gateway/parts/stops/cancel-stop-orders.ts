/** The cancelling endpoints of stop orders. */
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { cancelCalls } from "../../current/cancelling.ts";
import { stopOrderText } from "../../current/records/stop-orders.ts";
import { STOP_ORDERS } from "../../reading/cancelling.ts";
import type { Printers } from "../../reading/market-printer.ts";

export function cancelStopOrderHandlers(backend: Backend, printers: Printers): Handlers {
  const { one, batch, byClientId } = cancelCalls(backend, STOP_ORDERS, (stop) => stopOrderText(printers, stop));
  return {
    "POST /spot/cancel-stop-order": (call) => one("spot", call, call.params.stop_id),
    "POST /futures/cancel-stop-order": (call) => one("futures", call, call.params.stop_id),
    "POST /spot/cancel-batch-stop-order": (call) => batch("spot", call, call.params.stop_ids),
    "POST /futures/cancel-batch-stop-order": (call) => batch("futures", call, call.params.stop_ids),
    "POST /spot/cancel-stop-order-by-client-id": (call) => byClientId("spot", call),
    "POST /futures/cancel-stop-order-by-client-id": (call) => byClientId("futures", call),
  };
}
