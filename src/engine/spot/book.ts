/**
 * What matching needs of an order book. Two books keep it: `LadderBook`, made for speed, runs; `PlainBook`, made for
 * reading, is the standard it is tested against. A book holds slots of `Orders` and reads their price, left and flags.
 *
 * Priority: best price first; at one price displayed orders by time of insertion, then hidden ones by time of insertion.
 * Side 0 is buy (best = highest), side 1 is sell (best = lowest).
 */
export interface Book {
  /**
   * One register: the lots displayed at the price that the last insert, remove or reduce touched, as they are after it.
   * A register and not a result, because a bigint that is returned has to be allocated.
   */
  readonly shown: BigInt64Array;
  /** Puts an order at the back of its queue. */
  insert(slot: number): void;
  /** Takes an order out, wherever it stands. */
  remove(slot: number): void;
  /** Lowers what is displayed at the order's price by `lots`; the caller lowers its `left` by the same right after. */
  reduce(slot: number, lots: bigint): void;
  /** The first order of a side in priority, or NONE. */
  first(side: number): number;
  /** The order after `slot` in priority on its side, or NONE. */
  next(slot: number): number;
  /** Displayed levels from best to worst. Do not change the book meanwhile. */
  levels(side: number): Generator<Level>;
}

export interface Level {
  /** Ticks. */
  readonly price: bigint;
  readonly lots: bigint;
}
