import * as tables from "../store/table.ts";
import { NONE } from "./order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
/** Prices that share a page: a power of two, few enough that a lone price wastes little. */
const PAGE_PRICES = 16;
/** The upper half of the largest price, 2^53 - 1. */
const HIGH_BITS = 0x1fffff;

/**
 * Price levels: what they display and their two queues. They come in pages of 16 neighbouring prices: level 16 * page + n
 * is the n-th of its page, from the best to the worst of its side. On a busy stretch of prices every level has its row already, so that filling or emptying
 * one allocates nothing. Page 0 is never given out: its levels are at price 0, which no order has.
 */
export class PriceLevels extends tables.Table {
  private readonly freePages: number[] = [];
  private pages = 1;

  constructor() {
    super(4);
    this.makeRoom(PAGE_PRICES - 1);
  }

  /** A page of empty levels for the 16 ranks from the one with these halves; `turn` makes prices of them, see ladder.ts. */
  allocatePage(rankLow: number, rankHigh: number, turn: number): number {
    const page = this.freePages.pop() ?? this.pages++;
    const first = page * PAGE_PRICES;
    this.makeRoom(first + PAGE_PRICES - 1);
    for (let n = 0; n < PAGE_PRICES; n++) {
      const level = first + n;
      this.i32[(level & SLOT) * 8] = (rankLow + n) ^ turn;
      this.i32[(level & SLOT) * 8 + 1] = (rankHigh ^ turn) & HIGH_BITS;
      this.i64[(level & SLOT) * 4 + 1] = 0n;
      for (let end = 4; end < 8; end++) this.i32[(level & SLOT) * 8 + end] = NONE;
    }
    return page;
  }

  freePage(page: number): void {
    this.freePages.push(page);
  }

  /** Whether the level stands for the price with these halves. */
  isAt(level: number, priceLow: number, priceHigh: number): boolean {
    return this.i32[(level & SLOT) * 8] === priceLow && this.i32[(level & SLOT) * 8 + 1] === priceHigh;
  }

  /** The first order in priority: displayed before hidden. */
  first(level: number): number {
    const displayed = this.head(level, 0);
    return displayed < 0 ? this.head(level, 1) : displayed;
  }

  isEmpty(level: number): boolean {
    // NONE is the only negative slot, so both are NONE exactly when the sign survives.
    return (this.head(level, 0) & this.head(level, 1)) < 0;
  }

  // Fields of a row. Queue 0 holds displayed orders, queue 1 hidden ones.

  price(level: number): bigint {
    return this.i64[(level & SLOT) * 4] as bigint;
  }
  priceLow(level: number): number {
    return this.i32[(level & SLOT) * 8] as number;
  }
  priceHigh(level: number): number {
    return this.i32[(level & SLOT) * 8 + 1] as number;
  }
  /** Lots displayed. */
  total(level: number): bigint {
    return this.i64[(level & SLOT) * 4 + 1] as bigint;
  }
  setTotal(level: number, value: bigint): void {
    this.i64[(level & SLOT) * 4 + 1] = value;
  }
  head(level: number, queue: number): number {
    return this.i32[(level & SLOT) * 8 + 4 + queue] as number;
  }
  setHead(level: number, queue: number, slot: number): void {
    this.i32[(level & SLOT) * 8 + 4 + queue] = slot;
  }
  tail(level: number, queue: number): number {
    return this.i32[(level & SLOT) * 8 + 6 + queue] as number;
  }
  setTail(level: number, queue: number, slot: number): void {
    this.i32[(level & SLOT) * 8 + 6 + queue] = slot;
  }
}
