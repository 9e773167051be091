import { type Answer, accepted, refused } from "../answer.ts";
import { usdPriceOf } from "../listing/usd-price.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { parseRateE8 } from "../money/rate.ts";
import { countAgainstLimit, refuseBeyondLimit } from "../operators/limits.ts";
import { answeredBefore, contentOf, plainAmount, remember } from "../operators/references.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { noteOwing } from "../wallet/owing.ts";
import { CREDIT_CELL, CREDIT_POSTING } from "./codes.ts";
import type { GrantCredit } from "./command-schemas.ts";
import { creditOf } from "./credit-state.ts";
import { type CreditLoan, chargeInterest } from "./loan.ts";

/** Loans that a user may have at a time, because each order of such a user looks at all of them. */
export const LOANS_PER_USER_MAX = 100;

/** Lends money of the credit pool to a user. Its interest begins at once. Source: domain 6.6. */
export function grantCredit(state: State, command: GrantCredit): Answer {
  const { ledger, events, users } = state;
  const { userId, ccy, dailyRate, note } = command;
  const content = contentOf(userId, ccy, plainAmount(command.amount), plainAmount(dailyRate));
  const referring = { kind: "grant_credit", reference: command.reference, content };
  const before = answeredBefore(state, referring);
  if (before !== undefined) return before;
  const asset = state.assetByCcy.get(ccy);
  if (asset === undefined) return refused("asset_not_found", `The asset ${ccy} is not listed.`);
  const amount = parseDecimal(command.amount, asset.scale);
  if (amount === undefined || amount <= 0n) {
    return refused("invalid_command", `amount must be a decimal above 0 with at most ${asset.scale} decimals.`);
  }
  const dailyRateE8 = parseRateE8(dailyRate);
  if (dailyRateE8 === undefined) {
    return refused("invalid_command", "A daily rate is a decimal from 0 to below 1 with at most 8 decimals.");
  }
  if (note === "") return refused("invalid_command", "note must say why.");
  if (!users.has(userId)) return refused("user_not_found", "There is no user with that id.");
  if (usdPriceOf(state, asset.id)?.isFresh !== true) {
    return refused(
      "no_usd_price",
      `Without a fresh index of ${ccy} in USDT nobody could say what a debt in it is worth.`,
    );
  }
  const credit = creditOf(state);
  if (credit.loansOf(userId).length >= LOANS_PER_USER_MAX) {
    return refused("invalid_command", `A user has at most ${LOANS_PER_USER_MAX} loans at a time.`);
  }
  const beyond = refuseBeyondLimit(state, command.actor, asset, amount);
  if (beyond !== undefined) return beyond;
  const pool = ledger.heldByVenue(CREDIT_CELL.credit_pool, asset.id);
  if (pool < amount) {
    return refused("insufficient_balance", `The credit pool has ${formatDecimal(pool, asset.scale)} ${ccy}.`);
  }

  // Nothing is refused below this line.
  const loan: CreditLoan = {
    loanId: credit.nextLoanId++,
    userId,
    assetId: asset.id,
    dailyRateE8,
    createdAt: state.timeMs,
    principal: amount,
    hoursCharged: 0,
    interest: 0n,
  };
  chargeInterest(loan, state.timeMs);
  credit.enter(loan);
  noteOwing(state, userId);
  const { loanId } = loan;
  ledger.post(
    events,
    ledger.venueCell(CREDIT_CELL.credit_pool, asset.id),
    -amount,
    0n,
    CREDIT_POSTING.credit_loan,
    loanId,
  );
  ledger.post(events, ledger.spotCell(userId, asset.id), amount, 0n, CREDIT_POSTING.credit_loan, loanId);
  const text = formatDecimal(amount, asset.scale);
  emitRareEvent(state, { type: "credit_granted", loanId, userId, ccy, amount: text, dailyRateE8, note });
  countAgainstLimit(state, command.actor, ccy, amount);
  remember(state, referring, { loanId });
  return accepted({ loanId });
}
