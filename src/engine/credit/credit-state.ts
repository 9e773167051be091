/** The state of credit. Source: domain 6.6. */
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import type { CreditLoan } from "./loan.ts";

/** Risk rates in 10^-8: at or below them nothing leaves, and nothing is traded. */
export interface CreditSpec {
  readonly withdrawalRiskE8: bigint;
  readonly tradeRiskE8: bigint;
}

/** Of everybody, until an operator says otherwise. */
export const STANDARD_TERMS: CreditSpec = { withdrawalRiskE8: 135_000_000n, tradeRiskE8: 110_000_000n };

/** Key of the terms of those who have none of their own. */
export const EVERYBODY = 0;

export class Credit {
  nextLoanId = 1;
  /** Open loans by id, ascending. */
  readonly loans = new Map<number, CreditLoan>();
  /** The same by user. */
  readonly byUser = new Map<number, CreditLoan[]>();
  /** Principal that is out, by asset id. */
  readonly lent = new Map<number, bigint>();
  readonly terms = new Map<number, CreditSpec>();

  enter(loan: CreditLoan): void {
    this.loans.set(loan.loanId, loan);
    const others = this.byUser.get(loan.userId);
    if (others === undefined) this.byUser.set(loan.userId, [loan]);
    else others.push(loan);
    this.lend(loan.assetId, loan.principal);
  }

  /** Takes out a loan that is paid off; whether it was the user's last. */
  drop({ loanId, userId }: CreditLoan): boolean {
    this.loans.delete(loanId);
    const left = this.loansOf(userId).filter((loan) => loan.loanId !== loanId);
    if (left.length > 0) this.byUser.set(userId, left);
    else this.byUser.delete(userId);
    return left.length === 0;
  }

  /** Counts principal that goes out, or comes back when negative. */
  lend(assetId: number, units: bigint): void {
    this.lent.set(assetId, (this.lent.get(assetId) ?? 0n) + units);
  }

  /** Loans of a user, by ascending id. */
  loansOf(userId: number): readonly CreditLoan[] {
    return this.byUser.get(userId) ?? [];
  }

  termsOf(userId: number): CreditSpec {
    return this.terms.get(userId) ?? this.terms.get(EVERYBODY) ?? STANDARD_TERMS;
  }
}

const slot = new Slot(() => new Credit());

export function creditOf(state: State): Credit {
  return slot.of(state);
}
