/**
 * A withdrawal on its way, as the venue's program tells of it. Each step is a command in the log before the next one is
 * taken in the world: what has begun is not cancelled, and what is over is not begun again. Source: domain 7.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import { findChainBook } from "../chains/chain-book.ts";
import { withdrawalPaymentId } from "../chains/payment-ids.ts";
import { refuseHalted } from "../chains/withdrawal-halt.ts";
import type { Asset } from "../listing/asset.ts";
import { parseDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { depthOf, termsOn } from "./chain-terms.ts";
import type {
  WithdrawalBroadcast,
  WithdrawalFailed,
  WithdrawalGone,
  WithdrawalMined,
  WithdrawalStarted,
  WithdrawalUnstoppable,
} from "./command-schemas.ts";
import { bookNetworkCost } from "./outside.ts";
import { chainBook, payments } from "./payments.ts";
import { refusePaying } from "./withdraw.ts";
import {
  closeWithdrawal,
  isOpen,
  isWaiting,
  payOut,
  refund,
  tellWithdrawal,
  type Withdrawal,
  type WithdrawalStatus,
  withdrawalConfirmations,
} from "./withdrawal.ts";

const TX_CHARS_MAX = 256;
const REASON_CHARS_MAX = 512;

/**
 * From here on the money may leave at any time; where it may not leave now, the withdrawal waits for an operator, its
 * funds frozen.
 */
export function startWithdrawal(state: State, { withdrawId }: WithdrawalStarted): Answer {
  const one = found(state, withdrawId, ["audited"]);
  if (!("amount" in one)) return one;
  const halted = refuseHalted(state);
  if (halted !== undefined) return halted;
  const hindrance = refusePaying(state, one);
  one.status = hindrance === undefined ? "processing" : "audit_required";
  if (hindrance?.refusal !== undefined) one.note = hindrance.detail;
  tellWithdrawal(state, one);
  return accepted({ withdrawId, status: one.status });
}

export function broadcastWithdrawal(state: State, { withdrawId, txId }: WithdrawalBroadcast): Answer {
  const one = found(state, withdrawId, ["processing", "confirming", "cancellation_failed"]);
  if (!("amount" in one)) return one;
  const wrong = refuseTx(txId);
  if (wrong !== undefined) return wrong;
  if (one.txId === txId && one.status !== "processing") return accepted({ withdrawId });
  one.txId = txId;
  if (one.status === "processing") one.status = "confirming";
  tellWithdrawal(state, one);
  return accepted({ withdrawId });
}

export function mineWithdrawal(state: State, command: WithdrawalMined): Answer {
  const { withdrawId, txId, height, networkFeeCcy } = command;
  const one = found(state, withdrawId, ["processing", "confirming", "cancellation_failed", "finished"]);
  if (!("amount" in one)) return one;
  const wrong = refuseTx(txId);
  if (wrong !== undefined) return wrong;
  if (height <= 0) return refused("invalid_command", "height must be that of a block.");
  const feeAsset = networkFeeCcy === undefined ? undefined : state.assetByCcy.get(networkFeeCcy);
  if (networkFeeCcy !== undefined && feeAsset === undefined) {
    return refused("asset_not_found", `The asset ${networkFeeCcy} is not listed.`);
  }
  const fee = feeAsset === undefined ? 0n : parseDecimal(command.networkFee ?? "0", feeAsset.scale);
  if (fee === undefined || fee > (feeAsset?.maxCustody ?? 0n))
    return refused("invalid_command", "network_fee must be a decimal of its currency.");
  if (one.height === height && one.txId === txId) return accepted({ withdrawId });
  if (one.status === "processing") one.status = "confirming";
  one.txId = txId;
  one.height = height;
  if (one.status !== "finished") {
    one.networkFeeAssetId = feeAsset?.id ?? -1;
    one.networkFee = fee;
  }
  tellWithdrawal(state, one);
  confirmWithdrawal(state, one);
  return accepted({ withdrawId });
}

/** Before it is finished it is sent again as it was signed; afterwards somebody has to look. */
export function loseWithdrawal(state: State, { withdrawId }: WithdrawalGone): Answer {
  const one = found(state, withdrawId, ["confirming", "cancellation_failed", "finished"]);
  if (!("amount" in one)) return one;
  if (one.height === 0) return accepted({ withdrawId });
  one.height = 0;
  tellWithdrawal(state, one);
  if (one.status === "finished") {
    emitRareEvent(state, { type: "withdrawal_lost", withdrawId, chain: one.chain, txId: one.txId });
  }
  return accepted({ withdrawId });
}

export function leaveUnstopped(state: State, { withdrawId }: WithdrawalUnstoppable): Answer {
  const one = found(state, withdrawId, ["processing", "confirming"]);
  if (!("amount" in one)) return one;
  if (!one.stopAsked) return refused("withdrawal_status", "Nobody has asked for the withdrawal to be stopped.");
  one.status = "cancellation_failed";
  tellWithdrawal(state, one);
  return accepted({ withdrawId });
}

/** Its money goes back. */
export function failWithdrawal(state: State, { withdrawId, reason }: WithdrawalFailed): Answer {
  const one = found(state, withdrawId, ["processing", "confirming", "cancellation_failed"]);
  if (!("amount" in one)) return one;
  if (reason.length > REASON_CHARS_MAX) {
    return refused("invalid_command", `A reason has at most ${REASON_CHARS_MAX} characters.`);
  }
  if (findChainBook(state, one.chain)?.payments.has(withdrawalPaymentId(withdrawId)) === true) {
    return refused("withdrawal_status", "What was signed for the withdrawal may still be carried out.");
  }
  refund(state, one, "failed", reason);
  return accepted({ withdrawId });
}

/** Finishes a withdrawal that is deep enough, and forgets one that is so deep that nothing reaches it. */
export function confirmWithdrawal(state: State, one: Withdrawal): void {
  if (one.height === 0) return;
  const book = chainBook(state, one.chain);
  const safe = termsOn(state.assets[one.assetId] as Asset, one.chain)?.safe ?? depthOf(state, one.chain);
  if (isOpen(one) && withdrawalConfirmations(state, one) >= safe) finish(state, one);
  if (!isOpen(one) && one.height <= book.buried) {
    payments.of(state).withdrawals.delete(one.withdrawId);
    return;
  }
  const at = one.height + (isOpen(one) ? safe - 1 : depthOf(state, one.chain));
  book.withdrawalHeights.add(Math.max(at, book.head + 1), one.withdrawId);
}

function finish(state: State, one: Withdrawal): void {
  payOut(state, one);
  one.status = "finished";
  closeWithdrawal(state, one);
  tellWithdrawal(state, one);
  if (one.networkFee > 0n) bookNetworkCost(state, one.chain, one.networkFeeAssetId, one.networkFee, one.withdrawId);
}

/**
 * Payments that are to be begun on a chain, and those that have been begun and are not over; in the order of their ids.
 */
export function paymentsDue(state: State, chain: string): Withdrawal[] {
  return [...payments.of(state).withdrawals.values()].filter(
    (one) => one.chain === chain && isOpen(one) && (one.status === "audited" || !isWaiting(one)),
  );
}

function found(state: State, withdrawId: number, statuses: readonly WithdrawalStatus[]): Withdrawal | Answer {
  const one = payments.of(state).withdrawals.get(withdrawId);
  if (one === undefined || one.method !== "on_chain") {
    return refused("withdrawal_not_found", "There is no such withdrawal under way.");
  }
  if (statuses.includes(one.status)) return one;
  return refused("withdrawal_status", `The withdrawal is ${one.status}.`);
}

function refuseTx(txId: string): Answer | undefined {
  const isSound = txId !== "" && txId.length <= TX_CHARS_MAX;
  return isSound ? undefined : refused("invalid_command", `A transaction has 1 to ${TX_CHARS_MAX} characters.`);
}
