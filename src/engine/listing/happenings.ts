/** What is told of what is listed. */
declare module "../event.ts" {
  interface Happenings {
    asset_listed: { readonly ccy: string };
    market_listed: { readonly market: string };
    market_changed: { readonly market: string };
    index_price: {
      readonly marketId: number;
      /** Ticks of the market, as a decimal integer. */
      readonly price: string;
    };
    fee_deduction_set: { readonly ccy: string | null; readonly discountRate: string };
  }
}

export {};
