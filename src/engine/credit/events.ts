/** Events of credit; amounts as decimals of their currency. */
declare module "../event.ts" {
  interface RareEvents {
    credit_granted: {
      readonly loanId: number;
      readonly userId: number;
      readonly ccy: string;
      readonly amount: string;
      readonly dailyRateE8: number;
      readonly note: string;
    };
    /** A payment on one loan: interest first. */
    credit_repaid: {
      readonly loanId: number;
      readonly userId: number;
      readonly ccy: string;
      readonly interest: string;
      readonly principal: string;
      readonly isPaidOff: boolean;
    };
    /** `userId` null: of everybody who has no terms of its own. */
    credit_terms_set: {
      readonly userId: number | null;
      readonly withdrawalRisk: string;
      readonly tradeRisk: string;
    };
  }
}

export {};
