/** The invariants of deposits and withdrawals between two commands. Source: domain 10, number 30 and 3. */
import { CELL, cellKey } from "../ledger/cell.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { PAYMENT_CELL } from "./codes.ts";
import { DEPOSIT_STATUSES, keyOf } from "./deposit.ts";
import { holdingOf, payments } from "./payments.ts";
import { isOpen, needsOf, WITHDRAWAL_STATUSES } from "./withdrawal.ts";

/** Says what does not hold. Reads only. */
export function checkPayments(state: State, census: Census): void {
  checkDeposits(state, census);
  checkDebts(state, census);
  checkWithdrawals(state, census);
  checkAddresses(state, census);
}

/**
 * Each payment is one deposit, somebody's once it is credited, and what its chain could take back is counted as such.
 */
function checkDeposits(state: State, { expect }: Census): void {
  const { deposits, depositByKey, delayed, reversible } = payments.of(state);
  expect(deposits.size === depositByKey.size, () => `${deposits.size} deposits have ${depositByKey.size} keys.`);
  const sums = new Map<string, bigint>();
  let waiting = 0;
  for (const [id, deposit] of deposits) {
    const { depositId, userId, assetId, status, settled, amount, actualAmount, creditAt } = deposit;
    const report = (what: string) => () => `Deposit ${id} ${what}.`;
    const isFound = depositId === id && depositByKey.get(keyOf(deposit)) === deposit && id < state.nextDepositId;
    expect(isFound, report("cannot be found by what it is"));
    expect(DEPOSIT_STATUSES.includes(status), report(`is ${status}`));
    const isOurs =
      userId === 0
        ? status === "exception" || status === "cancelled" || status === "too_small"
        : state.users.has(userId);
    expect(isOurs, report(`is ${status} and of user ${userId}`));
    expect(
      amount > 0n && actualAmount >= 0n && actualAmount <= amount,
      report(`credits ${actualAmount} of ${amount} units`),
    );
    expect(!settled || status === "finished", report(`is ${status} and settled`));
    expect(
      creditAt === 0 || (status === "confirming" && delayed.includes(deposit)),
      report(`waits for ${creditAt} as ${status}`),
    );
    if (creditAt > 0) waiting++;
    if (status !== "finished" || settled) continue;
    const holding = holdingOf(userId, assetId);
    sums.set(holding, (sums.get(holding) ?? 0n) + actualAmount);
  }
  expect(delayed.length === waiting, () => `${delayed.length} deposits are kept as delayed, and ${waiting} are.`);
  for (const holding of new Set([...sums.keys(), ...reversible.keys()])) {
    const counted = reversible.get(holding) ?? 0n;
    const sum = sums.get(holding) ?? 0n;
    expect(counted === sum, () => `${counted} units of ${holding} count as reversible, and ${sum} are.`);
  }
}

/** Who owes is known, and nobody else. */
function checkDebts(state: State, { expect }: Census): void {
  const { debtors } = payments.of(state);
  const { ledger } = state;
  let owing = 0;
  for (let cell = 0; cell < ledger.count; cell++) {
    if ((ledger.marks(cell) & 255) !== PAYMENT_CELL.deposit_debt || ledger.available(cell) === 0n) continue;
    owing++;
    const holding = holdingOf(ledger.userId(cell), ledger.assetId(cell));
    expect(debtors.has(holding), () => `The debt of ${holding} is not known as one.`);
  }
  expect(owing === debtors.size, () => `${debtors.size} debts are known, and there are ${owing}.`);
}

/** Checks that the money of withdrawals under way is frozen, all of it. */
function checkWithdrawals(state: State, census: Census): void {
  const { expect } = census;
  const { withdrawals, openOf, nextWithdrawId } = payments.of(state);
  const open = new Map<number, number>();
  for (const [id, one] of withdrawals) {
    const report = (what: string) => () => `Withdrawal ${id} ${what}.`;
    expect(one.withdrawId === id && id > 0 && id < nextWithdrawId, report("has a number that was not given out"));
    expect(WITHDRAWAL_STATUSES.includes(one.status) && one.status !== "created", report(`is ${one.status}`));
    const paid = one.feeAssetId === one.assetId ? one.amount - one.fee : one.amount;
    expect(
      one.actualAmount === paid && paid > 0n && one.fee >= 0n,
      report(`pays ${one.actualAmount} of ${one.amount} units`),
    );
    if (!isOpen(one)) {
      expect(one.status === "finished", report(`is ${one.status}, and kept`));
      continue;
    }
    open.set(one.userId, (open.get(one.userId) ?? 0) + 1);
    for (const assetId of new Set([one.assetId, one.feeAssetId])) {
      census.freezes(state.ledger.find(cellKey(CELL.spot, one.userId, assetId)), needsOf(one, assetId));
    }
  }
  for (const userId of new Set([...open.keys(), ...openOf.keys()])) {
    const counted = openOf.get(userId) ?? 0;
    const there = open.get(userId) ?? 0;
    expect(counted === there, () => `User ${userId} is counted with ${counted} withdrawals, and has ${there}.`);
  }
}

/** Each address is one user's, and whose an address is and which addresses are whose agree. */
function checkAddresses(state: State, { expect }: Census): void {
  for (const { name, owners, ofUsers, head, buried } of payments.of(state).chains.values()) {
    let given = 0;
    for (const [userId, own] of ofUsers) {
      given += own.length;
      const isTheirs = state.users.has(userId) && own.every((address) => address.userId === userId);
      expect(isTheirs, () => `Addresses of user ${userId} on ${name} are others'.`);
    }
    expect(given === owners.size, () => `${given} addresses were given on ${name}, and ${owners.size} have an owner.`);
    expect(head >= 0 && buried >= 0, () => `${name} is at block ${head}, buried up to ${buried}.`);
  }
}
