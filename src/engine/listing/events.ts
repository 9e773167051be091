import type { CandleRow } from "./import-candles.ts";

/** The events of listed assets and markets. */
declare module "../event.ts" {
  interface RareEvents {
    asset_listed: { readonly ccy: string };
    market_listed: { readonly market: string };
    market_changed: { readonly market: string };
    index_price: {
      readonly marketId: number;
      /** Ticks of the market, as a decimal integer. */
      readonly price: string;
    };
    /** No source has spoken of it for too long, or one has again. In rules version 1 only of futures markets. */
    index_stale: { readonly marketId: number; readonly isStale: boolean };
    /** Candles of `periodS` seconds that were recorded elsewhere. */
    candles_imported: { readonly marketId: number; readonly periodS: number; readonly rows: readonly CandleRow[] };
    fee_deduction_set: { readonly ccy: string | null; readonly discountRate: string };
  }
}
