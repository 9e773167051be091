import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { creditOf } from "./credit-state.ts";
import type { CreditLoan } from "./loan.ts";

type StoredLoan = Omit<CreditLoan, "principal" | "interest"> & {
  readonly principal: string;
  readonly interest: string;
};

interface CreditWords {
  readonly nextLoanId: number;
  readonly loans: readonly StoredLoan[];
  /** By ascending user id, risk rates in 10^-8. */
  readonly terms: readonly (readonly [userId: number, withdrawalRiskE8: string, tradeRiskE8: string])[];
}

/** Open loans by ascending id, and the terms that operators have set. */
export const creditSection: Section = {
  name: "credit",
  version: 1,
  write: (state) => {
    const { nextLoanId, loans, terms } = creditOf(state);
    const words: CreditWords = {
      nextLoanId,
      loans: [...loans.values()].map((loan) => ({
        loanId: loan.loanId,
        userId: loan.userId,
        assetId: loan.assetId,
        dailyRateE8: loan.dailyRateE8,
        createdAt: loan.createdAt,
        principal: loan.principal.toString(),
        hoursCharged: loan.hoursCharged,
        interest: loan.interest.toString(),
      })),
      terms: [...terms]
        .sort(([one], [other]) => one - other)
        .map(([userId, { withdrawalRiskE8, tradeRiskE8 }]) => [
          userId,
          withdrawalRiskE8.toString(),
          tradeRiskE8.toString(),
        ]),
    };
    return [jsonChunk(words)];
  },
  read: (state, [json]) => {
    const { nextLoanId, loans, terms } = jsonOf(json) as CreditWords;
    const credit = creditOf(state);
    credit.nextLoanId = nextLoanId;
    for (const loan of loans) {
      credit.enter({ ...loan, principal: BigInt(loan.principal), interest: BigInt(loan.interest) });
    }
    for (const [userId, withdrawal, trade] of terms) {
      credit.terms.set(userId, { withdrawalRiskE8: BigInt(withdrawal), tradeRiskE8: BigInt(trade) });
    }
  },
};
