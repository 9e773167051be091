/** Events of referral; values in USD. */
declare module "../event.ts" {
  interface RareEvents {
    refer_code_created: {
      readonly code: string;
      readonly userId: number;
      readonly referrerRateE8: number;
      readonly refereeRateE8: number;
    };
    referee_bound: { readonly userId: number; readonly code: string; readonly referrerId: number };
    agent_set: {
      readonly userId: number;
      readonly ofUserId: number;
      readonly rateE8: number | null;
      readonly remark: string;
    };
    /** The trading of one invited user in a day, and the rebates paid for it. */
    rebates_paid: {
      readonly dayMs: number;
      readonly refereeId: number;
      readonly referrerId: number;
      /** Whose agent the referrer is; null: nobody's. */
      readonly uplineId: number | null;
      readonly spotValue: string;
      readonly spotFee: string;
      readonly futuresValue: string;
      readonly futuresFee: string;
      /** Of the first day with a deal. */
      readonly firstDeal: { readonly atMs: number; readonly value: string } | null;
      readonly paid: readonly RebateTold[];
      /**
       * The rebates of the referrer, and of the user whose agent the referrer is, in USD and in the deduction
       * currency; in 10^-8.
       */
      readonly referrer: RebateSums;
      readonly upline: RebateSums;
    };
  }
}

export interface RebateSums {
  readonly spotUsd: string;
  readonly spotCoin: string;
  readonly futuresUsd: string;
  readonly futuresCoin: string;
}

/** Units paid out of the fees in a currency, as decimal digits. */
export interface RebateTold {
  readonly ccy: string;
  readonly isFutures: boolean;
  readonly fees: string;
  readonly referrer: string;
  readonly referee: string;
  readonly upline: string;
}
