/** Levels in a market beside its orders, such as those of a pool: each fill moves them. */
import type { Market } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";

/** One level: ticks, and lots that can be traded there. */
export interface Quote {
  readonly price: bigint;
  readonly lots: bigint;
}

export interface Quotes {
  /** The levels of a side (0 = bids, 1 = asks) from best to worst. */
  levels(state: State, market: Market, side: number): Iterator<Quote, undefined>;
  /** The best level of a side; undefined when it has none. */
  best(state: State, market: Market, side: number): Quote | undefined;
  /** The best level of a side if it is better than `price`: at the same price orders come first. */
  before(state: State, market: Market, side: number, price: bigint): Quote | undefined;
  /** Posts the fill in `trade` between the taker and who quotes. */
  pay(state: State, scratch: Scratch, takerSells: boolean): void;
  /** Posts the fees of the fill in `trade`: who quotes may have a part of all fees of the market. */
  shareFees(state: State, scratch: Scratch, market: Market): void;
  /** A bound of the market has changed. */
  note(): void;
}
