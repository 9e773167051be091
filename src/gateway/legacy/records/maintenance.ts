/** Maintenance as the legacy generation prints it. */
import type { MaintenancePlan } from "../../../engine/maintenance/command-schemas.ts";
import type { LegacyMaintainScope } from "../types.generated.ts";
import { seconds } from "./time.ts";

const SCOPE = { FUTURES: "PERPETUAL", SPOT: "SPOT", ALL_SITE: "ALL_SITE" } as const satisfies Record<
  string,
  LegacyMaintainScope
>;

/** A window of some parts of the venue. */
export function temporaryMaintenanceOf(window: MaintenancePlan) {
  return { ...maintenanceTimesOf(window), scope: window.scope.map((part) => SCOPE[part]) };
}

export function maintenanceTimesOf(window: MaintenancePlan) {
  return {
    started_at: seconds(window.startedAt),
    ended_at: seconds(window.endedAt),
    protect_duration_start: seconds(window.protectDurationStart),
    protect_duration_end: seconds(window.protectDurationEnd),
  };
}
