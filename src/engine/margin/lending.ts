/**
 * Loans given, charged and paid: what each step moves in the ledger, in the account and in the loan. Source: domain
 * 3.3.
 */

import { CELL } from "../ledger/cell.ts";
import type { Asset } from "../listing/asset.ts";
import type { Market } from "../listing/market.ts";
import { formatDecimal } from "../money/decimal.ts";
import { smaller } from "../money/extremes.ts";
import { divCeil } from "../money/rounding.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { MARGIN_POSTING } from "./codes.ts";
import { HOUR_MS, type LoanStatus } from "./loan.ts";
import type { LoanSpec, MarginState } from "./margin-state.ts";
import { ONE_E8 } from "./risk.ts";

export const TERM_MS = 10 * 24 * HOUR_MS;
export const EXTENSION_MS = 24 * HOUR_MS;
const HOURS_PER_DAY = 24n;
/** The share of interest that the margin insurance fund gets. */
const FUND_PERCENT = 30n;

export function assetOfLoan(state: State, slot: number): Asset {
  const { accounts, loans } = state.margin;
  const market = state.markets[accounts.marketId(loans.account(slot))] as Market;
  return state.assets[loans.isQuote(slot) ? market.quoteAssetId : market.baseAssetId] as Asset;
}

/** Lends from the pool into a margin account; the first interest is charged at once. Returns the loan's id. */
export function lend(
  state: State,
  row: number,
  isQuote: boolean,
  amount: bigint,
  { dailyRateE8 }: LoanSpec,
  isAutoRenew: boolean,
): number {
  const { margin, ledger, events, timeMs } = state;
  const { accounts, loans } = margin;
  const borrowId = margin.nextBorrowId++;
  const slot = loans.allocate(borrowId);
  loans.setAccount(slot, row);
  loans.setIsQuote(slot, isQuote);
  loans.setIsAutoRenew(slot, isAutoRenew);
  loans.setAmount(slot, amount);
  loans.setPrincipal(slot, amount);
  loans.setDailyRateE8(slot, dailyRateE8);
  loans.setCreatedAt(slot, timeMs);
  loans.setExpiredAt(slot, timeMs + TERM_MS);
  append(state, slot);
  accounts.setPrincipal(row, isQuote, accounts.principal(row, isQuote) + amount);
  const assetId = assetOfLoan(state, slot).id;
  noteLent(state, assetId, amount);
  ledger.post(
    events,
    ledger.venueCell(CELL.lending_pool, assetId),
    -amount,
    0n,
    MARGIN_POSTING.margin_borrow,
    borrowId,
  );
  ledger.post(events, accounts.cell(row, isQuote), amount, 0n, MARGIN_POSTING.margin_borrow, borrowId);
  charge(state, slot);
  run(state, slot);
  tellLoan(state, slot, "loan");
  margin.noted.add(row);
  return borrowId;
}

/** Gives a loan that a snapshot held its place among the others; they come by ascending id. */
export function restoreLoan(state: State, slot: number): void {
  const { margin } = state;
  const { accounts, loans } = margin;
  const row = loans.account(slot);
  const isQuote = loans.isQuote(slot);
  append(state, slot);
  accounts.setPrincipal(row, isQuote, accounts.principal(row, isQuote) + loans.principal(slot));
  accounts.setInterest(row, isQuote, accounts.interest(row, isQuote) + loans.interest(slot));
  noteLent(state, assetOfLoan(state, slot).id, loans.principal(slot));
  if (loans.isDebt(slot)) accounts.setDebts(row, accounts.debts(row) + 1);
  else run(state, slot);
}

/**
 * Charges an hour of interest: ceil(principal * rate / 24). It bears none itself. Its next time moves on; its place in
 * the heap is the caller's.
 */
export function charge(state: State, slot: number): void {
  const { accounts, loans } = state.margin;
  const row = loans.account(slot);
  const isQuote = loans.isQuote(slot);
  const hour = divCeil(loans.principal(slot) * BigInt(loans.dailyRateE8(slot)), HOURS_PER_DAY * ONE_E8);
  loans.setInterest(slot, loans.interest(slot) + hour);
  loans.setAccruals(slot, loans.accruals(slot) + 1);
  accounts.setInterest(row, isQuote, accounts.interest(row, isQuote) + hour);
}

/** Who pays a loan. */
export type Payer = "user" | "fund";

/**
 * Pays up to `amount` of a loan: interest first, then principal. One that is paid off is gone, with the status
 * `paidAs`. Returns how much was paid. The payer has that much.
 */
export function pay(state: State, slot: number, amount: bigint, payer: Payer, paidAs: LoanStatus): bigint {
  const { margin, ledger, events } = state;
  const { accounts, loans } = margin;
  const row = loans.account(slot);
  const isQuote = loans.isQuote(slot);
  const asset = assetOfLoan(state, slot);
  const borrowId = loans.borrowId(slot);
  const interest = smaller(amount, loans.interest(slot));
  const principal = smaller(amount - interest, loans.principal(slot));
  if (interest + principal === 0n) return 0n;
  const from = payer === "user" ? accounts.cell(row, isQuote) : ledger.venueCell(CELL.insurance_margin, asset.id);
  if (interest > 0n) {
    const share = (interest * FUND_PERCENT) / 100n;
    const { margin_interest: why } = MARGIN_POSTING;
    ledger.post(events, from, -interest, 0n, why, borrowId);
    ledger.post(events, ledger.venueCell(CELL.interest, asset.id), interest - share, 0n, why, borrowId);
    if (share > 0n) ledger.post(events, ledger.venueCell(CELL.insurance_margin, asset.id), share, 0n, why, borrowId);
    loans.setInterest(slot, loans.interest(slot) - interest);
    accounts.setInterest(row, isQuote, accounts.interest(row, isQuote) - interest);
  }
  if (principal > 0n) {
    const { margin_repay: why } = MARGIN_POSTING;
    ledger.post(events, from, -principal, 0n, why, borrowId);
    ledger.post(events, ledger.venueCell(CELL.lending_pool, asset.id), principal, 0n, why, borrowId);
    loans.setPrincipal(slot, loans.principal(slot) - principal);
    accounts.setPrincipal(row, isQuote, accounts.principal(row, isQuote) - principal);
    noteLent(state, asset.id, -principal);
  }
  emitRareEvent(state, {
    type: "loan_paid",
    borrowId,
    userId: accounts.userId(row),
    marketId: accounts.marketId(row),
    ccy: asset.ccy,
    interest: formatDecimal(interest, asset.scale),
    principal: formatDecimal(principal, asset.scale),
    payer,
    accruals: loans.accruals(slot),
  });
  margin.noted.add(row);
  if (loans.owed(slot) === 0n) end(state, slot, loans.isDebt(slot) ? "finish" : paidAs);
  else tellLoan(state, slot, statusOf(state, slot));
  return interest + principal;
}

export function statusOf({ margin: { loans } }: State, slot: number): LoanStatus {
  return loans.isDebt(slot) ? "debt" : "loan";
}

/** Makes what is left of a loan a debt: it bears no interest, and the fund pays it when it can, the oldest first. */
export function makeDebt(state: State, slot: number): void {
  const { margin } = state;
  const { accounts, loans } = margin;
  const row = loans.account(slot);
  halt(state, slot);
  margin.forgetExpiry(slot);
  loans.setIsDebt(slot, true);
  accounts.setDebts(row, accounts.debts(row) + 1);
  const assetId = assetOfLoan(state, slot).id;
  const debts = margin.debts.get(assetId) ?? new Set();
  margin.debts.set(assetId, debts.add(slot));
  tellLoan(state, slot, "debt");
}

/** Slots of the loans of an account, by ascending id. */
export function* loansOf({ margin: { accounts, loans } }: State, row: number): Generator<number> {
  for (let slot = accounts.head(row); slot !== NONE; ) {
    const next = loans.next(slot);
    yield slot;
    slot = next;
  }
}

/** Returns the units that an account owes of one of its currencies: principal and interest. */
export function owedIn({ margin: { accounts } }: State, row: number, isQuote: boolean): bigint {
  return accounts.principal(row, isQuote) + accounts.interest(row, isQuote);
}

/** Pays loans of a currency, by ascending id, from what the account has available of it. */
export function payFromAvailable(state: State, row: number, isQuote: boolean, paidAs: LoanStatus): void {
  const { margin, ledger } = state;
  for (const slot of loansOf(state, row)) {
    if (margin.loans.isQuote(slot) !== isQuote) continue;
    const available = ledger.available(margin.accounts.cell(row, isQuote));
    if (available === 0n) return;
    pay(state, slot, available, "user", paidAs);
  }
}

/** Moves so much of an account to the margin insurance fund. */
export function takeForFund(
  state: State,
  market: Market,
  row: number,
  isQuote: boolean,
  amount: bigint,
  why: "fee" | "remainder",
): void {
  if (amount === 0n) return;
  const { ledger, margin, events, assets } = state;
  const { accounts } = margin;
  const asset = assets[isQuote ? market.quoteAssetId : market.baseAssetId] as Asset;
  const { margin_liquidation: posting } = MARGIN_POSTING;
  ledger.post(events, accounts.cell(row, isQuote), -amount, 0n, posting, 0);
  ledger.post(events, ledger.venueCell(CELL.insurance_margin, asset.id), amount, 0n, posting, 0);
  emitRareEvent(state, {
    type: "margin_taken",
    userId: accounts.userId(row),
    marketId: market.id,
    ccy: asset.ccy,
    amount: formatDecimal(amount, asset.scale),
    why,
  });
}

export function tellLoan(state: State, slot: number, status: LoanStatus): void {
  const { accounts, loans } = state.margin;
  const asset = assetOfLoan(state, slot);
  const row = loans.account(slot);
  emitRareEvent(state, {
    type: "loan_changed",
    borrowId: loans.borrowId(slot),
    userId: accounts.userId(row),
    marketId: accounts.marketId(row),
    ccy: asset.ccy,
    amount: formatDecimal(loans.amount(slot), asset.scale),
    principal: formatDecimal(loans.principal(slot), asset.scale),
    interest: formatDecimal(loans.interest(slot), asset.scale),
    dailyRateE8: loans.dailyRateE8(slot),
    createdAt: loans.createdAt(slot),
    expiredAt: loans.expiredAt(slot),
    isAutoRenew: loans.isAutoRenew(slot),
    status,
    accruals: loans.accruals(slot),
  });
}

function end(state: State, slot: number, status: LoanStatus): void {
  const { margin } = state;
  const { loans, accounts } = margin;
  tellLoan(state, slot, status);
  const row = loans.account(slot);
  if (loans.isDebt(slot)) {
    accounts.setDebts(row, accounts.debts(row) - 1);
    const assetId = assetOfLoan(state, slot).id;
    const debts = margin.debts.get(assetId) as Set<number>;
    debts.delete(slot);
    if (debts.size === 0) margin.debts.delete(assetId);
  } else halt(state, slot);
  margin.forgetExpiry(slot);
  unlink(state, slot);
  loans.free(slot);
}

/** A loan bears interest from now on, and is among those that run in its market. */
function run({ margin }: State, slot: number): void {
  margin.interestDue.insert(slot);
  countRunning(margin, slot, 1);
}

function halt(state: State, slot: number): void {
  const { margin, markets } = state;
  margin.interestDue.remove(slot);
  countRunning(margin, slot, -1);
  const marketId = margin.accounts.marketId(margin.loans.account(slot));
  if ((markets[marketId]?.delistedAt ?? 0) > 0 && margin.running.get(marketId) === 0) state.mayLeave = true;
}

function countRunning({ accounts, loans, running }: MarginState, slot: number, more: 1 | -1): void {
  const marketId = accounts.marketId(loans.account(slot));
  running.set(marketId, (running.get(marketId) ?? 0) + more);
}

function append({ margin: { accounts, loans } }: State, slot: number): void {
  const row = loans.account(slot);
  const last = accounts.tail(row);
  loans.setPrev(slot, last);
  loans.setNext(slot, NONE);
  if (last === NONE) accounts.setHead(row, slot);
  else loans.setNext(last, slot);
  accounts.setTail(row, slot);
  accounts.setLoans(row, accounts.loans(row) + 1);
}

function unlink({ margin: { accounts, loans } }: State, slot: number): void {
  const row = loans.account(slot);
  const [prev, next] = [loans.prev(slot), loans.next(slot)];
  if (prev === NONE) accounts.setHead(row, next);
  else loans.setNext(prev, next);
  if (next === NONE) accounts.setTail(row, prev);
  else loans.setPrev(next, prev);
  accounts.setLoans(row, accounts.loans(row) - 1);
}

function noteLent({ margin: { lent } }: State, assetId: number, more: bigint): void {
  lent.set(assetId, (lent.get(assetId) ?? 0n) + more);
}
