/** The events of margin accounts and their loans. Amounts are decimals in whole units of their asset. */
import type { LoanStatus } from "./loan.ts";

declare module "../event.ts" {
  interface RareEvents {
    margin_market_set: { readonly marketId: number };
    margin_transferred: {
      readonly transferId: number;
      readonly userId: number;
      readonly marketId: number;
      readonly isIn: boolean;
      readonly ccy: string;
      readonly amount: string;
    };
    /** A loan as it stands after it was given, renewed, extended or paid, in part or whole. */
    loan_changed: {
      readonly borrowId: number;
      readonly userId: number;
      readonly marketId: number;
      readonly ccy: string;
      readonly amount: string;
      readonly principal: string;
      readonly interest: string;
      readonly dailyRateE8: number;
      readonly createdAt: number;
      readonly expiredAt: number;
      readonly isAutoRenew: boolean;
      readonly status: LoanStatus;
      /**
       * Interest is charged so many times until now; what has it told of a loan that was not told of before is its
       * first.
       */
      readonly accruals: number;
    };
    /** Somebody paid so much of a loan: its user, or the margin insurance fund. */
    loan_paid: {
      readonly borrowId: number;
      readonly userId: number;
      readonly marketId: number;
      readonly ccy: string;
      readonly interest: string;
      readonly principal: string;
      readonly payer: "user" | "fund";
      /** Interest had been charged so many times. */
      readonly accruals: number;
    };
    /** The risk rate of a margin account has come down to the rate at which it is warned. */
    margin_alert: { readonly userId: number; readonly marketId: number; readonly riskRateE8: string };
    /** How a liquidation goes: it is begun, spared because the account is safe again, or done. */
    margin_liquidation: {
      readonly userId: number;
      readonly marketId: number;
      readonly stage: "begun" | "spared" | "done";
    };
    /**
     * The amount that the margin insurance fund took of a margin account: the fee of a liquidation, or a remainder that
     * was too little to sell.
     */
    margin_taken: {
      readonly userId: number;
      readonly marketId: number;
      readonly ccy: string;
      readonly amount: string;
      readonly why: "fee" | "remainder";
    };
    /** The market has left: what remained in a margin account went to the spot account. */
    margin_account_emptied: {
      readonly userId: number;
      readonly marketId: number;
      readonly base: string;
      readonly quote: string;
    };
  }
}
