import * as money from "../../money/int64.ts";
import { NO_BUY, NO_SELL } from "../book.ts";
import { NONE } from "../order.ts";
import type { PriceLevels } from "./price-levels.ts";
import type { PricePages } from "./price-pages.ts";
import { PriceTree } from "./price-tree.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const BUY = 0;
/** The upper half of the largest rank, 2^53 - 1. */
const HIGH_BITS = 0x1fffff;

/**
 * One side of a book as a ladder of price levels: finds the level of a price and knows the best one and the next worse
 * of each. It works by rank, of which less is better: the rank of a sell is its price, the rank of a buy 2^53 - 1 less
 * its price, which is the price with every bit turned. So both sides are the same code, and none of it asks for the
 * side: half of all orders buy, and a question that is answered at random costs the machine more than the work it
 * saves.
 */
export class Ladder {
  /** The best level with orders, or NONE. */
  best = NONE;
  private readonly side: number;
  /** Turns a price into its rank and back: all bits set for buys, none for sells. */
  private readonly turn: number;
  private readonly levels: PriceLevels;
  private readonly pages: PricePages;
  private readonly tree: PriceTree;
  private readonly bestPrice: BigInt64Array;
  /** The best price of a side without orders. */
  private readonly none: BigInt64Array;

  /** `bestPrice` is the book's; the ladder keeps its side of it. Both ladders of a book share its pages and levels. */
  constructor(side: number, pages: PricePages, levels: PriceLevels, bestPrice: BigInt64Array) {
    this.side = side;
    this.turn = side === BUY ? -1 : 0;
    this.levels = levels;
    this.pages = pages;
    this.tree = new PriceTree(pages);
    this.bestPrice = bestPrice;
    this.none = BigInt64Array.of(side === BUY ? NO_BUY : NO_SELL);
    this.noteBest(NONE);
  }

  /** The level at the price with these halves, made when there is none. */
  levelAt(priceLow: number, priceHigh: number): number {
    const rankLow = priceLow ^ this.turn;
    const rankHigh = (priceHigh ^ this.turn) & HIGH_BITS;
    const page = this.tree.pageAt((rankLow >>> 4) | ((rankHigh & 3) << 28), rankHigh >>> 2);
    return (page << 4) | (rankLow & 15);
  }

  /** Notes that a level, whose price is set, now has orders. */
  open(level: number): void {
    const { pages, side } = this;
    const page = level >> 4;
    pages.setUsed(page, pages.used(page) | (1 << (level & 15)));
    // Positive when the level is nearer to the other side than the best one: below it for sells, above it for buys.
    const gain = int64(int64((this.bestPrice[side] as bigint) - this.levels.price(level)) * BigInt((2 * side - 1) | 0));
    if (gain > int64(0n)) this.noteBest(level);
  }

  /** Notes that a level has no orders any more. */
  close(level: number): void {
    const { pages } = this;
    const page = level >> 4;
    const used = pages.used(page) & ~(1 << (level & 15));
    pages.setUsed(page, used);
    if (level === this.best) this.noteBest(this.worse(level));
    if (used === 0) this.tree.drop(page);
  }

  /** The next worse level with orders, or NONE. */
  worse(level: number): number {
    let page = level >> 4;
    let used = this.pages.used(page) & (-2 << (level & 15));
    if (used === 0) {
      page = this.tree.after(page);
      if (page < 0) return NONE;
      used = this.pages.used(page);
    }
    return (page << 4) | (31 - Math.clz32(used & -used));
  }

  get byteLength(): number {
    return this.tree.byteLength;
  }

  private noteBest(level: number): void {
    this.best = level;
    if (level < 0) this.bestPrice[this.side] = this.none[0] as bigint;
    else this.bestPrice[this.side] = this.levels.price(level);
  }
}
