import * as tables from "../../store/table.ts";
import { NONE } from "../../trading/order.ts";

const { SLOT } = tables;
const WORDS = 3;

/** The present figures of futures markets, a row per market id. */
export class LiveFigures extends tables.Table {
  constructor() {
    super(WORDS);
  }

  /** Makes the row of a new market. */
  enter(marketId: number): void {
    this.makeRoom(marketId);
    this.setHead(marketId, NONE);
  }

  /** Ticks; 0 before the first index. */
  mark(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS] as bigint;
  }
  setMark(marketId: number, value: bigint): void {
    this.i64[(marketId & SLOT) * WORDS] = value;
  }
  /** Lots of all long positions, which are those of all short ones. */
  openInterest(marketId: number): bigint {
    return this.i64[(marketId & SLOT) * WORDS + 1] as bigint;
  }
  setOpenInterest(marketId: number, value: bigint): void {
    this.i64[(marketId & SLOT) * WORDS + 1] = value;
  }
  /** Its newest position, or NONE. */
  head(marketId: number): number {
    return this.i32[(marketId & SLOT) * WORDS * 2 + 4] as number;
  }
  setHead(marketId: number, value: number): void {
    this.i32[(marketId & SLOT) * WORDS * 2 + 4] = value;
  }
}
