/** Events of sub-accounts. Freezing one, freeing it and changing its permissions is `user_changed`, as for any user. */
declare module "../event.ts" {
  interface RareEvents {
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
