/** The events of futures; positions are records of their own, see positions/position-event.ts. */
import type { ExitRareEvent } from "./exits/exit-event.ts";

declare module "../event.ts" {
  interface RareEvents {
    futures_settings_changed: { readonly userId: number };
    leverage_changed: {
      readonly userId: number;
      readonly marketId: number;
      readonly marginMode: string;
      readonly leverage: number;
    };
    /** The insurance fund has lifted the cash of a futures account; what it could not pay is what is missing still. */
    account_lifted: {
      readonly userId: number;
      readonly ccy: string;
      readonly amount: string;
    };
    mark_price: {
      readonly marketId: number;
      /** Ticks, as a decimal integer. */
      readonly price: string;
    };
    /** A premium sample of a futures market, and the funding rates that follow; figures in 10^-8. */
    premium_sampled: {
      readonly marketId: number;
      readonly minuteMs: number;
      readonly premiumE8: number;
      readonly markPremiumE8: number;
      readonly latestRateE8: number;
      readonly nextRateE8: number;
    };
    /** One collection of funding. Rates in 10^-8, money in units of the settlement asset, as decimal integers. */
    funding_collected: {
      readonly marketId: number;
      /** When it was due. */
      readonly atMs: number;
      readonly mark: string;
      /** The rate that was asked for, and the rate that the receivers got. */
      readonly rateE8: number;
      readonly actualRateE8: number;
      readonly paid: string;
      readonly receivers: number;
      /** The rest, which the insurance fund got. */
      readonly residue: string;
    };
    /** The end of a settlement that has changed positions. */
    settled: {
      /** When it was due. */
      readonly atMs: number;
    };
    funding_interval: {
      readonly marketId: number;
      readonly intervalH: number;
      readonly collectsAt: number;
    };
    /**
     * The venue has taken a position over, lots and units of the settlement asset as decimal integers, prices in ticks.
     */
    liquidated: {
      readonly marketId: number;
      readonly userId: number;
      readonly positionId: number;
      readonly isShort: boolean;
      readonly lots: string;
      readonly value: string;
      /** Where it became due; 0 = nowhere by itself. */
      readonly liqPrice: string;
      /** The price of the takeover. */
      readonly bkrPrice: string;
    };
    /** A user's position, or part of it, was closed against one that the venue had taken over. */
    deleveraged: {
      readonly marketId: number;
      readonly dealId: number;
      readonly userId: number;
      readonly positionId: number;
      readonly isShort: boolean;
      readonly lots: string;
      readonly value: string;
      readonly price: string;
    };
    /** A market has left, and what the rounding of its last values left over went to the insurance fund. */
    clearing_closed: {
      readonly marketId: number;
      /** Units of the settlement asset, as a decimal integer. */
      readonly residue: string;
    };
    /** Liquidation is near: of an isolated position, or of all cross positions in a currency (null). */
    risk_alert: {
      readonly userId: number;
      readonly ccy: string;
      readonly marketId: number | null;
      readonly positionId: number | null;
    };
    exit: ExitRareEvent;
  }
}
