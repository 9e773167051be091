/** Calls that list and decide the commands that wait for the consent of a second operator, and show the audit trail. */
import { schemaOf } from "../../../engine/json-command.ts";
import { ENROLLING } from "../../../engine/operators/approvals.ts";
import type { Approval } from "../../../engine/operators/operators.ts";
import type { Action } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { flag, optional, required, text, time, userId, whole } from "../../admin/field.ts";
import { pageFields, pageOf, pageOfActions } from "../../admin/page.ts";
import { tokenHashOf } from "../../auth/web-sessions.ts";

const listApprovals = call({
  method: "GET",
  path: "/admin/approvals",
  verbs: { "approval list": "Show what waits for the consent of a second operator, the oldest first." },
  fields: { ...pageFields },
  serve: ({ state }, values) => pageOf("approvals", state.operators.approvals.values(), values, approvalRow),
});

function approvalRow({ approvalId, actor, command, createdAt }: Approval): object {
  const { kind, actor: _, ...fields } = command;
  const declared = schemaOf(kind)?.fields ?? {};
  const details = Object.fromEntries(Object.entries(fields).filter(([name]) => declared[name]?.isSealed !== true));
  return { approval_id: approvalId, actor, action: kind, details, created_at: createdAt };
}

const decide = call({
  method: "POST",
  path: "/admin/approvals/APPROVAL_ID",
  verbs: { "approval decide": "Consent to what another operator asked for, which is then done, or drop it." },
  fields: {
    approval_id: required(whole("APPROVAL_ID", 1, Number.MAX_SAFE_INTEGER), "what waits"),
    approve: required(flag, "true does it, false drops it"),
    note: optional(text("TEXT", 0, 256), "why, for the log"),
  },
  mayBy: () => ["treasurer"],
  serve(backend, { approval_id, approve, note }) {
    const kind = approve ? backend.state.operators.approvals.get(approval_id)?.command.kind : undefined;
    const code = kind !== undefined && ENROLLING.has(kind) ? backend.vault.newToken() : undefined;
    const codeHash = code && tokenHashOf(code);
    return execute(backend, { kind: "decide", approvalId: approval_id, approve, note, codeHash }, (result) => ({
      // Behind what it did, which may have a status of its own.
      ...snakeNames((result as { result?: object }).result ?? {}),
      ...(code === undefined ? {} : { enrolment: code }),
      approval_id,
      status: approve ? "approved" : "rejected",
    }));
  },
});

/** `{ depositId: 1 }` → `{ deposit_id: 1 }`, as the call itself would have answered. */
function snakeNames(result: object): object {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [snake(name), value]));
}

const auditTrail = call({
  method: "GET",
  path: "/admin/audit-trail",
  verbs: { "audit-trail": "Show what operators did and tried, with what came of it, the newest first." },
  fields: {
    actor: optional(text("NAME", 1, 64), "what this operator did"),
    action: optional(text("KIND", 1, 64), "commands of this kind, such as deposit"),
    user_id: optional(userId, "what was done to this user"),
    from: optional(time, "from then on"),
    to: optional(time, "before then"),
    ...pageFields,
  },
  serve: ({ trail }, { actor, action, user_id, from, to, page, limit }) =>
    pageOfActions("audit_trail", trail, { actor, action, userId: user_id, from, to }, { page, limit }, actionRow),
});

function actionRow({ seq, timeMs, actor, action, details, outcome, result }: Action): object {
  return {
    seq,
    time: new Date(timeMs).toISOString(),
    actor,
    action,
    details,
    outcome: outcome ?? "unknown",
    result: result ?? null,
  };
}

export const APPROVAL_CALLS: readonly AdminCall[] = [listApprovals, decide, auditTrail];
