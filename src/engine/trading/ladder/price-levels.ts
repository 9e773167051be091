import * as tables from "../../store/table.ts";
import { NONE } from "../order.ts";
import { PAGE_PRICES } from "./price-pages.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;

/**
 * Price levels: what they display and their two queues. Level 16 * page + n is the n-th of its page, from the best to
 * the worst of its side. A level that has lost its orders is as it was before it had any, so a page that comes back
 * into use costs nothing here: only a level that gets its first order is written to, with its price.
 */
export class PriceLevels extends tables.Table {
  constructor() {
    super(4);
  }

  /** Makes the levels of a page that was never in use. */
  prepare(page: number): void {
    const first = page * PAGE_PRICES;
    this.makeRoom(first + PAGE_PRICES - 1);
    for (let level = first; level < first + PAGE_PRICES; level++) {
      for (let place = 4; place < 8; place++) this.i32[(level & SLOT) * 8 + place] = NONE;
    }
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

  /** Ticks; of a level without orders it means nothing. */
  price(level: number): bigint {
    return this.i64[(level & SLOT) * 4] as bigint;
  }
  setPrice(level: number, value: bigint): void {
    this.i64[(level & SLOT) * 4] = value;
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
