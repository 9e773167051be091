/** A deposit grows older: confirmed, credited once, at last for good. Source: domain 7. */

import type { Due } from "../due.ts";
import { hooks } from "../hooks.ts";
import { CELL } from "../ledger/cell.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Asset } from "../listing/asset.ts";
import type { ChainSpec } from "../listing/chain-settings.ts";
import type { State } from "../state.ts";
import { depthOf, termsOn } from "./chain-terms.ts";
import { PAYMENT_RANK } from "./codes.ts";
import { confirmationsOf, countReversible, type Deposit, forgetDeposit, tellDeposit } from "./deposit.ts";
import { collectDebt } from "./deposit-debt.ts";
import { chainBook, payments } from "./payments.ts";

/** Takes a deposit as far as its confirmations and the time let it, and notes when it goes on. */
export function confirmDeposit(state: State, deposit: Deposit): void {
  const terms = termsOn(state.assets[deposit.assetId] as Asset, deposit.chain);
  // Settings that say nothing: it waits until somebody mends them.
  if (terms === undefined) return;
  const confirmations = confirmationsOf(state, deposit);
  if (deposit.status === "processing" && confirmations >= 1) {
    deposit.status = "confirming";
    if (confirmations < terms.safe) tellDeposit(state, deposit);
  }
  if (deposit.status === "confirming" && confirmations >= terms.safe) creditInTime(state, deposit, terms);
  if (deposit.status === "finished" && !deposit.settled && confirmations >= terms.irreversible) settle(state, deposit);
  if (isOver(deposit) && deposit.height <= chainBook(state, deposit.chain).buried) {
    forgetDeposit(state, deposit);
    return;
  }
  noteHeight(state, deposit, terms);
}

/** Enters the head at which a deposit is to be looked at again. */
export function noteHeight(state: State, deposit: Deposit, terms: ChainSpec): void {
  const { head, depositHeights } = chainBook(state, deposit.chain);
  const at = heightOf(state, deposit, terms);
  if (at !== undefined) depositHeights.add(Math.max(at, head + 1), deposit.depositId);
}

function heightOf(state: State, deposit: Deposit, terms: ChainSpec): number | undefined {
  const { status, height } = deposit;
  if (isOver(deposit)) return height + depthOf(state, deposit.chain);
  if (height === 0 || status === "exception" || deposit.creditAt > 0) return undefined;
  if (status === "processing") return height;
  return height + (status === "confirming" ? terms.safe : terms.irreversible) - 1;
}

/** Nothing more is to come of it unless its chain takes another turn. */
function isOver({ status, settled }: Deposit): boolean {
  return status === "too_small" || status === "cancelled" || (status === "finished" && settled);
}

/** A deposit that was credited, and can be taken back by the chain, is not to be withdrawn. */
function settle(state: State, deposit: Deposit): void {
  deposit.settled = true;
  const { userId, assetId, actualAmount } = deposit;
  countReversible(state, deposit, -actualAmount);
  tellDeposit(state, deposit);
  for (const part of hooks()) part.onDeposit?.(state, userId, state.assets[assetId] as Asset, actualAmount);
}

/** Credits it, now or when its delay is over. */
function creditInTime(state: State, deposit: Deposit, { delayMs }: ChainSpec): void {
  if (deposit.creditAt === 0 && delayMs > 0) {
    tellDeposit(state, deposit);
    deposit.creditAt = state.timeMs + delayMs;
    enterDelayed(state, deposit);
    return;
  }
  if (deposit.creditAt > state.timeMs) return;
  deposit.creditAt = 0;
  credit(state, deposit);
}

function credit(state: State, deposit: Deposit): void {
  const { ledger, events } = state;
  const { assetId, actualAmount, userId, depositId } = deposit;
  const { maxCustody, ccy } = state.assets[assetId] as Asset;
  if (ledger.custody(assetId) + actualAmount > maxCustody) {
    deposit.status = "exception";
    deposit.remark = `The venue may not hold so much ${ccy}.`;
    tellDeposit(state, deposit);
    return;
  }
  deposit.status = "finished";
  ledger.post(events, ledger.venueCell(CELL.outside, assetId), -actualAmount, 0n, POSTING.deposit, depositId);
  ledger.post(events, ledger.spotCell(userId, assetId), actualAmount, 0n, POSTING.deposit, depositId);
  countReversible(state, deposit, actualAmount);
  tellDeposit(state, deposit);
  collectDebt(state, userId, assetId);
}

export function enterDelayed(state: State, deposit: Deposit): void {
  const { delayed } = payments.of(state);
  let at = delayed.length;
  while (at > 0 && isLater(delayed[at - 1] as Deposit, deposit)) at--;
  delayed.splice(at, 0, deposit);
}

/** Its time was noted too early: the chain has turned, or somebody has decided. */
export function leaveDelayed(state: State, deposit: Deposit): void {
  if (deposit.creditAt === 0) return;
  const { delayed } = payments.of(state);
  deposit.creditAt = 0;
  delayed.splice(delayed.indexOf(deposit), 1);
}

function isLater(one: Deposit, other: Deposit): boolean {
  return one.creditAt > other.creditAt || (one.creditAt === other.creditAt && one.depositId > other.depositId);
}

/** The next deposit whose delay is over. */
export function creditsDue(state: State): Due[] {
  const [next] = payments.of(state).delayed;
  if (next === undefined) return [];
  const run = () => {
    payments.of(state).delayed.shift();
    // Its confirmations are looked at again: the chain may be shorter than it was.
    const isDeep =
      confirmationsOf(state, next) >= (termsOn(state.assets[next.assetId] as Asset, next.chain)?.safe ?? 0);
    if (!isDeep) next.creditAt = 0;
    confirmDeposit(state, next);
  };
  return [{ atMs: next.creditAt, rank: PAYMENT_RANK.deposit_credit, id: -1, run }];
}
