/** One withdrawal: what is known of it, how it is told, and what becomes of its money. Source: domain 7. */

import type { Asset } from "../listing/asset.ts";
import { formatDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { PAYMENT_POSTING } from "./codes.ts";
import type { Method } from "./method.ts";
import { payOutside } from "./outside.ts";
import { confirmationsAt, headOf, payments } from "./payments.ts";
import { countWithdrawn } from "./withdraw-limit.ts";

export const WITHDRAWAL_STATUSES = [
  "created",
  "audit_required",
  "audited",
  "processing",
  "confirming",
  "finished",
  "cancelled",
  "cancellation_failed",
  "failed",
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

export interface Withdrawal {
  readonly withdrawId: number;
  readonly userId: number;
  readonly method: Method;
  /** Empty between users, */
  readonly chain: string;
  readonly toAddress: string;
  /** and 0 over a chain. */
  readonly toUserId: number;
  readonly memo: string;
  readonly assetId: number;
  /** Units that the user gives; those of the fee are among them where both are of one asset. */
  readonly amount: bigint;
  readonly feeAssetId: number;
  readonly fee: bigint;
  /** Units that are paid out. */
  readonly actualAmount: bigint;
  readonly remark: string;
  readonly createdAt: number;
  status: WithdrawalStatus;
  txId: string;
  /** Of its block; 0 while it is in none. */
  height: number;
  /** An operator wants it stopped, if that can still be done. */
  stopAsked: boolean;
  /** The fee of the network for it, booked when it is finished; of asset -1: nothing. */
  networkFeeAssetId: number;
  networkFee: bigint;
  note: string;
}

/** Whether its money is still the user's, frozen. */
export function isOpen({ status }: Withdrawal): boolean {
  return status !== "finished" && status !== "cancelled" && status !== "failed";
}

/** Whether nothing of it has been signed. */
export function isWaiting({ status }: Withdrawal): boolean {
  return status === "created" || status === "audit_required" || status === "audited";
}

export function withdrawalConfirmations(state: State, { chain, height }: Withdrawal): number {
  return confirmationsAt(headOf(state, chain), height);
}

/** Says how a withdrawal stands now. */
export function tellWithdrawal(state: State, one: Withdrawal): void {
  const { ccy, scale } = state.assets[one.assetId] as Asset;
  const fee = state.assets[one.feeAssetId] as Asset;
  emitRareEvent(state, {
    type: "withdrawal_moved",
    withdrawId: one.withdrawId,
    userId: one.userId,
    method: one.method,
    chain: one.chain,
    toAddress: one.toAddress,
    toUserId: one.toUserId === 0 ? null : one.toUserId,
    memo: one.memo,
    ccy,
    amount: formatDecimal(one.amount, scale),
    feeCcy: fee.ccy,
    fee: formatDecimal(one.fee, fee.scale),
    actualAmount: formatDecimal(one.actualAmount, scale),
    remark: one.remark,
    status: one.status,
    txId: one.txId,
    height: one.height,
    confirmations: withdrawalConfirmations(state, one),
    note: one.note,
    createdAt: one.createdAt,
  });
}

/**
 * Returns the units of an asset that a withdrawal takes, its fee included: 0 of an asset that it has nothing to do
 * with.
 */
export function needsOf(one: Withdrawal, assetId: number): bigint {
  if (assetId === one.assetId) return one.amount;
  return assetId === one.feeAssetId ? one.fee : 0n;
}

/** Puts its money aside, or with -1 gives it back. */
export function freezeFor(state: State, one: Withdrawal, sign: 1n | -1n): void {
  const { ledger, events } = state;
  ledger.freeze(events, ledger.spotCell(one.userId, one.assetId), sign * one.amount, one.withdrawId);
  if (one.feeAssetId === one.assetId || one.fee === 0n) return;
  ledger.freeze(events, ledger.spotCell(one.userId, one.feeAssetId), sign * one.fee, one.withdrawId);
}

/** Pays out what was put aside: the amount to the outside world, the fee to the venue. */
export function payOut(state: State, one: Withdrawal): void {
  const { ledger, events } = state;
  const { withdraw } = PAYMENT_POSTING;
  const { withdrawId } = one;
  ledger.post(events, ledger.spotCell(one.userId, one.assetId), 0n, -one.amount, withdraw, withdrawId);
  payOutside(state, one.assetId, one.actualAmount, withdraw, withdrawId);
  if (one.fee === 0n) return;
  if (one.feeAssetId !== one.assetId) {
    ledger.post(events, ledger.spotCell(one.userId, one.feeAssetId), 0n, -one.fee, withdraw, withdrawId);
  }
  ledger.post(events, ledger.feeCell(one.feeAssetId), one.fee, 0n, withdraw, withdrawId);
}

/** Ends a withdrawal whose money goes back to its user; it counts no more against what the user may withdraw today. */
export function refund(state: State, one: Withdrawal, status: "cancelled" | "failed", note: string): void {
  freezeFor(state, one, -1n);
  countWithdrawn(state, one.userId, (state.assets[one.assetId] as Asset).ccy, -one.amount, one.createdAt);
  one.status = status;
  one.note = note;
  closeWithdrawal(state, one);
  tellWithdrawal(state, one);
  payments.of(state).withdrawals.delete(one.withdrawId);
}

/** One fewer of the user's is under way. */
export function closeWithdrawal(state: State, { userId }: Withdrawal): void {
  const { openOf } = payments.of(state);
  const left = (openOf.get(userId) ?? 0) - 1;
  if (left <= 0) openOf.delete(userId);
  else openOf.set(userId, left);
}
