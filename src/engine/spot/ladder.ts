import * as tables from "../store/table.ts";
import { NO_BUY, NO_SELL } from "./book.ts";
import { NONE } from "./order.ts";
import type { PriceLevels } from "./price-levels.ts";
import { PriceTree } from "./price-tree.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
const BUY = 0;
/** Pages remembered by the low bits of their place, so that finding a price near the last ones needs no walk. */
const RECENT_PAGES = 512;
const RECENT_MASK = RECENT_PAGES - 1;

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
 * each. Pages of neighbouring prices hang in a tree by price >> 4; most searches end at a remembered page instead.
 */
export class Ladder {
  /** The best level with orders, or NONE. */
  best = NONE;
  private readonly side: number;
  private readonly levels: PriceLevels;
  private readonly bestPrice: BigInt64Array;
  private readonly pages = new Pages();
  private readonly tree = new PriceTree();
  private readonly recent = new Int32Array(RECENT_PAGES);

  /** `bestPrice` is the book's; the ladder keeps its side of it. */
  constructor(side: number, levels: PriceLevels, bestPrice: BigInt64Array) {
    this.side = side;
    this.levels = levels;
    this.bestPrice = bestPrice;
    this.noteBest(NONE);
  }

  /** The level at the price with these halves, made when there is none. */
  levelAt(priceLow: number, priceHigh: number): number {
    const near = ((this.recent[(priceLow >>> 4) & RECENT_MASK] as number) << 4) | (priceLow & 15);
    return this.levels.isAt(near, priceLow, priceHigh) ? near : this.search(priceLow, priceHigh);
  }

  /** Notes that a level now has orders. */
  open(level: number): void {
    const { pages } = this;
    const page = level >> 4;
    pages.setUsed(page, pages.used(page) | (1 << (level & 15)));
    const price = this.levels.price(level);
    const best = this.bestPrice[this.side] as bigint;
    if (this.best < 0 || (this.side === BUY ? price > best : price < best)) this.noteBest(level);
  }

  /** Notes that a level has no orders any more. */
  close(level: number): void {
    const { pages } = this;
    const page = level >> 4;
    const used = pages.used(page) & ~(1 << (level & 15));
    pages.setUsed(page, used);
    if (this.best === level) this.noteBest(this.worse(level));
    if (used === 0) this.dropPage(page);
  }

  /** The next worse level with orders, or NONE. */
  worse(level: number): number {
    const page = level >> 4;
    const used = this.pages.used(page);
    const n = level & 15;
    if (this.side === BUY) {
      const below = used & ((1 << n) - 1);
      return below === 0 ? this.edge(this.neighbour(page)) : (page << 4) | (31 - Math.clz32(below));
    }
    const above = used & (-2 << n);
    return above === 0 ? this.edge(this.neighbour(page)) : (page << 4) | (31 - Math.clz32(above & -above));
  }

  get byteLength(): number {
    return this.pages.byteLength + this.tree.byteLength + this.recent.byteLength;
  }

  private noteBest(level: number): void {
    this.best = level;
    this.bestPrice[this.side] = level < 0 ? (this.side === BUY ? NO_BUY : NO_SELL) : this.levels.price(level);
  }

  /** The best level of a page; NONE of none. */
  private edge(page: number): number {
    if (page < 0) return NONE;
    const used = this.pages.used(page);
    return (page << 4) | (31 - Math.clz32(this.side === BUY ? used : used & -used));
  }

  /** The next worse page, or NONE. */
  private neighbour(page: number): number {
    const leaf = this.pages.leaf(page);
    const low = placeLow(this.levels.priceLow(page << 4), this.levels.priceHigh(page << 4));
    return this.side === BUY ? this.tree.below(leaf, low) : this.tree.above(leaf, low);
  }

  private search(priceLow: number, priceHigh: number): number {
    const low = placeLow(priceLow, priceHigh);
    const leaf = this.tree.leafFor(low, placeHigh(priceHigh));
    let page = this.tree.valueAt(leaf, low);
    if (page < 0) {
      page = this.levels.allocatePage((BigInt(priceHigh) << 32n) | BigInt((priceLow & ~15) >>> 0));
      this.pages.enter(page, leaf);
      this.tree.put(leaf, low, page);
    }
    this.recent[(priceLow >>> 4) & RECENT_MASK] = page;
    return (page << 4) | (priceLow & 15);
  }

  private dropPage(page: number): void {
    const priceLow = this.levels.priceLow(page << 4);
    this.tree.remove(this.pages.leaf(page), placeLow(priceLow, this.levels.priceHigh(page << 4)));
    this.levels.freePage(page);
    // The other side may get this page next, for these very prices.
    this.recent[(priceLow >>> 4) & RECENT_MASK] = 0;
  }
}

// The place of a page is price >> 4, below 2^49: its lowest 30 bits, and the rest.

function placeLow(priceLow: number, priceHigh: number): number {
  return (priceLow >>> 4) | ((priceHigh & 3) << 28);
}

function placeHigh(priceHigh: number): number {
  return priceHigh >>> 2;
}
