/** The venue's figures over time, and its alerts. */

import type { MonitorAlert } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { flag, oneOf, optional, required, text, whole } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const SPANS = ["hour", "day", "week"] as const;

const series = call({
  method: "GET",
  path: "/admin/series",
  verbs: { series: "Show the venue's figures over the last hour, day or week." },
  fields: { span: optional(oneOf(SPANS), "how far back; hour unless given") },
  serve({ monitor }, { span = "hour" }) {
    const { stepMs, endedAt, figures, refusals } = monitor.series(span);
    return { span, step_ms: stepMs, ended_at: endedAt, series: figures, refusals };
  },
});

const listAlerts = call({
  method: "GET",
  path: "/admin/alerts",
  verbs: { "alert list": "Show what operators should look at: alerts that fire, and the latest that have ended." },
  fields: { firing: optional(flag, "true leaves out those that have ended"), ...pageFields },
  serve({ monitor }, { firing, ...page }) {
    const alerts = monitor.alerts();
    return pageOf(
      "alerts",
      firing !== true ? alerts : alerts.filter(({ endedAt }) => endedAt === undefined),
      page,
      alertRow,
    );
  },
});

const acknowledge = call({
  method: "POST",
  path: "/admin/alerts/ALERT_ID/acknowledge",
  verbs: { "alert acknowledge": "Say that somebody looks after an alert; the audit trail keeps who that is." },
  fields: {
    alert_id: required(whole("ALERT_ID", 1, Number.MAX_SAFE_INTEGER), "the alert"),
    note: required(text("TEXT", 1, 256), "what is being done about it"),
  },
  mayBy: () => ["support", "treasurer"],
  async serve(backend, { alert_id, note }) {
    const { monitor, operator } = backend;
    const alert = monitor.alerts().find(({ alertId }) => alertId === alert_id);
    if (alert === undefined) return invalidParameter(`there is no alert ${alert_id}.`);
    const noted = await execute(
      backend,
      { kind: "note", text: `alert ${alert_id} (${alert.name}) is acknowledged: ${note}` },
      () => ({}),
    );
    if (noted instanceof Refused) return noted;
    return alertRow(monitor.acknowledge(alert_id, operator.name, note) ?? alert);
  },
});

function alertRow({ alertId, beganAt, endedAt, acknowledged, ...alert }: MonitorAlert): object {
  return {
    alert_id: alertId,
    ...alert,
    began_at: beganAt,
    ended_at: endedAt ?? null,
    acknowledged_by: acknowledged?.by ?? null,
    acknowledged_at: acknowledged?.at ?? null,
    note: acknowledged?.note ?? "",
  };
}

export const MONITOR_CALLS: readonly AdminCall[] = [series, listAlerts, acknowledge];
