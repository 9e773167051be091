import * as tables from "../../store/table.ts";

const { SLOT } = tables;

/**
 * Data of orders in futures markets that `Orders` does not hold, by slot in `Orders`. Each names the row of its seat,
 * so that no caller has to look at the seat for it first.
 */
export class HeldOrders extends tables.Table {
  constructor() {
    super(2);
  }

  /** Takes an order of the seat in `row` of `FuturesSeats` in, which freezes at a price (ticks). */
  enter(slot: number, row: number, freezePrice: bigint): void {
    this.makeRoom(slot);
    this.setFreezePrice(slot, freezePrice);
    this.i32[(slot & SLOT) * 4 + 2] = row;
  }

  // Fields of a row.

  freezePrice(slot: number): bigint {
    return this.i64[(slot & SLOT) * 2] as bigint;
  }
  setFreezePrice(slot: number, price: bigint): void {
    this.i64[(slot & SLOT) * 2] = price;
  }
  /** Row of `FuturesSeats` of its seat. */
  row(slot: number): number {
    return this.i32[(slot & SLOT) * 4 + 2] as number;
  }
}
