/** Calls by which operators decide and list deposits over chains and withdrawals. */

import { haltOf } from "../../../engine/chains/withdrawal-halt.ts";
import { DEPOSIT_STATUSES } from "../../../engine/payments/deposit.ts";
import { WITHDRAWAL_STATUSES } from "../../../engine/payments/withdrawal.ts";
import type { State } from "../../../engine/state.ts";
import type { WithdrawalRow } from "../../../history/payments/payment-queries.ts";
import { type AdminCall, call, execute } from "../../admin/call.ts";
import { flag, oneOf, optional, required, text, userId, whole } from "../../admin/field.ts";
import { pageFields, rangeOf } from "../../admin/page.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { Refused } from "../../refused.ts";
import { confirmationsNow } from "./withdrawals.ts";

const note = required(text("TEXT", 1, 512), "why, for the log");

const resolveDeposit = call({
  method: "POST",
  path: "/admin/deposits/DEPOSIT_ID",
  verbs: { "deposit resolve": "Give a deposit that nobody could be credited with to a user, or give it up." },
  fields: {
    deposit_id: required(
      whole("DEPOSIT_ID", 1, Number.MAX_SAFE_INTEGER),
      `a deposit that is an ${DEPOSIT_STATUSES[4]}`,
    ),
    assign_to: optional(userId, "the user whose it is"),
    cancel: optional(flag, "true gives it up: nobody is credited"),
    note,
  },
  takesTwo: true,
  mayBy: () => ["treasurer"],
  serve: (backend, { deposit_id, assign_to, cancel, note: why }) => {
    return execute(
      backend,
      { kind: "resolve_deposit", depositId: deposit_id, assignTo: assign_to, cancel, note: why },
      (result) => ({ deposit_id, status: (result as { status: string }).status }),
    );
  },
});

const listWithdrawals = call({
  method: "GET",
  path: "/admin/withdrawals",
  verbs: { "withdrawal list": "Show withdrawals, the newest first." },
  fields: {
    status: optional(oneOf(WITHDRAWAL_STATUSES), "those in this status: audit_required waits for an operator"),
    user_id: optional(userId, "those of this user"),
    ccy: optional(text("CCY", 1, 20), "those of this currency"),
    withdraw_id: optional(whole("WITHDRAW_ID", 1, Number.MAX_SAFE_INTEGER), "this one"),
    ...pageFields,
  },
  serve: async ({ state, history }, { status, user_id, ccy, withdraw_id, page = 1, limit: asked }) => {
    const { limit } = rangeOf({ page, limit: asked });
    const query = { status, userId: user_id, ccy, withdrawId: withdraw_id, page, limit };
    const found = await pageFromHistory((each) => history.withdrawals(each), query);
    if (found instanceof Refused) return found;
    return { withdrawals: found.rows.map((row) => rowOf(state, row)), has_next: found.hasNext };
  },
});

function rowOf(state: State, row: WithdrawalRow): object {
  return {
    withdraw_id: row.withdrawId,
    user_id: row.userId,
    ccy: row.ccy,
    chain: row.chain,
    withdraw_method: row.method,
    to_address: row.toAddress,
    memo: row.memo,
    amount: row.amount,
    actual_amount: row.actualAmount,
    tx_fee: row.fee,
    fee_ccy: row.feeCcy,
    tx_id: row.txId,
    confirmations: confirmationsNow(state, row),
    status: row.status,
    note: row.note,
    created_at: row.createdAt,
  };
}

const review = call({
  method: "POST",
  path: "/admin/withdrawals/WITHDRAW_ID",
  verbs: {
    "withdrawal review":
      "Let a withdrawal that waits go out, or stop one; on its way it is stopped if that can still be done.",
  },
  fields: {
    withdraw_id: required(whole("WITHDRAW_ID", 1, Number.MAX_SAFE_INTEGER), "the withdrawal"),
    approve: required(flag, "true lets it go, false stops it"),
    note,
  },
  takesTwo: true,
  mayBy: () => ["treasurer"],
  serve: (backend, { withdraw_id, approve, note: why }) => {
    return execute(backend, { kind: "review_withdrawal", withdrawId: withdraw_id, approve, note: why }, (result) => ({
      withdraw_id,
      status: (result as { status: string }).status,
    }));
  },
});

const halt = call({
  method: "POST",
  path: "/admin/withdrawal-halt",
  verbs: {
    "withdrawal halt":
      "Halt withdrawals over chains, or resume them; then they are halted again when more is missing in custody " +
      "than at that moment.",
  },
  fields: {
    halted: required(flag, "true: none is taken, begun or signed; false: they go on"),
    reason: required(text("TEXT", 1, 512), "why, for the log"),
  },
  mayBy: ({ halted }) => (halted ? ["treasurer"] : []),
  serve: (backend, { halted, reason }) =>
    execute(
      backend,
      halted ? { kind: "halt_withdrawals", reason } : { kind: "resume_withdrawals", note: reason },
      () => ({ withdrawals_halted: haltRow(backend.state) }),
    ),
});

/** Null: withdrawals go on. */
export function haltRow(state: State): object | null {
  const found = haltOf(state);
  return found === undefined ? null : { since_ms: found.sinceMs, reason: found.reason };
}

export const PAYMENT_CALLS: readonly AdminCall[] = [resolveDeposit, listWithdrawals, halt, review];
