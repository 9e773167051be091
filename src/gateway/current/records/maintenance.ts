/** Maintenance windows as the contract's record, for users and for the operator. */
import type { MaintenanceWindow } from "../../../engine/maintenance/maintenance.ts";
import type { Maintenance } from "../types.generated.ts";

export function maintenanceRecord(window: MaintenanceWindow): Maintenance {
  return {
    started_at: window.startedAt,
    ended_at: window.endedAt,
    scope: window.scope,
    announce_url: window.announceUrl,
    announce_enabled: window.announceEnabled,
    protect_duration_start: window.protectDurationStart,
    protect_duration_end: window.protectDurationEnd,
  };
}
