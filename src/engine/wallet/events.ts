/** Events of money that comes, is corrected or moves between accounts. */
declare module "../event.ts" {
  interface RareEvents {
    transferred: {
      readonly transferId: number;
      readonly userId: number;
      readonly from: string;
      readonly to: string;
      readonly ccy: string;
      readonly amount: string;
    };
    deposited: {
      readonly depositId: number;
      readonly userId: number | null;
      readonly cell: string | null;
      readonly ccy: string;
      readonly amount: string;
      readonly note: string;
    };
    adjusted: {
      readonly adjustmentId: number;
      readonly userId: number;
      /** The venue's cell on the other side; null: the outside world. */
      readonly cell: string | null;
      readonly ccy: string;
      /** Signed: what was added to what the user has available. */
      readonly amount: string;
      readonly note: string;
    };
  }
}

export {};
