/**
 * Maintenance in the legacy generation: one call about the whole site, one about its parts. Source:
 * contract/legacy/README.md, Settled 8.
 */
import type { Backend } from "../../backend.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { maintenanceTimesOf, temporaryMaintenanceOf } from "../../legacy/records/maintenance.ts";
import { asJson } from "../../reading/json-text.ts";
import { windowsAt } from "../../reading/maintenance.ts";

export function legacyMaintenanceHandlers({ state }: Backend): LegacyHandlers {
  return {
    "GET /v1/common/maintain/info": (call) => {
      const [window] = windowsAt(state, call.nowMs).filter(({ scope }) => scope.includes("ALL_SITE"));
      if (window === undefined) {
        call.answer(asJson("{}"));
        return;
      }
      const { started_at: start_time, ended_at: end_time } = maintenanceTimesOf(window);
      // Its example and its table of fields name the times otherwise: both are there.
      call.answer(
        asJson(JSON.stringify({ ...maintenanceTimesOf(window), start_time, end_time, url: window.announceUrl })),
      );
    },

    "GET /v1/common/temp-maintain/info": (call) =>
      call.answer(windowsAt(state, call.nowMs).map(temporaryMaintenanceOf)),
  };
}
