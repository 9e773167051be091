/** Maintenance windows as the contract's record, for users and for the operator. */
import { isOver, type MaintenanceWindow } from "../../../engine/maintenance/maintenance.ts";
import type { State } from "../../../engine/state.ts";
import type { Maintenance } from "../types.generated.ts";

/** Windows that are not over at `nowMs`, the one that begins first at the front. */
export function windowsAt(state: State, nowMs: number): MaintenanceWindow[] {
  return state.maintenance
    .filter((window) => !isOver(window, nowMs))
    .sort((first, second) => first.startedAt - second.startedAt);
}

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
