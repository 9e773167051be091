import * as money from "../money/int64.ts";
import * as tables from "../store/table.ts";
import { NO_BUY, NO_SELL } from "./book.ts";
import { NONE } from "./order.ts";
import type { PriceLevels } from "./price-levels.ts";
import { PriceTree } from "./price-tree.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { SLOT } = tables;
const BUY = 0;
/** Pages remembered by the low bits of their place, so that finding a price near the last ones needs no walk. */
const RECENT_PAGES = 512;
const RECENT_MASK = RECENT_PAGES - 1;
/** The upper half of the largest rank, 2^53 - 1. */
const HIGH_BITS = 0x1fffff;

/** What each page of levels needs besides its levels: which of them have orders, and its leaf in the tree. */
class Pages extends tables.Table {
  constructor() {
    super(1);
  }

  enter(page: number, leaf: number): void {
    this.makeRoom(page);
    this.setUsed(page, 0);
    this.i32[(page & SLOT) * 2 + 1] = leaf;
  }
  /** Bit n = the n-th level has orders. */
  used(page: number): number {
    return this.i32[(page & SLOT) * 2] as number;
  }
  setUsed(page: number, used: number): void {
    this.i32[(page & SLOT) * 2] = used;
  }
  leaf(page: number): number {
    return this.i32[(page & SLOT) * 2 + 1] as number;
  }
}

/**
 * One side of a book as a ladder of price levels: finds the level of a price and knows the best one and the next worse of
 * each. It works by rank, of which less is better: the rank of a sell is its price, the rank of a buy 2^53 - 1 less its
 * price, which is the price with every bit turned. So both sides are the same code, and none of it asks for the side: half
 * of all orders buy, and a question that is answered at random costs the machine more than the work it saves.
 *
 * Pages of neighbouring ranks hang in a tree by rank >> 4; most searches end at a remembered page instead.
 */
export class Ladder {
  /** The best level with orders, or NONE. */
  best = NONE;
  private readonly side: number;
  /** Turns a price into its rank and back: all bits set for buys, none for sells. */
  private readonly turn: number;
  private readonly levels: PriceLevels;
  private readonly bestPrice: BigInt64Array;
  private readonly pages = new Pages();
  private readonly tree = new PriceTree();
  private readonly recent = new Int32Array(RECENT_PAGES);

  /** `bestPrice` is the book's; the ladder keeps its side of it. */
  constructor(side: number, levels: PriceLevels, bestPrice: BigInt64Array) {
    this.side = side;
    this.turn = side === BUY ? -1 : 0;
    this.levels = levels;
    this.bestPrice = bestPrice;
    this.noteBest(NONE);
  }

  /** The level at the price with these halves, made when there is none. */
  levelAt(priceLow: number, priceHigh: number): number {
    const rankLow = priceLow ^ this.turn;
    const near = ((this.recent[(rankLow >>> 4) & RECENT_MASK] as number) << 4) | (rankLow & 15);
    return this.levels.isAt(near, priceLow, priceHigh)
      ? near
      : this.search(rankLow, (priceHigh ^ this.turn) & HIGH_BITS);
  }

  /** Notes that a level now has orders. */
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
    if (used === 0) this.dropPage(page);
  }

  /** The next worse level with orders, or NONE. */
  worse(level: number): number {
    let page = level >> 4;
    let used = this.pages.used(page) & (-2 << (level & 15));
    if (used === 0) {
      page = this.tree.above(this.pages.leaf(page), this.placeLow(page));
      if (page < 0) return NONE;
      used = this.pages.used(page);
    }
    return (page << 4) | (31 - Math.clz32(used & -used));
  }

  get byteLength(): number {
    return this.pages.byteLength + this.tree.byteLength + this.recent.byteLength;
  }

  private noteBest(level: number): void {
    this.best = level;
    this.bestPrice[this.side] = level < 0 ? (this.side === BUY ? NO_BUY : NO_SELL) : this.levels.price(level);
  }

  private search(rankLow: number, rankHigh: number): number {
    const low = lowBits(rankLow, rankHigh);
    const leaf = this.tree.leafFor(low, rankHigh >>> 2);
    let page = this.tree.valueAt(leaf, low);
    if (page < 0) {
      page = this.levels.allocatePage(rankLow & ~15, rankHigh, this.turn);
      this.pages.enter(page, leaf);
      this.tree.put(leaf, low, page);
    }
    this.recent[(rankLow >>> 4) & RECENT_MASK] = page;
    return (page << 4) | (rankLow & 15);
  }

  private dropPage(page: number): void {
    this.tree.remove(this.pages.leaf(page), this.placeLow(page));
    this.levels.freePage(page);
    // The other side may get this page next, for these very prices.
    this.recent[((this.levels.priceLow(page << 4) ^ this.turn) >>> 4) & RECENT_MASK] = 0;
  }

  /** The low bits of a page's place in the tree. */
  private placeLow(page: number): number {
    const first = page << 4;
    return lowBits(this.levels.priceLow(first) ^ this.turn, this.levels.priceHigh(first) ^ this.turn);
  }
}

/** The lowest 30 bits of rank >> 4; the tree takes it in two parts. */
function lowBits(rankLow: number, rankHigh: number): number {
  return (rankLow >>> 4) | ((rankHigh & 3) << 28);
}
