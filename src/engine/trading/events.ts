/** The events of trading as a whole; orders and deals are records of their own, see event.ts. */
declare module "../event.ts" {
  interface RareEvents {
    /**
     * A deal at `price` would have lain outside `low` to `high`, or the auction that follows would have opened there:
     * the market takes bids until `untilMs`. Prices in ticks.
     */
    market_interrupted: {
      readonly marketId: number;
      readonly price: string;
      readonly low: string;
      readonly high: string;
      readonly untilMs: number;
    };
    /** A market opens by its auction: the deals that follow, up to all that can trade at its price, are of it. */
    auction_uncrossed: {
      readonly marketId: number;
      /** Ticks, as a decimal integer; 0 when nothing can trade. */
      readonly price: string;
      /** Of an interrupted market the lowest and the highest that it may open at. */
      readonly low?: string;
      readonly high?: string;
    };
    /**
     * Fills have reached a limit of a user's market-maker protection in a market: his quotes there end from here on,
     * and new ones are refused.
     */
    quotes_pulled: {
      readonly userId: number;
      readonly marketId: number;
      readonly limit: string;
      readonly atMs: number;
    };
    /** The order of this id, which has just been placed, displays at most so many lots at a time while it rests. */
    iceberg_placed: {
      readonly userId: number;
      readonly marketId: number;
      readonly orderId: number;
      readonly displayLots: string;
    };
    cancel_only: { readonly cancelOnly: boolean; readonly reason: string };
  }
}

export {};
