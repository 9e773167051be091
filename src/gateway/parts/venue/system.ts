/** Connectivity, time and maintenance. */
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { maintenanceRecord, windowsAt } from "../../current/records/maintenance.ts";

export function systemHandlers({ state }: Backend): Handlers {
  return {
    "GET /ping": (call) => call.answer({ result: "pong" }),
    "GET /time": (call) => call.answer({ timestamp: call.nowMs }),
    "GET /maintain/info": (call) => call.answer(windowsAt(state, call.nowMs).map(maintenanceRecord)),
  };
}
