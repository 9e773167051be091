/** The windows that are planned or running. */
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { maintenanceRecord } from "../../current/records/maintenance.ts";
import { windowsAt } from "../../reading/maintenance.ts";

export function maintenanceHandlers({ state }: Backend): Handlers {
  return {
    "GET /maintain/info": (call) => call.answer(windowsAt(state, call.nowMs).map(maintenanceRecord)),
  };
}
