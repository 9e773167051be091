import type {
  CancelMaintenance,
  MaintenanceScope,
  PlanMaintenance,
} from "../../../../src/engine/maintenance/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { ModelVenue } from "../model/venue.ts";

/** Domain 2.13. */
export function planWindow(venue: ModelVenue, command: PlanMaintenance): Refusal | undefined {
  const { scope, startedAt, endedAt, protectDurationStart: from, protectDurationEnd: to } = command;
  if (scope.length === 0 || scope.some((name) => !["SPOT", "FUTURES", "ALL_SITE"].includes(name))) {
    return "invalid_command";
  }
  if (startedAt < 0 || endedAt <= startedAt || endedAt <= venue.timeMs) return "invalid_command";
  if (from !== 0 || to !== 0) {
    if (from < 0 || to <= from || to <= venue.timeMs) return "invalid_command";
  }
  if (command.announceEnabled && command.announceUrl === "") return "invalid_command";
  if (venue.windows.length >= 100) return "invalid_command";
  const id = venue.nextWindowId++;
  venue.windows.push({ ...command, id });
  venue.outcome.madeId = id;
  return undefined;
}

export function cancelWindow(venue: ModelVenue, { maintenanceId }: CancelMaintenance): Refusal | undefined {
  const at = venue.windows.findIndex((window) => window.id === maintenanceId);
  if (at < 0) return "maintenance_not_found";
  venue.windows.splice(at, 1);
  return undefined;
}

/** Windows of which nothing is to come are forgotten. */
export function forgetWindows(venue: ModelVenue): void {
  venue.windows = venue.windows.filter(
    (window) => venue.timeMs < window.endedAt || venue.timeMs < window.protectDurationEnd,
  );
}

/**
 * What the windows leave of spot trading now, or of something else: all, the little of a protection period, nothing.
 */
export function phase(
  venue: ModelVenue,
  scopes: readonly MaintenanceScope[] = ["SPOT", "ALL_SITE"],
): "open" | "protection" | "maintenance" {
  const now = venue.timeMs;
  const windows = venue.windows.filter(({ scope }) => scopes.some((name) => scope.includes(name)));
  if (windows.some(({ startedAt, endedAt }) => startedAt <= now && now < endedAt)) return "maintenance";
  if (windows.some((window) => window.protectDurationStart <= now && now < window.protectDurationEnd)) {
    return "protection";
  }
  return "open";
}
