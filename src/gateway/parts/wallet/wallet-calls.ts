/** Money from the outside world, and corrections. */
import { adjustingNames } from "../../../engine/ledger/cell.ts";
// Whose cells are named below.
import "../../../engine/parts.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, optional, required, signedDecimal, text, userId } from "../../admin/field.ts";

const deposit = call({
  method: "POST",
  path: "/admin/deposits",
  verbs: { deposit: "Credit a user, or a fund of the venue, with money from the outside world." },
  fields: {
    user_id: optional(userId, "the user, whose spot account is credited"),
    cell: optional(text("CELL", 1, 32), "instead of a user: sys:ins_futures, sys:ins_margin or sys:lend_pool"),
    ccy: required(text("CCY", 1, 20), "currency"),
    amount: required(decimal("AMOUNT"), "amount"),
    note: optional(text("TEXT", 0, 256), "why, for the log"),
  },
  serve: (backend, { user_id, cell, ccy, amount, note }) =>
    execute(backend, { kind: "deposit", userId: user_id, cell, ccy, amount, note: note ?? "" }, (result) => ({
      deposit_id: (result as { depositId: number }).depositId,
    })),
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
  },
  serve: (backend, { user_id, cell, ccy, amount, note }) =>
    execute(backend, { kind: "adjust_balance", userId: user_id, cell, ccy, amount, note }, (result) => ({
      adjustment_id: (result as { adjustmentId: number }).adjustmentId,
    })),
});

export const WALLET_CALLS: readonly AdminCall[] = [deposit, adjust];
