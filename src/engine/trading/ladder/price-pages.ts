import * as tables from "../../store/table.ts";
import { NONE } from "../order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
/** Prices that share a page: a power of two, few enough that a lone price wastes little. */
export const PAGE_PRICES = 16;
/** No page: its place is none that a price has. */
export const NO_PAGE = 0;
const NO_PLACE = -1;

/**
 * Pages of neighbouring prices, those of both sides of a book: where each stands, which of its levels have orders, and
 * where its side keeps it. The place of a page is the rank of its prices without the lowest four bits (see ladder.ts),
 * in two parts: the lowest 28 bits and the 21 above.
 */
export class PricePages extends tables.SlotTable {
  constructor() {
    super(2);
    this.take(NO_PLACE, NO_PLACE);
  }

  /** A page without orders at a place, in the window. */
  take(placeLow: number, placeHigh: number): number {
    const page = this.takeSlot();
    const at = (page & SLOT) * 4;
    this.i32[at] = 0;
    this.i32[at + 1] = NONE;
    this.i32[at + 2] = placeLow;
    this.i32[at + 3] = placeHigh;
    return page;
  }

  give(page: number): void {
    this.giveSlot(page);
  }

  isAt(page: number, placeLow: number, placeHigh: number): boolean {
    return this.i32[(page & SLOT) * 4 + 2] === placeLow && this.i32[(page & SLOT) * 4 + 3] === placeHigh;
  }

  /** Its place in one number. */
  place(page: number): number {
    return placeOf(this.placeLow(page), this.placeHigh(page));
  }

  // Fields of a row.

  /** Bit n = the n-th level has orders. */
  used(page: number): number {
    return this.i32[(page & SLOT) * 4] as number;
  }
  setUsed(page: number, used: number): void {
    this.i32[(page & SLOT) * 4] = used;
  }
  /** Its leaf in the tree, or NONE while it is in the window. */
  leaf(page: number): number {
    return this.i32[(page & SLOT) * 4 + 1] as number;
  }
  setLeaf(page: number, leaf: number): void {
    this.i32[(page & SLOT) * 4 + 1] = leaf;
  }
  placeLow(page: number): number {
    return this.i32[(page & SLOT) * 4 + 2] as number;
  }
  placeHigh(page: number): number {
    return this.i32[(page & SLOT) * 4 + 3] as number;
  }
}

/** A place in one number, below 2^49. */
export function placeOf(placeLow: number, placeHigh: number): number {
  return placeHigh * 2 ** 28 + placeLow;
}
