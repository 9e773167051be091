import type { PoolLevel } from "./curve.ts";

export const POOL_TYPES = ["infinite", "finite"] as const;
export type PoolType = (typeof POOL_TYPES)[number];

export const DAY_MS = 86_400_000;
/** Days over which dividends and trade are summed. */
export const DAYS_SHOWN = 7;

/** The prices between which a finite pool quotes, and the price with which it begins, in ticks. */
export interface PoolRange {
  readonly low: bigint;
  readonly high: bigint;
  readonly price: bigint;
}

/**
 * Earnings of shares: places in the lists of figures per share. Dividends are paid; the traded amounts are only
 * reported.
 */
export const EARNING = { dividendBase: 0, dividendQuote: 1, tradedBase: 2, tradedQuote: 3 } as const;
export const EARNINGS = 4;

/** Somebody who has a part of a pool. */
export interface Provider {
  shares: bigint;
  /** ms of the last addition. */
  addedAt: number;
  /** The pool's figures per share up to which `owed` counts. */
  readonly seen: bigint[];
  /** Units of each of EARNING that he has not been paid, or told of. */
  readonly owed: bigint[];
  /** Worth of his dividends in quote units when they were paid: those of the last days, oldest first. */
  dividends: bigint[];
}

/** Sums over a day of a market with a pool, in quote units. */
export interface PoolDay {
  /** Value of all deals. */
  traded: bigint;
  /** Worth of the providers' part of the fees. */
  dividends: bigint;
}

/** Cells of the ledger: reserves, and pots of what providers have earned, in base and quote. */
export interface PoolCells {
  readonly base: number;
  readonly quote: number;
  readonly basePot: number;
  readonly quotePot: number;
}

/** The pool of a spot market. What it holds is in the ledger. */
export class Pool {
  readonly marketId: number;
  readonly cells: PoolCells;
  type: PoolType = "infinite";
  /** Of a finite pool. */
  range: PoolRange | undefined;
  gridDigits = 3;
  baseOffset = 0n;
  quoteOffset = 0n;
  /** All shares. */
  shares = 0n;
  /** By EARNING: units per share since the beginning, in 2^-64. */
  readonly perShare: bigint[] = Array.from({ length: EARNINGS }, () => 0n);
  /** By user, in the order in which they came. */
  readonly providers = new Map<number, Provider>();
  /** ms of the next midnight. */
  dayEndsAt: number;
  today: PoolDay = { traded: 0n, dividends: 0n };
  /** Days that are over, oldest first. */
  days: PoolDay[] = [];

  /** Counts the changes of what it may quote; of no state, for those who show it. */
  changes = 0;
  /** Its best levels without regard to orders, bid and ask, once they have been asked for. */
  best: (PoolLevel | undefined)[] | undefined;

  constructor(marketId: number, cells: PoolCells, dayEndsAt: number) {
    this.marketId = marketId;
    this.cells = cells;
    this.dayEndsAt = dayEndsAt;
  }

  /** Notes that reserves or terms have changed. */
  note(): void {
    this.changes++;
    this.best = undefined;
  }
}

/** So many shares as a part of all, in 10^-8, rounded down. */
export function proportionE8(pool: Pool, shares: bigint): number {
  return pool.shares === 0n ? 0 : Number((shares * 100_000_000n) / pool.shares);
}
