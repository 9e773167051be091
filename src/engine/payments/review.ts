/**
 * Decisions of operators: on withdrawals that wait for them, and on deposits that could be credited to no user.
 * Source: domain 7.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import { countAgainstLimit, refuseBeyondLimit } from "../operators/limits.ts";
import type { State } from "../state.ts";
import { termsOn } from "./chain-terms.ts";
import type { ResolveDeposit, ReviewWithdrawal } from "./command-schemas.ts";
import { confirmDeposit } from "./confirm-deposit.ts";
import { confirmationsOf, tellDeposit } from "./deposit.ts";
import { chainBook, payments } from "./payments.ts";
import { handOver, refusePaying } from "./withdraw.ts";
import { closeWithdrawal, refund, tellWithdrawal } from "./withdrawal.ts";

const NOTE_CHARS_MAX = 512;

/** Approves a withdrawal, or stops it: at once while nothing of it has begun, else if the wallet can still do so. */
export function reviewWithdrawal(state: State, command: ReviewWithdrawal): Answer {
  const { withdrawId, approve, note } = command;
  const { withdrawals } = payments.of(state);
  const one = withdrawals.get(withdrawId);
  if (one === undefined) return refused("withdrawal_not_found", "There is no such withdrawal under way.");
  const wrong = refuseNote(note);
  if (wrong !== undefined) return wrong;
  if (approve) {
    if (one.status !== "audit_required") {
      return refused("withdrawal_status", `The withdrawal is ${one.status}; nothing of it waits for a review.`);
    }
    const asset = state.assets[one.assetId] as Asset;
    const beyond = refuseBeyondLimit(state, command.actor, asset, one.amount);
    const hindrance = beyond ?? refusePaying(state, one);
    if (hindrance !== undefined) return hindrance;
    countAgainstLimit(state, command.actor, asset.ccy, one.amount);
    one.status = "audited";
    one.note = note;
    tellWithdrawal(state, one);
    if (one.method === "inter_user") {
      handOver(state, one);
      closeWithdrawal(state, one);
      withdrawals.delete(withdrawId);
    }
    return accepted({ withdrawId, status: one.status });
  }
  switch (one.status) {
    case "audit_required":
      refund(state, one, "failed", note);
      return accepted({ withdrawId, status: "failed" });
    case "audited":
      refund(state, one, "cancelled", note);
      return accepted({ withdrawId, status: "cancelled" });
    case "processing":
    case "confirming":
      one.stopAsked = true;
      one.note = note;
      tellWithdrawal(state, one);
      return accepted({ withdrawId, status: one.status });
    default:
      return refused("withdrawal_status", `The withdrawal is ${one.status}.`);
  }
}

/** Gives a deposit to the user whose it is, or gives it up. */
export function resolveDeposit(state: State, command: ResolveDeposit): Answer {
  const { depositId, assignTo, cancel = false, note } = command;
  const deposit = payments.of(state).deposits.get(depositId);
  if (deposit === undefined) return refused("deposit_not_found", "There is no such deposit to decide on.");
  if (deposit.status !== "exception") {
    return refused("deposit_status", `The deposit is ${deposit.status}; nothing of it waits for a decision.`);
  }
  if ((assignTo !== undefined) === cancel) {
    return refused("invalid_command", "Name either the user to assign_to, or cancel.");
  }
  const wrong = refuseNote(note);
  if (wrong !== undefined) return wrong;
  const asset = state.assets[deposit.assetId] as Asset;
  if (assignTo !== undefined) {
    if (!state.users.has(assignTo)) return refused("user_not_found", "There is no user with that id.");
    if (termsOn(asset, deposit.chain) === undefined) {
      return refused(
        "chain_not_found",
        `The settings of ${asset.ccy} on ${deposit.chain} are not sound: mend them first.`,
      );
    }
    const beyond = refuseBeyondLimit(state, command.actor, asset, deposit.actualAmount);
    if (beyond !== undefined) return beyond;
  }

  // Nothing is refused below this line.
  deposit.assigned = true;
  deposit.remark = note;
  if (assignTo === undefined) {
    deposit.status = "cancelled";
    tellDeposit(state, deposit);
    deposit.height = Math.max(deposit.height, chainBook(state, deposit.chain).head, 1);
  } else {
    deposit.userId = assignTo;
    deposit.status = "processing";
    countAgainstLimit(state, command.actor, asset.ccy, deposit.actualAmount);
    if (confirmationsOf(state, deposit) === 0) tellDeposit(state, deposit);
  }
  confirmDeposit(state, deposit);
  return accepted({ depositId, status: deposit.status });
}

function refuseNote(note: string): Answer | undefined {
  return note !== "" && note.length <= NOTE_CHARS_MAX
    ? undefined
    : refused("invalid_command", `note must say why, in at most ${NOTE_CHARS_MAX} characters.`);
}
