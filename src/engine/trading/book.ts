import type { Draft } from "./draft.ts";

/**
 * The operations that matching needs of an order book. Two books have them: `LadderBook`, made for speed, runs;
 * `PlainBook`, made for reading, is the standard it is tested against. A book holds slots of `Orders` and reads their
 * price, left and flags.
 *
 * Priority: best price first; at one price displayed orders by time of insertion, then hidden ones by time of
 * insertion. Side 0 is buy (best = highest), side 1 is sell (best = lowest). An iceberg stands with its slice among the
 * displayed ones.
 *
 * A book publishes its levels itself: each change of the lots that a price displays goes out as a level event.
 */
export interface Book {
  /**
   * A venue on plain books takes the plain way in everything, so that there is something to compare the quick ways
   * with.
   */
  readonly isPlain: boolean;
  /**
   * The best price of each side, hidden orders counted; of an empty side a price that nobody can meet: NO_BUY and
   * NO_SELL. An array and not a result, because a bigint that is returned has to be allocated.
   */
  readonly bestPrice: BigInt64Array;
  /** Another number after each change of what is displayed: for who has to know whether there was one. */
  readonly changes: number;
  /** Puts an order at the back of its queue. */
  insert(slot: number): void;
  /** Takes an order out, wherever it stands. */
  remove(slot: number): void;
  /**
   * Gives an order the drafted price, which is another, and what the draft says is left: it goes to the back of its
   * queue.
   */
  move(slot: number, draft: Draft): void;
  /**
   * Sets what is left of an order: less keeps its place in the queue, more sends it to the back. Of an iceberg less
   * comes off what is not shown as far as there is some.
   */
  resize(slot: number, left: bigint): void;
  /** Takes lots off what an iceberg has left and shows; when it shows nothing more, its next slice is at the back. */
  fillSlice(slot: number, lots: bigint): void;
  /** The first order of a side in priority, or NONE. */
  first(side: number): number;
  /** The order after `slot` in priority on its side, or NONE. */
  next(slot: number): number;
  /**
   * The first order of each queue of a side, in priority; the others follow it by `next` of their rows, but of a plain
   * book, which gives each order. Do not change the book meanwhile.
   */
  queues(side: number): Generator<number>;
  /**
   * Displayed levels from best to worst, of orders with a priority number below `before` where that is given: of those
   * that rested when it was given out. Do not change the book meanwhile.
   */
  levels(side: number, before?: number): Generator<Level>;
  /** As `levels`, with all lots, shown or not: for an auction, and for nobody to see. */
  wholeLevels(side: number, before?: number): Generator<Level>;
  /**
   * Copies the best of them as price and lots in turn, as many as there is room for, and gives how many: for who asks
   * after each command.
   */
  copyWholeLevels(side: number, words: BigInt64Array): number;
}

export interface Level {
  /** Ticks. */
  readonly price: bigint;
  readonly lots: bigint;
}

export const NO_BUY = 0n;
export const NO_SELL = (1n << 63n) - 1n;
