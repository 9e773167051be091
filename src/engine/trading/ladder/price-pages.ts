import * as tables from "../../store/table.ts";
import type { PriceLevels } from "./price-levels.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
/** Prices that share a page: a power of two, few enough that a lone price wastes little. */
export const PAGE_PRICES = 16;
/** No page: its place is none that a price has. */
export const NO_PAGE = 0;
const NO_PLACE = -1;
/** Bits of a place in its lower part. */
export const PLACE_LOW_BITS = 30;

/**
 * Pages of neighbouring prices, those of both sides of a book: where each stands, which of its levels have orders, and
 * where its side keeps it. The place of a page is the rank of its prices without the lowest four bits (see ladder.ts),
 * in two parts: the lowest 30 bits and the 19 above.
 */
export class PricePages extends tables.Table {
  private freeHead = NO_PAGE;
  private highWater = 1;

  private readonly levels: PriceLevels;

  constructor(levels: PriceLevels) {
    super(2);
    this.levels = levels;
    this.makeRoom(NO_PAGE);
    this.setPlace(NO_PAGE, NO_PLACE, NO_PLACE);
  }

  /** A page without orders at a place; anyone who takes it says in which node it hangs. */
  take(placeLow: number, placeHigh: number): number {
    let page = this.freeHead;
    if (page === NO_PAGE) {
      page = this.highWater++;
      this.makeRoom(page);
      this.levels.prepare(page);
    } else this.freeHead = this.used(page);
    this.setUsed(page, 0);
    this.setPlace(page, placeLow, placeHigh);
    return page;
  }

  give(page: number): void {
    this.setUsed(page, this.freeHead);
    this.freeHead = page;
  }

  isAt(page: number, placeLow: number, placeHigh: number): boolean {
    return this.i32[(page & SLOT) * 4 + 2] === placeLow && this.i32[(page & SLOT) * 4 + 3] === placeHigh;
  }

  // Fields of a row.

  /** Bit n = the n-th level has orders; of a page that was given back, the one that was given back before. */
  used(page: number): number {
    return this.i32[(page & SLOT) * 4] as number;
  }
  setUsed(page: number, used: number): void {
    this.i32[(page & SLOT) * 4] = used;
  }
  /** The node of the tree in which it hangs, or NONE: it is the only page. */
  node(page: number): number {
    return this.i32[(page & SLOT) * 4 + 1] as number;
  }
  setNode(page: number, node: number): void {
    this.i32[(page & SLOT) * 4 + 1] = node;
  }
  placeLow(page: number): number {
    return this.i32[(page & SLOT) * 4 + 2] as number;
  }
  placeHigh(page: number): number {
    return this.i32[(page & SLOT) * 4 + 3] as number;
  }

  private setPlace(page: number, placeLow: number, placeHigh: number): void {
    this.i32[(page & SLOT) * 4 + 2] = placeLow;
    this.i32[(page & SLOT) * 4 + 3] = placeHigh;
  }
}
