import { type Answer, accepted, refused } from "../answer.ts";
import { CELL } from "../ledger/cell.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { answeredBefore, contentOf, plainAmount, remember } from "../operators/references.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { noteOwing } from "../wallet/owing.ts";
import { CREDIT_CELL, CREDIT_POSTING } from "./codes.ts";
import type { RepayCredit } from "./command-schemas.ts";
import { creditOf } from "./credit-state.ts";
import { type CreditLoan, chargeInterest, interestDue } from "./loan.ts";

/**
 * Pays loans back, by ascending id unless one is named, of each the interest first; never more than the debt. Source:
 * domain 6.6.
 */
export function repayCredit(state: State, command: RepayCredit): Answer {
  const { userId, ccy, loanId } = command;
  const content = contentOf(userId, ccy, plainAmount(command.amount), loanId);
  const referring = { kind: "repay_credit", reference: command.reference, content };
  const before = answeredBefore(state, referring);
  if (before !== undefined) return before;
  if (!state.users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  const loans = creditOf(state)
    .loansOf(userId)
    .filter((loan) => loan.assetId === asset.id && (loanId === undefined || loan.loanId === loanId));
  if (loans.length === 0) return refused("credit_not_found", `The user has no such loan of ${ccy}.`);
  const debt = loans.reduce((sum, loan) => sum + loan.principal + interestDue(loan, state.timeMs), 0n);
  const paid = amount < debt ? amount : debt;
  const cell = state.ledger.findSpotCell(userId, asset.id);
  const has = cell < 0 ? 0n : state.ledger.available(cell);
  if (has < paid) {
    return refused("insufficient_balance", `The user has ${formatDecimal(has, asset.scale)} ${ccy} available in SPOT.`);
  }

  // Nothing is refused below this line.
  let left = paid;
  for (const loan of loans) {
    if (left === 0n) break;
    left -= payOn(state, asset, loan, left);
  }
  const result = { repaid: formatDecimal(paid, asset.scale) };
  remember(state, referring, result);
  return accepted(result);
}

/** Pays at most so many units on a loan; returns how many it took. */
function payOn(state: State, asset: Asset, loan: CreditLoan, most: bigint): bigint {
  const { ledger, events } = state;
  const { loanId, userId } = loan;
  const credit = creditOf(state);
  chargeInterest(loan, state.timeMs);
  const interest = most < loan.interest ? most : loan.interest;
  const rest = most - interest;
  const principal = rest < loan.principal ? rest : loan.principal;
  const user = ledger.spotCell(userId, asset.id);
  const pay = (units: bigint, kind: number, posting: number) => {
    if (units === 0n) return;
    ledger.post(events, user, -units, 0n, posting, loanId);
    ledger.post(events, ledger.venueCell(kind, asset.id), units, 0n, posting, loanId);
  };
  pay(interest, CELL.interest, CREDIT_POSTING.credit_interest);
  pay(principal, CREDIT_CELL.credit_pool, CREDIT_POSTING.credit_repayment);
  loan.interest -= interest;
  loan.principal -= principal;
  credit.lend(asset.id, -principal);
  const isPaidOff = loan.principal === 0n;
  if (isPaidOff && credit.drop(loan)) noteOwing(state, userId);
  emitRareEvent(state, {
    type: "credit_repaid",
    loanId,
    userId,
    ccy: asset.ccy,
    interest: formatDecimal(interest, asset.scale),
    principal: formatDecimal(principal, asset.scale),
    isPaidOff,
  });
  return interest + principal;
}
