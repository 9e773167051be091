/** Money from the outside world, and corrections. */
import { adjustingNames, fundableNames } from "../../../engine/ledger/cell.ts";
import { DEPOSIT_STATUSES } from "../../../engine/payments/deposit.ts";
import type { State } from "../../../engine/state.ts";
import type { DepositRow } from "../../../history/payments/payment-queries.ts";
// Whose cells are named below.
import "../../../engine/parts.ts";
import type { Action } from "../../admin/backend.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { decimal, oneOf, optional, reference, required, signedDecimal, text, time, userId } from "../../admin/field.ts";
import { pageFields, pageOfActions, rangeOf } from "../../admin/page.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { Refused } from "../../refused.ts";
import { depositConfirmations } from "../payments/deposits.ts";

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
  takesTwo: true,
  mayBy: () => ["treasurer"],
  serve: (backend, { user_id, cell, ccy, amount, note, reference: sent }) =>
    execute(
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
  takesTwo: true,
  mayBy: () => ["treasurer"],
  serve: (backend, { user_id, cell, ccy, amount, note, reference: sent }) =>
    execute(
      backend,
      { kind: "adjust_balance", userId: user_id, cell, ccy, amount, note, reference: sent },
      (result) => ({ adjustment_id: (result as { adjustmentId: number }).adjustmentId }),
    ),
});

const listDeposits = call({
  method: "GET",
  path: "/admin/deposits",
  verbs: {
    "deposit list":
      "Show the deposits that operators have made, or with a status those that came over chains; the newest first.",
  },
  fields: {
    user_id: optional(userId, "those of this user"),
    status: optional(oneOf(DEPOSIT_STATUSES), "those over chains in this status: exception waits for an operator"),
    ccy: optional(text("CCY", 1, 20), "with status: those of this currency"),
    actor: optional(text("NAME", 1, 32), "those that this operator made"),
    from: optional(time, "from then on"),
    to: optional(time, "before then"),
    ...pageFields,
  },
  serve: async (backend, { user_id, status, ccy, actor, from, to, page, limit }) => {
    if (status === undefined) {
      const query = { action: "deposit", accepted: true, userId: user_id, actor, from, to };
      return pageOfActions("deposits", backend.trail, query, { page, limit }, depositRow);
    }
    const query = { userId: user_id, statuses: [status], ccy, page: page ?? 1, limit: rangeOf({ page, limit }).limit };
    const found = await pageFromHistory((each) => backend.history.deposits(each), query);
    if (found instanceof Refused) return found;
    return { deposits: found.rows.map((row) => chainRow(backend.state, row)), has_next: found.hasNext };
  },
});

/** A deposit over a chain; of nobody while nobody knows whose it is. */
function chainRow(state: State, row: DepositRow): object {
  return {
    deposit_id: row.depositId,
    user_id: row.userId === 0 ? null : row.userId,
    ccy: row.ccy,
    chain: row.chain,
    deposit_method: row.method,
    tx_id: row.txId,
    to_address: row.toAddress,
    memo: row.memo,
    amount: row.amount,
    actual_amount: row.actualAmount,
    confirmations: depositConfirmations(state, row),
    status: row.status,
    remark: row.remark,
    created_at: row.createdAt,
  };
}

/** A deposit that two agreed on stands under who asked for it. */
function depositRow({ details, result, actor, timeMs }: Action): object {
  const { userId: user_id = null, cell = null, ccy, amount, note, reference: sent = null } = details;
  const deposit_id = (result as { depositId?: number } | null)?.depositId ?? null;
  return { deposit_id, user_id, cell, ccy, amount, note, reference: sent, actor, created_at: timeMs };
}

export const WALLET_CALLS: readonly AdminCall[] = [deposit, adjust, listDeposits];
