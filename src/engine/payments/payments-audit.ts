/**
 * Follows deposits and withdrawals by what is told of them: that they take only steps that they may take, that a
 * payment is credited once and after its confirmations, that what is paid out was frozen, and why money moved. Source:
 * domain 7 and 10, number 30.
 */

import type { Audit, Hearing } from "../audit/audit.ts";
import { add, cellName, type Report, spotCellName } from "../audit/ledger-audit.ts";
import type { EngineEvent, RareEvents } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import type { Asset } from "../listing/asset.ts";
import type { ChainSpec } from "../listing/chain-settings.ts";
import { parseDecimal } from "../money/decimal.ts";
import { RATE_ONE_E8 } from "../money/rate.ts";
import type { State } from "../state.ts";
import { termsOn } from "./chain-terms.ts";
import { PAYMENT_CELL } from "./codes.ts";
import type { DepositStatus } from "./deposit.ts";
import { payments } from "./payments.ts";
import { isOpen, needsOf, type WithdrawalStatus } from "./withdrawal.ts";

type Told<Type extends keyof RareEvents> = Omit<RareEvents[Type], "type">;

/** The statuses that may follow each status of a deposit; "" stands for a deposit that was not there before. */
const DEPOSIT_STEPS: Readonly<Record<DepositStatus | "", readonly DepositStatus[]>> = {
  "": ["processing", "confirming", "finished", "too_small", "exception"],
  processing: ["processing", "confirming", "finished", "exception", "cancelled"],
  confirming: ["processing", "confirming", "finished", "exception", "cancelled"],
  // Settled, or taken back.
  finished: ["finished", "cancelled"],
  too_small: ["cancelled"],
  exception: ["processing", "confirming", "finished", "exception", "cancelled"],
  // Its transaction is back in the chain.
  cancelled: ["processing", "confirming", "finished", "exception"],
};

const WITHDRAWAL_STEPS: Readonly<Record<WithdrawalStatus | "", readonly WithdrawalStatus[]>> = {
  "": ["created"],
  created: ["audit_required", "audited", "finished"],
  audit_required: ["audited", "cancelled", "failed"],
  audited: ["processing", "audit_required", "cancelled", "finished"],
  processing: ["processing", "confirming", "failed", "cancellation_failed"],
  confirming: ["confirming", "finished", "failed", "cancellation_failed"],
  cancellation_failed: ["cancellation_failed", "finished", "failed"],
  finished: ["finished"],
  failed: [],
  cancelled: [],
};

interface Followed<Status> {
  readonly status: Status;
  readonly isSettled: boolean;
}

export class PaymentsAudit implements Audit {
  private readonly state: State;
  private readonly deposits = new Map<number, Followed<DepositStatus>>();
  private readonly withdrawals = new Map<number, WithdrawalStatus>();
  /** Deposits that stand credited, by what makes a payment one. */
  private readonly credited = new Map<string, number>();
  private readonly needs = new Map<string, bigint>();

  constructor(state: State) {
    this.state = state;
    const { deposits, withdrawals } = payments.of(state);
    for (const [id, { status, settled, ...deposit }] of deposits) {
      this.deposits.set(id, { status, isSettled: settled });
      if (status === "finished") this.credited.set(paymentOf(deposit), id);
    }
    for (const [id, one] of withdrawals) {
      this.withdrawals.set(id, one.status);
      if (!isOpen(one)) continue;
      for (const assetId of new Set([one.assetId, one.feeAssetId])) {
        add(this.needs, spotCellName(one.userId, assetId), needsOf(one, assetId));
      }
    }
  }

  frozen(cell: string): bigint {
    return this.needs.get(cell) ?? 0n;
  }

  take(event: EngineEvent, hearing: Hearing): void {
    if (event.kind !== "json") return;
    const rareEvent = event.event;
    switch (rareEvent.type) {
      case "deposit_moved":
        if (rareEvent.method === "on_chain") this.followDeposit(rareEvent, hearing);
        else this.explain(hearing, rareEvent.ccy, rareEvent.amount, [[CELL.spot, rareEvent.userId ?? VENUE, 1n]]);
        return;
      case "withdrawal_moved":
        this.followWithdrawal(rareEvent, hearing);
        return;
      case "deposit_taken_back": {
        const { userId, ccy, taken, owed } = rareEvent;
        this.explain(hearing, ccy, taken, [
          [CELL.outside, VENUE, 1n],
          [CELL.spot, userId, -1n],
        ]);
        this.explain(hearing, ccy, owed, [
          [CELL.outside, VENUE, 1n],
          [PAYMENT_CELL.deposit_debt, userId, -1n],
        ]);
        return;
      }
      case "deposit_debt_paid":
        this.explain(hearing, rareEvent.ccy, rareEvent.amount, [
          [CELL.spot, rareEvent.userId, -1n],
          [PAYMENT_CELL.deposit_debt, rareEvent.userId, 1n],
        ]);
        return;
      case "purse_paid":
        this.explain(hearing, rareEvent.ccy, rareEvent.amount, [
          [CELL.outside, VENUE, -1n],
          [PAYMENT_CELL.own_purse, VENUE, 1n],
        ]);
        return;
      case "network_cost":
        this.explain(hearing, rareEvent.ccy, rareEvent.amount, [
          [CELL.outside, VENUE, 1n],
          [PAYMENT_CELL.network_cost, VENUE, -1n],
        ]);
    }
  }

  compare(report: Report): void {
    const { deposits, withdrawals } = payments.of(this.state);
    for (const [id, { status }] of deposits) {
      const told = this.deposits.get(id)?.status;
      if (told !== status) report(`Events leave deposit ${id} ${told}, the state has it ${status}.`);
    }
    for (const [id, { status }] of withdrawals) {
      const told = this.withdrawals.get(id);
      if (told !== status) report(`Events leave withdrawal ${id} ${told}, the state has it ${status}.`);
    }
    // What the state has forgotten no event can concern any more.
    for (const id of this.deposits.keys()) if (!deposits.has(id)) this.deposits.delete(id);
    for (const [payment, id] of this.credited) if (!deposits.has(id)) this.credited.delete(payment);
    for (const [id, status] of this.withdrawals) {
      if (withdrawals.has(id)) continue;
      if (OPEN.has(status)) report(`Withdrawal ${id} is gone while it was ${status}.`);
      this.withdrawals.delete(id);
    }
  }

  private followDeposit(told: Told<"deposit_moved">, hearing: Hearing): void {
    const { depositId, status, settled, userId, ccy, confirmations } = told;
    const { report } = hearing;
    const before = this.deposits.get(depositId);
    if (!DEPOSIT_STEPS[before?.status ?? ""].includes(status)) {
      report(`Deposit ${depositId} goes from ${before?.status ?? "nowhere"} to ${status}.`);
    }
    this.deposits.set(depositId, { status, isSettled: settled });
    const asset = this.state.assetByCcy.get(ccy) as Asset;
    const terms = termsOn(asset, told.chain);
    if (before === undefined && terms !== undefined) checkCredit(told, asset, terms, report);
    const payment = paymentOf(told);
    if (status === "cancelled" && this.credited.get(payment) === depositId) this.credited.delete(payment);
    if (status !== "finished" || terms === undefined) return;
    if (settled && !(before?.isSettled ?? false) && confirmations < terms.irreversible) {
      report(`Deposit ${depositId} is settled after ${confirmations} confirmations of ${terms.irreversible}.`);
    }
    if (before?.status === "finished") return;
    if (confirmations < terms.safe) {
      report(`Deposit ${depositId} is credited after ${confirmations} confirmations of ${terms.safe}.`);
    }
    const twin = this.credited.get(payment);
    if (twin !== undefined) report(`The payment of deposit ${depositId} was credited as deposit ${twin} before.`);
    this.credited.set(payment, depositId);
    this.explain(hearing, ccy, told.actualAmount, [
      [CELL.outside, VENUE, -1n],
      [CELL.spot, userId ?? VENUE, 1n],
    ]);
  }

  private followWithdrawal(told: Told<"withdrawal_moved">, hearing: Hearing): void {
    const { withdrawId, userId, status, ccy, feeCcy } = told;
    const { report } = hearing;
    const before = this.withdrawals.get(withdrawId) ?? "";
    if (!WITHDRAWAL_STEPS[before].includes(status)) {
      report(`Withdrawal ${withdrawId} goes from ${before === "" ? "nowhere" : before} to ${status}.`);
    }
    this.withdrawals.set(withdrawId, status);
    const asset = this.state.assetByCcy.get(ccy) as Asset;
    const feeAsset = this.state.assetByCcy.get(feeCcy) as Asset;
    const amount = parseDecimal(told.amount, asset.scale) ?? 0n;
    const fee = parseDecimal(told.fee, feeAsset.scale) ?? 0n;
    const actual = parseDecimal(told.actualAmount, asset.scale) ?? 0n;
    if (actual !== (feeAsset === asset ? amount - fee : amount)) {
      report(`Withdrawal ${withdrawId} pays ${actual} of ${amount} units, with a fee of ${fee}.`);
    }
    const freeze = (sign: bigint) => {
      add(this.needs, spotCellName(userId, asset.id), sign * amount);
      if (feeAsset !== asset) add(this.needs, spotCellName(userId, feeAsset.id), sign * fee);
    };
    if (before === "") freeze(1n);
    const wasOpen = before === "" || OPEN.has(before);
    if (OPEN.has(status) || !wasOpen) return;
    freeze(-1n);
    if (status !== "finished") return;
    const { explain } = hearing;
    explain(spotCellName(userId, asset.id), -amount);
    if (told.method === "inter_user") return;
    const terms = termsOn(asset, told.chain);
    if (terms !== undefined && told.confirmations < terms.safe) {
      report(`Withdrawal ${withdrawId} is finished after ${told.confirmations} confirmations of ${terms.safe}.`);
    }
    explain(cellName(CELL.outside, VENUE, 0, asset.id), actual);
    if (feeAsset !== asset) explain(spotCellName(userId, feeAsset.id), -fee);
    explain(cellName(CELL.fee, VENUE, 0, feeAsset.id), fee);
  }

  /** The reason for an amount that moved, with its sign in each of these cells. */
  private explain(
    { explain }: Hearing,
    ccy: string,
    text: string,
    cells: readonly (readonly [kind: number, userId: number, sign: bigint])[],
  ): void {
    const asset = this.state.assetByCcy.get(ccy) as Asset;
    const units = parseDecimal(text, asset.scale) ?? 0n;
    for (const [kind, userId, sign] of cells) explain(cellName(kind, userId, 0, asset.id), sign * units);
  }
}

const OPEN: ReadonlySet<WithdrawalStatus> = new Set([
  "created",
  "audit_required",
  "audited",
  "processing",
  "confirming",
  "cancellation_failed",
]);

/** Checks that the loss at a transfer is taken once, and rounded against the user who is credited. */
function checkCredit(told: Told<"deposit_moved">, { scale }: Asset, { deflationE8 }: ChainSpec, report: Report): void {
  const amount = parseDecimal(told.amount, scale) ?? 0n;
  const actual = parseDecimal(told.actualAmount, scale) ?? 0n;
  const one = BigInt(RATE_ONE_E8);
  const isFloor =
    actual * one <= amount * (one - BigInt(deflationE8)) && (actual + 1n) * one > amount * (one - BigInt(deflationE8));
  if (!isFloor)
    report(`Deposit ${told.depositId} credits ${actual} of ${amount} units at a deflation of ${deflationE8} E-8.`);
}

function paymentOf(one: {
  readonly chain: string;
  readonly txId: string;
  readonly output: number;
  readonly toAddress: string;
}): string {
  return JSON.stringify([one.chain, one.txId, one.output, one.toAddress]);
}
