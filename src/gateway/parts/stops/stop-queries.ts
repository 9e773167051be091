import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { openList, pastList } from "../../current/lists.ts";
import { stopOrderListText } from "../../current/records/stop-orders.ts";
import { cutPage } from "../../reading/cut-page.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { waitingStops } from "../../reading/waiting-stops.ts";

export function stopQueryHandlers({ state, history }: Backend, printers: Printers): Handlers {
  const print = (stops: readonly StopRecord[]) => stopOrderListText(printers, stops);
  const pending = openList(state, (query) => cutPage(waitingStops(state, query), query), print);
  const finished = pastList(state, (query) => history.firedStops(query), print);
  return {
    "GET /spot/pending-stop-order": pending("spot"),
    "GET /futures/pending-stop-order": pending("futures"),
    "GET /spot/finished-stop-order": finished("spot"),
    "GET /futures/finished-stop-order": finished("futures"),
  };
}
