import type { WordBuffer } from "../words.ts";
import { type Book, type Level, NO_BUY, NO_SELL } from "./book.ts";
import type { Draft } from "./draft.ts";
import { emitLevel } from "./emit.ts";
import { NONE, nextSlice, type Orders } from "./order.ts";

interface Row {
  readonly price: bigint;
  readonly displayed: number[];
  readonly hidden: number[];
}

/** The order book as one would write it on paper: two sorted lists of prices, each with its two queues. */
export class PlainBook implements Book {
  readonly isPlain = true;
  readonly bestPrice = BigInt64Array.of(NO_BUY, NO_SELL);
  changes = 0;
  private readonly orders: Orders;
  private readonly events: WordBuffer;
  private readonly marketId: number;
  private readonly sides: [Row[], Row[]] = [[], []];

  constructor(orders: Orders, events: WordBuffer, marketId: number) {
    this.orders = orders;
    this.events = events;
    this.marketId = marketId;
  }

  insert(slot: number): void {
    if (this.orders.isIceberg(slot)) this.slice(slot);
    this.queue(slot);
    this.publish(slot);
  }

  remove(slot: number): void {
    this.unqueue(slot);
    if (this.orders.isIceberg(slot)) this.orders.iceberg(slot).shown = 0n;
    this.publish(slot);
  }

  move(slot: number, draft: Draft): void {
    this.remove(slot);
    this.orders.setPrice(slot, draft.price);
    this.orders.setLeft(slot, draft.left);
    this.insert(slot);
  }

  resize(slot: number, left: bigint): void {
    const grows = left > this.orders.left(slot);
    if (grows) {
      this.unqueue(slot);
      this.queue(slot);
    }
    this.orders.setLeft(slot, left);
    if (this.orders.isIceberg(slot)) {
      const iceberg = this.orders.iceberg(slot);
      iceberg.shown = grows || iceberg.shown > left ? nextSlice(iceberg, left) : iceberg.shown;
    }
    this.publish(slot);
  }

  fillSlice(slot: number, lots: bigint): void {
    const iceberg = this.orders.iceberg(slot);
    this.orders.setLeft(slot, this.orders.left(slot) - lots);
    iceberg.shown -= lots;
    if (iceberg.shown === 0n) {
      this.unqueue(slot);
      this.slice(slot);
      this.queue(slot);
    }
    this.publish(slot);
  }

  first(side: number): number {
    return this.inPriority(side)[0] ?? NONE;
  }

  next(slot: number): number {
    const queue = this.inPriority(this.orders.side(slot));
    return queue[queue.indexOf(slot) + 1] ?? NONE;
  }

  /** Each order by itself: lists keep the queues together, and not the rows of orders. */
  *queues(side: number): Generator<number> {
    yield* this.inPriority(side);
  }

  *levels(side: number, before = Number.POSITIVE_INFINITY): Generator<Level> {
    for (const { price, displayed } of this.side(side)) {
      const counted = displayed.filter((slot) => this.orders.prio(slot) < before);
      if (counted.length > 0) yield { price, lots: this.shownOf(counted) };
    }
  }

  *wholeLevels(side: number, before = Number.POSITIVE_INFINITY): Generator<Level> {
    for (const { price, displayed, hidden } of this.side(side)) {
      const counted = [...displayed, ...hidden].filter((slot) => this.orders.prio(slot) < before);
      if (counted.length > 0) yield { price, lots: this.sum(counted) };
    }
  }

  copyWholeLevels(side: number, words: BigInt64Array): number {
    const levels = [...this.wholeLevels(side)].slice(0, words.length / 2);
    words.set(levels.flatMap(({ price, lots }) => [price, lots]));
    return levels.length;
  }

  private queue(slot: number): void {
    const side = this.orders.side(slot);
    const rows = this.side(side);
    const price = this.orders.price(slot);
    let at = rows.findIndex((row) => row.price === price);
    if (at < 0) {
      at = rows.filter((row) => (side === 0 ? row.price > price : row.price < price)).length;
      rows.splice(at, 0, { price, displayed: [], hidden: [] });
    }
    this.queueOf(rows[at] as Row, slot).push(slot);
    this.noteBest(side);
  }

  private unqueue(slot: number): void {
    const side = this.orders.side(slot);
    const rows = this.side(side);
    const at = rows.findIndex((row) => row.price === this.orders.price(slot));
    const row = rows[at] as Row;
    const queue = this.queueOf(row, slot);
    queue.splice(queue.indexOf(slot), 1);
    if (row.displayed.length + row.hidden.length === 0) rows.splice(at, 1);
    this.noteBest(side);
  }

  private noteBest(side: number): void {
    this.bestPrice[side] = this.side(side)[0]?.price ?? (side === 0 ? NO_BUY : NO_SELL);
  }

  /** Totals are summed when they are asked for; hidden orders change none. */
  private publish(slot: number): void {
    if (this.orders.isHidden(slot)) return;
    this.changes++;
    const side = this.orders.side(slot);
    const price = this.orders.price(slot);
    const row = this.side(side).find((candidate) => candidate.price === price);
    emitLevel(this.events, this.marketId, side, price, row === undefined ? 0n : this.shownOf(row.displayed));
  }

  /** An iceberg that has no slice yet, as one that a snapshot brought has, shows its next. */
  private slice(slot: number): void {
    const iceberg = this.orders.iceberg(slot);
    if (iceberg.shown === 0n) iceberg.shown = nextSlice(iceberg, this.orders.left(slot));
  }

  private shownOf(slots: readonly number[]): bigint {
    return slots.reduce((sum, slot) => sum + this.orders.shown(slot), 0n);
  }

  private sum(slots: readonly number[]): bigint {
    return slots.reduce((sum, slot) => sum + this.orders.left(slot), 0n);
  }

  private inPriority(side: number): number[] {
    return this.side(side).flatMap((row) => [...row.displayed, ...row.hidden]);
  }

  private side(side: number): Row[] {
    return this.sides[side] as Row[];
  }

  private queueOf(row: Row, slot: number): number[] {
    return this.orders.isHidden(slot) ? row.hidden : row.displayed;
  }
}
