import type { Purpose } from "./command-schemas.ts";

/** Events of chains. */
declare module "../event.ts" {
  interface RareEvents {
    payment_signed: {
      readonly chain: string;
      readonly paymentId: string;
      readonly purpose: Purpose;
      readonly fromAddress: string;
      readonly nonce: number;
      readonly txId: string;
    };
    withdrawals_halted: { readonly reason: string };
    withdrawals_resumed: { readonly note: string };
    payment_settled: {
      readonly chain: string;
      readonly paymentId: string;
      readonly txId: string;
      readonly failed: boolean;
    };
  }
}
