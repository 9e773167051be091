import type { Pool } from "../amm/pool.ts";
import { FLAG } from "../command.ts";
import type { FuturesSpec } from "../futures/positions/contract.ts";
import type { Quotes } from "../trading/quotes.ts";
import type { Settlement } from "../trading/settlement.ts";

export const MARKET_STATUSES = ["counting_down", "bidding", "online"] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** The products that markets trade. A spot and a futures market may have the same name. */
export const MARKET_TYPES = ["SPOT", "FUTURES"] as const;
export type MarketType = (typeof MARKET_TYPES)[number];

/** The type of the markets in which orders of these flags stand. */
export function marketTypeOf(flags: number): MarketType {
  return (flags & FLAG.futures) === 0 ? "SPOT" : "FUTURES";
}

/**
 * One market. Prices are ticks of 10^-pricePrecision quote; amounts lots of 10^-amountPrecision base, in inverse
 * futures contracts of one quote unit.
 */
export interface Market {
  readonly id: number;
  readonly name: string;
  /** The rules of its product for orders and fills: chosen when it is listed. */
  settlement: Settlement;
  /** Its terms as a futures market; undefined of a spot market. */
  futures: FuturesSpec | undefined;
  /** The pool of a spot market; undefined where there is none. */
  pool: Pool | undefined;
  /** Quotes in the market beside its orders; undefined where there are none. */
  quotes: Quotes | undefined;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  readonly amountPrecision: number;
  readonly pricePrecision: number;
  /**
   * Quote units that one lot costs per tick: 10^(quote scale - pricePrecision - amountPrecision); 0 of an inverse
   * contract.
   */
  readonly unitsPerLotTick: bigint;
  /** Base units of one lot: 10^(base scale - amountPrecision); 0 of an inverse contract. */
  readonly unitsPerLot: bigint;
  minAmount: bigint;
  maxAmount: bigint;
  maxPrice: bigint;
  makerFeeRateE8: number;
  takerFeeRateE8: number;
  status: MarketStatus;
  /** ms; 0 = no auction: until it is online the market only counts down. */
  biddingAt: number;
  /** ms; from here on the auction is locked, 0 = never. */
  noCancelAt: number;
  /** ms; 0 = traded from the listing on. */
  onlineAt: number;
  /** ms; 0 = no delisting planned. */
  delistedAt: number;
  /** Left the list; its rows stay, because ids point to them. */
  delisted: boolean;
  suspended: boolean;
  apiTradingAvailable: boolean;
  preMarketTradingAvailable: boolean;
  index: MarketIndex;
  /** When a spot market stops trading for an auction; undefined: never. */
  interruption: Interruption | undefined;
  /** Of such a market the prices of the window that has passed, oldest first: see trading/interruption.ts. */
  readonly recentPrices: RecentPrice[];
  /**
   * Of such a market its last interruption, in progress or over; undefined: there was none, or one of rules version 2.
   */
  halt: Halt | undefined;
}

/** An interruption, and those before it that count with it. */
export interface Halt {
  /** Ticks that the price of the reopening is held to. */
  readonly reference: bigint;
  /** ms of the latest interruptions within an hour, this one included, oldest first. */
  readonly calledAt: readonly number[];
  /** Its auction goes on for the second time. */
  readonly isExtended: boolean;
  /** Where the market reopened; undefined before, and where nothing traded. */
  readonly reopening: RecentPrice | undefined;
}

/** How far from its reference a price may go, within which time, and how long bids are taken then. */
export interface Interruption {
  readonly moveE8: number;
  readonly windowMs: number;
  readonly auctionMs: number;
}

/** Ticks of a deal. */
export interface RecentPrice {
  readonly atMs: number;
  readonly price: bigint;
}

/** Where the index of a market comes from and what it says; `price` 0 while there is none. */
export interface MarketIndex {
  readonly sources: IndexSource[];
  /** Ticks. */
  price: bigint;
  /** ms of the last computation that had a source. */
  updatedAt: number;
  /** No source says what it is: the price is an old one. In rules version 1 only futures markets note it. */
  isStale: boolean;
  /** ms of the first update of a stale index since then, which is not enough for it to be fresh; 0 = there was none. */
  returnedAt: number;
}

/** The index of a market that none has been worked out for. */
export function noIndex(sources: IndexSource[]): MarketIndex {
  return { sources, price: 0n, updatedAt: 0, isStale: false, returnedAt: 0 };
}

export interface IndexSource {
  readonly exchange: string;
  /** Configured weight and the share it has after stale and outlying sources are dropped, in 10^-8. */
  weightE8: number;
  effectiveWeightE8: number;
  /** Ticks of the market, rounded half away from zero; 0 = never heard of. */
  price: bigint;
  /** ms of the price. */
  updatedAt: number;
}
