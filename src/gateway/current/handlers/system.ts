/** Connectivity, time and maintenance. */
import type { Backend } from "../../backend.ts";
import { maintenanceRecord, windowsAt } from "../../maintenance-record.ts";
import type { Handlers } from "../api.ts";

export function systemHandlers({ state }: Backend): Handlers {
  return {
    "GET /ping": (call) => call.answer({ result: "pong" }),
    "GET /time": (call) => call.answer({ timestamp: call.nowMs }),
    "GET /maintain/info": (call) => call.answer(windowsAt(state, call.nowMs).map(maintenanceRecord)),
  };
}
