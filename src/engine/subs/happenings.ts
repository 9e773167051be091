/** What is told of sub-accounts. That one is frozen or freed, or has other permissions, is told as of any user: `user_changed`. */
declare module "../event.ts" {
  interface Happenings {
    sub_transferred: {
      readonly transferId: number;
      /** The main account. */
      readonly userId: number;
      readonly fromUserId: number;
      readonly toUserId: number;
      /** Kinds of accounts, such as SPOT. */
      readonly from: string;
      readonly to: string;
      readonly ccy: string;
      readonly amount: string;
    };
  }
}

export {};
