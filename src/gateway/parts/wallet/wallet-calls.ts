/** Money from the outside world, and corrections. */
import { adjustingNames, fundableNames } from "../../../engine/ledger/cell.ts";
// Whose cells are named below.
import "../../../engine/parts.ts";
import type { Deed } from "../../admin/backend.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { decimal, optional, reference, required, signedDecimal, text, time, userId } from "../../admin/field.ts";
import { executeOrPropose, takesTwo } from "../../admin/four-eyes.ts";
import { pageFields, pageOfDeeds } from "../../admin/page.ts";

const deposit = call({
  method: "POST",
  path: "/admin/deposits",
  verbs: { "deposit create": "Credit a user, or a fund of the venue, with money from the outside world." },
  fields: {
    user_id: optional(userId, "the user, whose spot account is credited"),
    cell: optional(text("CELL", 1, 32), `instead of a user: ${fundableNames().join(", ")}`),
    ccy: required(text("CCY", 1, 20), "currency"),
    amount: required(decimal("AMOUNT"), "amount"),
    note: optional(text("TEXT", 0, 256), "why, for the log"),
    reference,
  },
  mayBy: () => ["treasurer"],
  serve: (backend, { user_id, cell, ccy, amount, note, reference: sent }) =>
    executeOrPropose(
      takesTwo(backend, ccy, amount),
      backend,
      { kind: "deposit", userId: user_id, cell, ccy, amount, note: note ?? "", reference: sent },
      (result) => ({ deposit_id: (result as { depositId: number }).depositId }),
    ),
});

const adjust = call({
  method: "POST",
  path: "/admin/adjustments",
  verbs: { adjust: "Correct what a user has available, with a note that says why." },
  fields: {
    user_id: required(userId, "the user, whose spot account is adjusted"),
    ccy: required(text("CCY", 1, 20), "currency"),
    amount: required(signedDecimal("AMOUNT"), "what is added; with a minus taken away, never more than is available"),
    note: required(text("TEXT", 1, 256), "why, for the log"),
    cell: optional(
      text("CELL", 1, 32),
      `the venue's own account on the other side: ${adjustingNames().join(", ")}; the outside world unless given`,
    ),
    reference,
  },
  mayBy: () => ["treasurer"],
  serve: (backend, { user_id, cell, ccy, amount, note, reference: sent }) =>
    executeOrPropose(
      takesTwo(backend, ccy, amount),
      backend,
      { kind: "adjust_balance", userId: user_id, cell, ccy, amount, note, reference: sent },
      (result) => ({ adjustment_id: (result as { adjustmentId: number }).adjustmentId }),
    ),
});

const listDeposits = call({
  method: "GET",
  path: "/admin/deposits",
  verbs: { "deposit list": "Show the deposits that operators have made, the newest first." },
  fields: {
    user_id: optional(userId, "those of this user"),
    actor: optional(text("NAME", 1, 32), "those that this operator made"),
    from: optional(time, "from then on"),
    to: optional(time, "before then"),
    ...pageFields,
  },
  serve: ({ trail }, { user_id, actor, from, to, page, limit }) =>
    pageOfDeeds(
      "deposits",
      trail,
      { action: "deposit", accepted: true, userId: user_id, actor, from, to },
      { page, limit },
      depositRow,
    ),
});

/** A deposit that two agreed on stands under who asked for it. */
function depositRow({ details, result, actor, timeMs }: Deed): object {
  const { userId: user_id = null, cell = null, ccy, amount, note, reference: sent = null } = details;
  const deposit_id = (result as { depositId?: number } | null)?.depositId ?? null;
  return { deposit_id, user_id, cell, ccy, amount, note, reference: sent, actor, created_at: timeMs };
}

export const WALLET_CALLS: readonly AdminCall[] = [deposit, adjust, listDeposits];
