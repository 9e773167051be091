/** Maintenance windows: planned, listed and cancelled in the words of the API's own record. */
import { MAINTENANCE_SCOPES } from "../../../engine/maintenance/command-schemas.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { flag, listOf, oneOf, optional, required, time, timeOrZero, webAddress, whole } from "../../admin/field.ts";
import { maintenanceRecord } from "../../current/records/maintenance.ts";
import { windowsAt } from "../../reading/maintenance.ts";

const URL_CHARS_MAX = 256;

const planMaintenance = call({
  method: "POST",
  path: "/admin/maintenance",
  verbs: { "maintenance create": "Plan a maintenance window, with a protection period or without." },
  fields: {
    scope: required(listOf(oneOf(MAINTENANCE_SCOPES), MAINTENANCE_SCOPES.length), "what it covers"),
    started_at: required(time, "when it begins; past: at once"),
    ended_at: required(time, "when it ends"),
    protect_duration_start: optional(timeOrZero, "when its protection period begins; none unless given, or 0"),
    protect_duration_end: optional(timeOrZero, "when that ends"),
    announce_url: optional(webAddress(URL_CHARS_MAX), "link of the announcement"),
    announce_enabled: optional(flag, "whether there is such a link; need not be said"),
  },
  serve(backend, values) {
    const announceUrl = values.announce_url ?? "";
    return execute(
      backend,
      {
        kind: "plan_maintenance",
        scope: values.scope,
        startedAt: values.started_at,
        endedAt: values.ended_at,
        protectDurationStart: values.protect_duration_start ?? 0,
        protectDurationEnd: values.protect_duration_end ?? 0,
        announceUrl,
        announceEnabled: values.announce_enabled ?? announceUrl !== "",
      },
      (result) => ({ maintenance_id: (result as { maintenanceId: number }).maintenanceId }),
    );
  },
});

const listMaintenance = call({
  method: "GET",
  path: "/admin/maintenance",
  verbs: { "maintenance list": "Show the windows that are planned or running, the first to begin first." },
  fields: {},
  serve(backend) {
    const { state } = backend;
    const windows = windowsAt(state, state.timeMs);
    return {
      maintenance: windows.map((window) => ({
        maintenance_id: window.maintenanceId,
        ...maintenanceRecord(window),
      })),
    };
  },
});

const cancelMaintenance = call({
  method: "DELETE",
  path: "/admin/maintenance/MAINTENANCE_ID",
  verbs: { "maintenance cancel": "Cancel a window, planned or running; what it forbade is allowed at once." },
  fields: { maintenance_id: required(whole("MAINTENANCE_ID", 1, Number.MAX_SAFE_INTEGER), "the window") },
  serve: (backend, { maintenance_id }) =>
    execute(backend, { kind: "cancel_maintenance", maintenanceId: maintenance_id }, () => ({ maintenance_id })),
});

export const MAINTENANCE_CALLS: readonly AdminCall[] = [planMaintenance, listMaintenance, cancelMaintenance];
