/** Maintenance in the legacy generation: one call about the whole site, one about its parts. Source: contract/legacy/README.md, Settled 8. */
import type { MaintenanceWindow } from "../../../engine/maintenance/maintenance.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyHandlers } from "../../legacy/call.ts";
import { seconds } from "../../legacy/records/time.ts";
import type { LegacyMaintainScope } from "../../legacy/types.generated.ts";
import { asJson } from "../../reading/json-text.ts";
import { windowsAt } from "../../reading/maintenance.ts";

const SCOPE = { FUTURES: "PERPETUAL", SPOT: "SPOT", ALL_SITE: "ALL_SITE" } as const satisfies Record<
  string,
  LegacyMaintainScope
>;

export function legacyMaintenanceHandlers({ state }: Backend): LegacyHandlers {
  return {
    "GET /v1/common/maintain/info": (call) => {
      const [window] = windowsAt(state, call.nowMs).filter(({ scope }) => scope.includes("ALL_SITE"));
      if (window === undefined) {
        call.answer(asJson("{}"));
        return;
      }
      const { started_at: start_time, ended_at: end_time } = timesOf(window);
      // Its example and its table of fields name the times otherwise: both are there.
      call.answer(asJson(JSON.stringify({ ...timesOf(window), start_time, end_time, url: window.announceUrl })));
    },

    "GET /v1/common/temp-maintain/info": (call) =>
      call.answer(
        windowsAt(state, call.nowMs).map((window) => ({
          ...timesOf(window),
          scope: window.scope.map((part) => SCOPE[part]),
        })),
      ),
  };
}

function timesOf(window: MaintenanceWindow) {
  return {
    started_at: seconds(window.startedAt),
    ended_at: seconds(window.endedAt),
    protect_duration_start: seconds(window.protectDurationStart),
    protect_duration_end: seconds(window.protectDurationEnd),
  };
}
