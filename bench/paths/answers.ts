import type { Book } from "../../src/engine/trading/book.ts";

/** What a change or a cancel of an order that is filled or cancelled already is answered. */
export const GONE = -1;

/** A running sum over answers: two contenders that end with the same one gave the same answers in the same order. */
export class AnswerSum {
  private sum = 0x811c9dc5 | 0;
  private readonly amount = new BigInt64Array(1);
  private readonly half = new Int32Array(this.amount.buffer);

  add(part: number): void {
    const mixed = Math.imul(this.sum ^ part, 0x9e3779b1);
    this.sum = mixed ^ (mixed >>> 15);
  }

  /** Adds a price or lots, of which the lower half tells all: those of W2 are small. */
  addAmount(amount: bigint): void {
    this.amount[0] = amount;
    this.add(this.half[0] as number);
  }

  /** Adds all that a book holds: what it displays, and its orders in priority. */
  addBook(book: Book, orders: { orderId(slot: number): number }): void {
    for (const side of [0, 1]) {
      for (const { price, lots } of book.levels(side)) {
        this.addAmount(price);
        this.addAmount(lots);
      }
      for (let slot = book.first(side); slot >= 0; slot = book.next(slot)) this.add(orders.orderId(slot));
    }
  }

  get text(): string {
    return (this.sum >>> 0).toString(16).padStart(8, "0");
  }
}
