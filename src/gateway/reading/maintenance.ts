import { isOver, type MaintenanceWindow } from "../../engine/maintenance/maintenance.ts";
import type { State } from "../../engine/state.ts";

/** Windows that are not over at `nowMs`, the one that begins first at the front. */
export function windowsAt(state: State, nowMs: number): MaintenanceWindow[] {
  return state.maintenance
    .filter((window) => !isOver(window, nowMs))
    .sort((first, second) => first.startedAt - second.startedAt);
}
