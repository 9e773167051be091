import { FLAG } from "../command.ts";
import type { Book, Level } from "./book.ts";
import { NONE, type Orders } from "./order.ts";

interface Row {
  readonly price: bigint;
  readonly displayed: number[];
  readonly hidden: number[];
}

/** The order book as one would write it on paper: two sorted lists of prices, each with its two queues. */
export class PlainBook implements Book {
  readonly shown = new BigInt64Array(1);
  private readonly orders: Orders;
  private readonly sides: [Row[], Row[]] = [[], []];

  constructor(orders: Orders) {
    this.orders = orders;
  }

  insert(slot: number): void {
    const rows = this.rowsOf(slot);
    const price = this.orders.price(slot);
    let at = rows.findIndex((row) => row.price === price);
    if (at < 0) {
      const better = (row: Row) => (this.sideOf(slot) === 0 ? row.price > price : row.price < price);
      at = rows.filter(better).length;
      rows.splice(at, 0, { price, displayed: [], hidden: [] });
    }
    this.queueOf(rows[at] as Row, slot).push(slot);
    this.show(slot, 0n);
  }

  remove(slot: number): void {
    const rows = this.rowsOf(slot);
    const at = rows.findIndex((row) => row.price === this.orders.price(slot));
    const row = rows[at] as Row;
    const queue = this.queueOf(row, slot);
    queue.splice(queue.indexOf(slot), 1);
    if (row.displayed.length + row.hidden.length === 0) rows.splice(at, 1);
    this.show(slot, 0n);
  }

  reduce(slot: number, lots: bigint): void {
    const displayed = (this.orders.flags(slot) & FLAG.hidden) === 0;
    this.show(slot, displayed ? lots : 0n);
  }

  first(side: number): number {
    return this.inPriority(side)[0] ?? NONE;
  }

  next(slot: number): number {
    const queue = this.inPriority(this.sideOf(slot));
    return queue[queue.indexOf(slot) + 1] ?? NONE;
  }

  *levels(side: number): Generator<Level> {
    for (const row of this.side(side)) {
      if (row.displayed.length > 0) yield { price: row.price, lots: this.total(row) };
    }
  }

  /** Totals are summed when asked for; `pending` lots of this order are not yet gone from `left`. */
  private show(slot: number, pending: bigint): void {
    const row = this.rowsOf(slot).find((candidate) => candidate.price === this.orders.price(slot));
    this.shown[0] = row === undefined ? 0n : this.total(row) - pending;
  }

  private total(row: Row): bigint {
    return row.displayed.reduce((sum, slot) => sum + this.orders.left(slot), 0n);
  }

  private inPriority(side: number): number[] {
    return this.side(side).flatMap((row) => [...row.displayed, ...row.hidden]);
  }

  private side(side: number): Row[] {
    return this.sides[side] as Row[];
  }

  private sideOf(slot: number): number {
    return this.orders.flags(slot) & FLAG.sell;
  }

  private rowsOf(slot: number): Row[] {
    return this.side(this.sideOf(slot));
  }

  private queueOf(row: Row, slot: number): number[] {
    return this.orders.flags(slot) & FLAG.hidden ? row.hidden : row.displayed;
  }
}
