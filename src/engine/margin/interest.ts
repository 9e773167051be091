/**
 * The work that the clock makes due in loans: interest each full hour, then, when its term ends, renewal, an extension,
 * or repayment by force. Loans stand in a heap by the time of their next interest, and a term is a whole number of
 * hours, so that nothing ever looks through all of them. Source: domain 3.3 and 11.3.
 */
import type { Due } from "../due.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import { MARGIN_RANK } from "./codes.ts";
import { payDebtsWithinBudget, sellHoldings } from "./fund.ts";
import { charge, EXTENSION_MS, pay, TERM_MS, tellLoan } from "./lending.ts";
import { beginLiquidation, stepLiquidation } from "./liquidate.ts";
import type { MarginSpec } from "./margin-state.ts";
import { canLiquidate } from "./risk.ts";
import { loanTermsOf } from "./terms.ts";

/** Returns the next due step of each kind, over all margin accounts. */
export function marginDue(state: State): Due[] {
  const { margin } = state;
  const { loans } = margin;
  const due: Due[] = [];
  const add = (atMs: number, rank: number, run: () => void) => due.push({ atMs, rank, id: -1, run });
  const slot = margin.interestDue.top;
  if (slot >= 0) {
    const atMs = loans.interestAt(slot);
    add(atMs, MARGIN_RANK.margin_interest, () => chargeAll(state, atMs));
  }
  const [ending] = margin.ending;
  if (ending !== undefined) add(loans.expiredAt(ending), MARGIN_RANK.margin_expiry, () => endTerm(state, ending));
  const expired = nextExpired(state);
  if (expired !== undefined) {
    add(loans.expiredAt(expired), MARGIN_RANK.margin_expiry, () => repayByForce(state, expired));
  }
  const [next] = margin.liquidations;
  if (next !== undefined) {
    const [row, { stepAt }] = next;
    add(stepAt, MARGIN_RANK.margin_liquidation, () => stepLiquidation(state, row));
  }
  if (margin.sellsAt > 0) add(margin.sellsAt, MARGIN_RANK.margin_fund, () => sellHoldings(state));
  if (margin.debtsDueAt > 0) add(margin.debtsDueAt, MARGIN_RANK.margin_fund, () => payDebtsWithinBudget(state));
  return due;
}

/** Whether a loan that had to wait for its market can be repaid by force now. */
export function hasExpired(state: State): boolean {
  return nextExpired(state) !== undefined;
}

/** Charges every loan whose hour is full at this time, by id. */
function chargeAll(state: State, atMs: number): void {
  const { margin } = state;
  const { interestDue, loans } = margin;
  for (let slot = interestDue.top; slot >= 0 && loans.interestAt(slot) === atMs; slot = interestDue.top) {
    interestDue.remove(slot);
    charge(state, slot);
    interestDue.insert(slot);
    margin.noted.add(loans.account(slot));
    if (loans.expiredAt(slot) === atMs) margin.ending.add(slot);
  }
}

/**
 * Renews a loan at the present rate where that was wished and is possible, else gives it a day; after that it is repaid
 * by force.
 */
function endTerm(state: State, slot: number): void {
  const { margin, markets } = state;
  const { accounts, loans } = margin;
  const market = markets[accounts.marketId(loans.account(slot))] as Market;
  const lent = loanTermsOf(margin.terms.get(market.id) as MarginSpec, loans.isQuote(slot));
  margin.ending.delete(slot);
  if (loans.isExtended(slot)) {
    margin.awaitRepayment(slot);
    return;
  }
  const isRenewed = loans.isAutoRenew(slot) && lent !== undefined;
  loans.setExpiredAt(slot, loans.expiredAt(slot) + (isRenewed ? TERM_MS : EXTENSION_MS));
  if (isRenewed) loans.setDailyRateE8(slot, lent.dailyRateE8);
  else loans.setIsExtended(slot, true);
  tellLoan(state, slot, "loan");
}

/** The first loan that waits to be repaid by force in a market that allows it. */
function nextExpired(state: State): number | undefined {
  const { margin, markets } = state;
  for (const [marketId, waiting] of margin.expired) {
    const [slot] = waiting;
    if (slot !== undefined && canLiquidate(state, markets[marketId] as Market)) return slot;
  }
  return undefined;
}

/** Repays a loan from what its account has available of its currency; what has not so much is liquidated. */
function repayByForce(state: State, slot: number): void {
  const { margin, ledger } = state;
  const { accounts, loans } = margin;
  const row = loans.account(slot);
  const borrowId = loans.borrowId(slot);
  margin.forgetExpiry(slot);
  const liquidation = margin.liquidations.get(row);
  const owed = loans.owed(slot);
  if (ledger.available(accounts.cell(row, loans.isQuote(slot))) >= owed) pay(state, slot, owed, "user", "finish");
  else if (liquidation === undefined) beginLiquidation(state, row, borrowId);
  else liquidation.expiredLoan = borrowId;
}
