import { USER_FLAG } from "../accounts/user.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { creditOf } from "./credit-state.ts";
import { hoursDue } from "./loan.ts";

/** Checks the invariants of credit between two commands. Source: domain 6.6 and 10, numbers 29 and 43. */
export function checkCredit(state: State, { expect }: Census): void {
  const { loans, byUser, lent, nextLoanId } = creditOf(state);
  const sums = new Map<number, bigint>();
  let last = 0;
  for (const [loanId, loan] of loans) {
    const report = (what: string) => () => `Loan ${loanId} ${what}.`;
    expect(loanId === loan.loanId && loanId > last && loanId < nextLoanId, report("has no id of its own"));
    last = loanId;
    sums.set(loan.assetId, (sums.get(loan.assetId) ?? 0n) + loan.principal);
    expect(loan.principal > 0n && loan.interest >= 0n, report("owes nothing, or less"));
    expect(loan.createdAt <= state.timeMs, report("is from the future"));
    expect(loan.hoursCharged >= 1 && loan.hoursCharged <= hoursDue(loan, state.timeMs), report("is charged otherwise"));
    expect(byUser.get(loan.userId)?.includes(loan) === true, report("cannot be found by its user"));
  }
  let found = 0;
  for (const [userId, own] of byUser) {
    found += own.length;
    const isFlagged = (state.users.flags(userId) & USER_FLAG.indebted) !== 0;
    expect(own.length > 0 && isFlagged, () => `User ${userId} has loans and may trade as if there were none.`);
  }
  expect(found === loans.size, () => `Users have ${found} loans, and there are ${loans.size}.`);
  for (const [assetId, units] of lent) {
    const sum = sums.get(assetId) ?? 0n;
    expect(units === sum, () => `${sum} units of asset ${assetId} are lent, and counted as ${units}.`);
  }
}
