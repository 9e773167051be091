import { type Answer, accepted, refused } from "../answer.ts";
import { smaller } from "../money/extremes.ts";
import type { State } from "../state.ts";
import { askedOf, isRefused } from "./access.ts";
import type { Repay } from "./command-schemas.ts";
import { loansOf, pay } from "./lending.ts";

/**
 * Repays the loan that is named, or those of the currency by ascending id: of each the interest first. Source: domain
 * 3.3.
 */
export function repay(state: State, command: Repay): Answer {
  const asked = askedOf(state, command);
  if (isRefused(asked)) return asked;
  const { isQuote, row } = asked;
  const { margin, ledger } = state;
  const { accounts, loans } = margin;
  if (row < 0) return refused("margin_account_missing", "There is no such margin account.");
  const { borrowId } = command;
  const paid = [...loansOf(state, row)].filter(
    (slot) => loans.isQuote(slot) === isQuote && (borrowId === undefined || loans.borrowId(slot) === borrowId),
  );
  if (paid.length === 0) return refused("loan_not_found", "The account owes no such loan.");
  const owed = paid.reduce((sum, slot) => sum + loans.owed(slot), 0n);
  let left = smaller(asked.amount, owed);
  if (left > ledger.available(accounts.cell(row, isQuote))) {
    return refused("insufficient_balance", "The margin account has not so much available.");
  }

  // Nothing is refused below this line.
  for (const slot of paid) left -= pay(state, slot, left, "user", "finish");
  return accepted({});
}
