import { divCeil } from "../money/rounding.ts";

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY_E8 = 24n * 100_000_000n;

/** Money lent to a user. Interest is worked out when somebody looks: an hour that passes costs nothing. */
export interface CreditLoan {
  readonly loanId: number;
  readonly userId: number;
  readonly assetId: number;
  readonly dailyRateE8: number;
  readonly createdAt: number;
  /** Units still to be repaid; above 0. */
  principal: bigint;
  /** Hours that have been charged, the one begun with the loan included, and what of their interest is not paid. */
  hoursCharged: number;
  interest: bigint;
}

/**
 * The interest of an hour, units: ceil(principal · daily rate / 24), never interest on interest. Source: domain 6.6.
 */
export function hourlyInterest(principal: bigint, dailyRateE8: number): bigint {
  return divCeil(principal * BigInt(dailyRateE8), HOURS_OF_DAY_E8);
}

/** Hours to be charged by then: one at the beginning, and each full one since. */
export function hoursDue({ createdAt }: Pick<CreditLoan, "createdAt">, timeMs: number): number {
  return 1 + Math.floor((timeMs - createdAt) / HOUR_MS);
}

/** Interest not paid by then, units. */
export function interestDue(loan: CreditLoan, timeMs: number): bigint {
  const hours = BigInt(hoursDue(loan, timeMs) - loan.hoursCharged);
  return loan.interest + hours * hourlyInterest(loan.principal, loan.dailyRateE8);
}

/** Takes down what has been due, before the principal changes. */
export function chargeInterest(loan: CreditLoan, timeMs: number): void {
  loan.interest = interestDue(loan, timeMs);
  loan.hoursCharged = hoursDue(loan, timeMs);
}
