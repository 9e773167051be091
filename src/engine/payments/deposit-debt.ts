/**
 * The debt of a user because a chain took back a deposit that he had been credited with and had spent. Custody falls by
 * all of it at once, so that the ledger shows the holdings of the venue. The part that he no longer has stays as his
 * debt until money of his comes by.
 */

import { cellKey } from "../ledger/cell.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { noteOwing } from "../wallet/owing.ts";
import { PAYMENT_CELL, PAYMENT_POSTING } from "./codes.ts";
import { countReversible, type Deposit } from "./deposit.ts";
import { payOutside } from "./outside.ts";
import { holdingOf, payments } from "./payments.ts";

/** Undoes the credit of a deposit. */
export function takeBack(state: State, deposit: Deposit): void {
  const { ledger, events } = state;
  const { userId, assetId, actualAmount, depositId } = deposit;
  const { ccy, scale } = state.assets[assetId] as Asset;
  const spot = ledger.spotCell(userId, assetId);
  const available = ledger.available(spot);
  const taken = available < actualAmount ? available : actualAmount;
  const owed = actualAmount - taken;
  payOutside(state, assetId, actualAmount, PAYMENT_POSTING.take_back, depositId);
  ledger.post(events, spot, -taken, 0n, PAYMENT_POSTING.take_back, depositId);
  if (owed > 0n) {
    const debt = ledger.cell(PAYMENT_CELL.deposit_debt, userId, assetId, assetId, 0);
    ledger.post(events, debt, -owed, 0n, PAYMENT_POSTING.owe, depositId);
    payments.of(state).debtors.set(holdingOf(userId, assetId), { userId, assetId });
  }
  if (!deposit.settled) countReversible(state, deposit, -actualAmount);
  deposit.settled = false;
  noteOwing(state, userId);
  emitRareEvent(state, {
    type: "deposit_taken_back",
    depositId,
    userId,
    ccy,
    taken: formatDecimal(taken, scale),
    owed: formatDecimal(owed, scale),
  });
}

/** Units that a user owes of an asset. */
export function debtOf({ ledger }: State, userId: number, assetId: number): bigint {
  const cell = ledger.find(cellKey(PAYMENT_CELL.deposit_debt, userId, assetId));
  return cell < 0 ? 0n : -ledger.available(cell);
}

/** Whether a user owes of any asset. */
export function isDebtor(state: State, userId: number): boolean {
  const { debtors } = payments.of(state);
  for (const debtor of debtors.values()) if (debtor.userId === userId) return true;
  return false;
}

/** Takes from what a user has available what he owes. */
export function collectDebt(state: State, userId: number, assetId: number): void {
  const { ledger, events } = state;
  const owed = debtOf(state, userId, assetId);
  const spot = ledger.findSpotCell(userId, assetId);
  const available = spot < 0 ? 0n : ledger.available(spot);
  const amount = owed < available ? owed : available;
  if (amount <= 0n) return;
  const debt = ledger.cell(PAYMENT_CELL.deposit_debt, userId, assetId, assetId, 0);
  ledger.post(events, spot, -amount, 0n, PAYMENT_POSTING.take_back, 0);
  ledger.post(events, debt, amount, 0n, PAYMENT_POSTING.owe, 0);
  if (amount === owed) {
    payments.of(state).debtors.delete(holdingOf(userId, assetId));
    noteOwing(state, userId);
  }
  const { ccy, scale } = state.assets[assetId] as Asset;
  emitRareEvent(state, { type: "deposit_debt_paid", userId, ccy, amount: formatDecimal(amount, scale) });
}

/** Does so for everybody who owes. */
export function collectDebts(state: State): void {
  for (const { userId, assetId } of [...payments.of(state).debtors.values()]) collectDebt(state, userId, assetId);
}
