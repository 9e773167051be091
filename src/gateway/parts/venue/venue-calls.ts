/** The venue itself: how it stands, its books of account, and the lifting of cancel-only. */

import { type AdminCall, call, execute } from "../../admin/call.ts";
import { flag, required, text } from "../../admin/field.ts";
import { Refused } from "../../refused.ts";
import { haltRow } from "../payments/payment-calls.ts";
import { clockCall, clockOf } from "./clock-call.ts";

const status = call({
  method: "GET",
  path: "/admin/status",
  verbs: { status: "Show how the venue stands: its last command, its time and the hash of its state." },
  fields: {},
  serve(backend) {
    const { seq, timeMs, stateHash, version, profile, uptimeMs, url, quotas, hasMakers, risks, storage } =
      backend.status();
    return {
      seq,
      time_ms: timeMs,
      state_hash: stateHash,
      version,
      profile,
      uptime_ms: uptimeMs,
      url,
      cancel_only: backend.state.cancelOnly,
      withdrawals_halted: haltRow(backend.state),
      quotas,
      risks,
      makers: hasMakers,
      storage: {
        disk: storage.disk,
        free_bytes: storage.freeBytes ?? null,
        history: storage.history,
        audit_trail: storage.isTrailBehind ? "behind" : "writing",
      },
      clock: clockOf(backend),
    };
  },
});

const audit = call({
  method: "GET",
  path: "/admin/audit",
  verbs: { "audit --live": "Hold the running venue's state against the invariants and add up what it holds." },
  fields: {},
  async serve(backend) {
    const audit = await backend.audit().catch(() => undefined);
    if (audit === undefined)
      return new Refused("unavailable", "The state could not be looked at; the log of the venue says why.");
    const { seq, stateHash, ok, breaches, totals } = audit;
    const byCcy = totals.map(({ ccy, custody, users, system }) => [ccy, { custody, users, system }] as const);
    return { seq, state_hash: stateHash, ok, breaches, totals: Object.fromEntries(byCcy) };
  },
});

const cancelOnly = call({
  method: "POST",
  path: "/admin/cancel-only",
  verbs: {
    "cancel-only": "Take only cancels, or lift that again; the venue does it to itself when an invariant breaks.",
  },
  fields: {
    cancel_only: required(flag, "true takes only cancels, false lifts it"),
    reason: required(text("TEXT", 1, 256), "why, for the log"),
  },
  serve: (backend, { cancel_only, reason }) =>
    execute(backend, { kind: "set_cancel_only", cancelOnly: cancel_only, reason }, () => ({ cancel_only })),
});

export const VENUE_CALLS: readonly AdminCall[] = [status, audit, clockCall, cancelOnly];
