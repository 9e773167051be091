/** One deposit: what is known of it, and how it is told. Source: domain 7. */

import type { Asset } from "../listing/asset.ts";
import { formatDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { noteOwing } from "../wallet/owing.ts";
import { chainBook, confirmationsAt, holdingOf, payments } from "./payments.ts";

export const DEPOSIT_STATUSES = [
  "processing",
  "confirming",
  "finished",
  "too_small",
  "exception",
  "cancelled",
] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

export interface Deposit {
  readonly depositId: number;
  readonly chain: string;
  readonly txId: string;
  readonly output: number;
  readonly toAddress: string;
  readonly memo: string;
  readonly assetId: number;
  /** Units that were sent, and that are credited. */
  readonly amount: bigint;
  readonly actualAmount: bigint;
  readonly createdAt: number;
  /** 0: nobody's. */
  userId: number;
  status: DepositStatus;
  /** Of its block; 0 while it is in none. */
  height: number;
  /** ms at which it is credited; 0 unless it waits for nothing else. */
  creditAt: number;
  /** Deep enough that it may be withdrawn. */
  settled: boolean;
  /** An operator has said whose it is. */
  assigned: boolean;
  /** Why it is an exception, or what an operator noted. */
  remark: string;
}

/** Returns the key of a deposit: two notices with the same key are one deposit. */
export function keyOf(one: Pick<Deposit, "chain" | "txId" | "output" | "toAddress">): string {
  return `${one.chain}\n${one.txId}\n${one.output}\n${one.toAddress}`;
}

export function confirmationsOf(state: State, { chain, height }: Deposit): number {
  return confirmationsAt(chainBook(state, chain).head, height);
}

/** Says how a deposit stands now. */
export function tellDeposit(state: State, deposit: Deposit): void {
  const { ccy, scale } = state.assets[deposit.assetId] as Asset;
  emitRareEvent(state, {
    type: "deposit_moved",
    depositId: deposit.depositId,
    userId: deposit.userId === 0 ? null : deposit.userId,
    method: "on_chain",
    chain: deposit.chain,
    txId: deposit.txId,
    output: deposit.output,
    toAddress: deposit.toAddress,
    memo: deposit.memo,
    ccy,
    amount: formatDecimal(deposit.amount, scale),
    actualAmount: formatDecimal(deposit.actualAmount, scale),
    status: deposit.status,
    settled: deposit.settled,
    height: deposit.height,
    confirmations: confirmationsOf(state, deposit),
    remark: deposit.remark,
    createdAt: deposit.createdAt,
  });
}

/** Keeps a deposit that a notice may still concern. */
export function rememberDeposit(state: State, deposit: Deposit): void {
  const { deposits, depositByKey } = payments.of(state);
  deposits.set(deposit.depositId, deposit);
  depositByKey.set(keyOf(deposit), deposit);
}

export function forgetDeposit(state: State, deposit: Deposit): void {
  const { deposits, depositByKey } = payments.of(state);
  deposits.delete(deposit.depositId);
  depositByKey.delete(keyOf(deposit));
}

/** Adds to what a user has been credited with and its chain could take back. */
export function countReversible(state: State, { userId, assetId }: Deposit, units: bigint): void {
  const { reversible } = payments.of(state);
  const holding = holdingOf(userId, assetId);
  const sum = (reversible.get(holding) ?? 0n) + units;
  if (sum === 0n) reversible.delete(holding);
  else reversible.set(holding, sum);
  noteOwing(state, userId);
}
