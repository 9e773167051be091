/**
 * The events of pools. Amounts are whole units of their asset as text, so that the audit reads them without a listing.
 */
declare module "../event.ts" {
  interface RareEvents {
    pool_set: { readonly marketId: number; readonly poolType: string };
    liquidity_added: LiquidityChange;
    liquidity_removed: LiquidityChange;
    /** Dividends that were paid to a provider out of the pot of the fees. */
    dividend_paid: {
      readonly marketId: number;
      readonly userId: number;
      readonly base: string;
      readonly quote: string;
    };
    /** A provider's day. */
    pool_income: {
      readonly marketId: number;
      readonly userId: number;
      /** ms of the midnight that ended it. */
      readonly atMs: number;
      /** His share of what the pool has traded. */
      readonly base: string;
      readonly quote: string;
      /** Worth of his shares at the pool's price, in quote units. */
      readonly liquidity: string;
      /** His share of the pool, in 10^-8. */
      readonly proportionE8: number;
      /** Worth of his dividends of the last seven days when they were paid, in quote units. */
      readonly dividends: string;
    };
  }
}

interface LiquidityChange {
  readonly marketId: number;
  readonly userId: number;
  readonly base: string;
  readonly quote: string;
  /** Shares that were made or are gone. */
  readonly shares: string;
}

export {};
