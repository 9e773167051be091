import { FLAG } from "../command.ts";
import * as money from "../money/int64.ts";
import type { WordBuffer } from "../words.ts";
import { type Book, type Level, NO_BUY, NO_SELL } from "./book.ts";
import type { Draft } from "./draft.ts";
import * as emits from "./emit.ts";
import { Ladder } from "./ladder/ladder.ts";
import { PriceLevels } from "./ladder/price-levels.ts";
import { PricePages } from "./ladder/price-pages.ts";
import { NONE, nextSlice, type Orders } from "./order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { openLevel } = emits;
/** Flags of orders that do not show all that they have left. */
const WITHHOLDS = FLAG.hidden | FLAG.iceberg;
/** The queues of a level. */
const DISPLAYED = 0;
const HIDDEN = 1;

/**
 * The order book that runs: each side a ladder of price levels, orders queued by links in their own rows. The best
 * level of each side is at hand. Nothing is allocated once the tables have grown.
 */
export class LadderBook implements Book {
  readonly isPlain = false;
  readonly bestPrice = BigInt64Array.of(NO_BUY, NO_SELL);
  /** Of the changes that came between two looks at their count, one is counted. */
  private hasChanged = false;
  private counted = 0;
  /** Icebergs in it: without one nobody looks for what they do not show. */
  private icebergs = 0;
  private readonly orders: Orders;
  private readonly events: WordBuffer;
  private readonly marketId: number;
  private readonly rows = new PriceLevels();
  private readonly pages = new PricePages(this.rows);
  /** Buys and sells. */
  private readonly ladders = [0, 1].map((side) => new Ladder(side, this.pages, this.rows, this.bestPrice));

  constructor(orders: Orders, events: WordBuffer, marketId: number) {
    this.orders = orders;
    this.events = events;
    this.marketId = marketId;
  }

  get changes(): number {
    if (this.hasChanged) this.counted++;
    this.hasChanged = false;
    return this.counted;
  }

  insert(slot: number): void {
    const { orders, rows } = this;
    const side = orders.side(slot);
    const ladder = this.ladder(side);
    const level = ladder.levelAt(orders.priceLow(slot), orders.priceHigh(slot));
    if (rows.isEmpty(level)) this.open(ladder, level, slot);
    this.join(side, level, slot);
  }

  remove(slot: number): void {
    const { orders, rows } = this;
    const side = orders.side(slot);
    const level = orders.level(slot);
    this.leave(side, level, slot);
    if (rows.isEmpty(level)) this.ladder(side).close(level);
  }

  move(slot: number, draft: Draft): void {
    const { orders, rows } = this;
    const side = orders.side(slot);
    const ladder = this.ladder(side);
    const from = orders.level(slot);
    this.leave(side, from, slot);
    orders.setPrice(slot, draft.price);
    orders.setLeft(slot, draft.left);
    const to = ladder.levelAt(orders.priceLow(slot), orders.priceHigh(slot));
    if (rows.isEmpty(to)) this.open(ladder, to, slot);
    // After the other has opened, so that a page which both are on stays.
    if (rows.isEmpty(from)) ladder.close(from);
    this.join(side, to, slot);
  }

  resize(slot: number, left: bigint): void {
    const { orders, rows } = this;
    if ((orders.flags(slot) & WITHHOLDS) !== 0) {
      this.resizeWithheld(slot, left);
      return;
    }
    const level = orders.level(slot);
    const before = orders.left(slot);
    if (left > before) {
      this.unlink(level, DISPLAYED, slot);
      this.append(level, DISPLAYED, slot);
    }
    orders.setLeft(slot, left);
    rows.setTotal(level, int64(int64(rows.total(level) - before) + left));
    this.publish(orders.side(slot), level);
  }

  fillSlice(slot: number, lots: bigint): void {
    const { orders, rows } = this;
    const level = orders.level(slot);
    const iceberg = orders.iceberg(slot);
    const before = iceberg.shown;
    orders.setLeft(slot, orders.left(slot) - lots);
    iceberg.shown -= lots;
    if (iceberg.shown === 0n) {
      this.unlink(level, DISPLAYED, slot);
      this.append(level, DISPLAYED, slot);
      iceberg.shown = nextSlice(iceberg, orders.left(slot));
    }
    rows.setTotal(level, rows.total(level) - before + iceberg.shown);
    this.publish(orders.side(slot), level);
  }

  first(side: number): number {
    const level = this.ladder(side).best;
    return level < 0 ? NONE : this.rows.first(level);
  }

  next(slot: number): number {
    const { orders, rows } = this;
    const next = orders.next(slot);
    if (next >= 0) return next;
    const level = orders.level(slot);
    if (orders.queue(slot) === DISPLAYED && rows.head(level, HIDDEN) >= 0) return rows.head(level, HIDDEN);
    const worse = this.ladder(orders.side(slot)).worse(level);
    return worse < 0 ? NONE : rows.first(worse);
  }

  *queues(side: number): Generator<number> {
    const { rows } = this;
    const ladder = this.ladder(side);
    for (let level = ladder.best; level >= 0; level = ladder.worse(level)) {
      for (const queue of [0, 1]) if (rows.head(level, queue) >= 0) yield rows.head(level, queue);
    }
  }

  *levels(side: number, before = Number.POSITIVE_INFINITY): Generator<Level> {
    const { rows } = this;
    const ladder = this.ladder(side);
    for (let level = ladder.best; level >= 0; level = ladder.worse(level)) {
      const lots = this.displayedLots(level, before);
      // A level of hidden orders only is nobody's business.
      if (lots > 0n) yield { price: rows.price(level), lots };
    }
  }

  *wholeLevels(side: number, before = Number.POSITIVE_INFINITY): Generator<Level> {
    const { rows } = this;
    const ladder = this.ladder(side);
    for (let level = ladder.best; level >= 0; level = ladder.worse(level)) {
      const lots = this.wholeLots(level, before);
      if (lots > 0n) yield { price: rows.price(level), lots };
    }
  }

  copyWholeLevels(side: number, words: BigInt64Array): number {
    const { rows } = this;
    const ladder = this.ladder(side);
    let at = 0;
    for (let level = ladder.best; level >= 0 && at < words.length; level = ladder.worse(level)) {
      words[at++] = rows.price(level);
      words[at++] = this.wholeLots(level);
    }
    return at / 2;
  }

  get byteLength(): number {
    return this.rows.byteLength + this.pages.byteLength + this.ladder(0).byteLength + this.ladder(1).byteLength;
  }

  /** Lots that a level displays, of orders with a priority number below `before`: the others stand behind these. */
  private displayedLots(level: number, before: number): bigint {
    const { rows, orders } = this;
    let lots = rows.total(level);
    for (let slot = rows.tail(level, 0); slot >= 0 && orders.prio(slot) >= before; slot = orders.prev(slot)) {
      lots -= orders.shown(slot);
    }
    return lots;
  }

  /** As `displayedLots`, also those that nobody sees. */
  private wholeLots(level: number, before = Number.POSITIVE_INFINITY): bigint {
    const { rows, orders } = this;
    let lots = this.displayedLots(level, before);
    for (let slot = rows.head(level, HIDDEN); slot >= 0; slot = orders.next(slot)) {
      if (orders.prio(slot) < before) lots += orders.left(slot);
    }
    if (this.icebergs === 0) return lots;
    for (let slot = rows.head(level, DISPLAYED); slot >= 0; slot = orders.next(slot)) {
      if (orders.prio(slot) < before) lots += orders.left(slot) - orders.shown(slot);
    }
    return lots;
  }

  private ladder(side: number): Ladder {
    return this.ladders[side] as Ladder;
  }

  /** Opens a level at the price of its first order. */
  private open(ladder: Ladder, level: number, slot: number): void {
    this.rows.setPrice(level, this.orders.price(slot));
    ladder.open(level);
  }

  /** Puts an order at the back of its queue at a level and shows what of it is displayed. */
  private join(side: number, level: number, slot: number): void {
    if ((this.orders.flags(slot) & WITHHOLDS) !== 0) {
      this.joinWithheld(side, level, slot);
      return;
    }
    this.append(level, DISPLAYED, slot);
    this.show(side, level, slot);
  }

  /** Takes an order out of its queue at a level and off what that displays. */
  private leave(side: number, level: number, slot: number): void {
    if ((this.orders.flags(slot) & WITHHOLDS) !== 0) {
      this.leaveWithheld(side, level, slot);
      return;
    }
    this.unlink(level, DISPLAYED, slot);
    this.hide(side, level, slot);
  }

  /**
   * `join` of an order that does not show all: an iceberg without a slice, as one of a snapshot has, shows its next.
   */
  private joinWithheld(side: number, level: number, slot: number): void {
    const { orders, rows } = this;
    if (!orders.isIceberg(slot)) {
      this.append(level, HIDDEN, slot);
      return;
    }
    this.icebergs++;
    this.append(level, DISPLAYED, slot);
    const iceberg = orders.iceberg(slot);
    if (iceberg.shown === 0n) iceberg.shown = nextSlice(iceberg, orders.left(slot));
    rows.setTotal(level, rows.total(level) + iceberg.shown);
    this.publish(side, level);
  }

  private leaveWithheld(side: number, level: number, slot: number): void {
    const { orders, rows } = this;
    if (!orders.isIceberg(slot)) {
      this.unlink(level, HIDDEN, slot);
      return;
    }
    this.icebergs--;
    this.unlink(level, DISPLAYED, slot);
    const iceberg = orders.iceberg(slot);
    rows.setTotal(level, rows.total(level) - iceberg.shown);
    iceberg.shown = 0n;
    this.publish(side, level);
  }

  private resizeWithheld(slot: number, left: bigint): void {
    const { orders, rows } = this;
    const queue = orders.queue(slot);
    const level = orders.level(slot);
    const grows = left > orders.left(slot);
    if (grows) {
      this.unlink(level, queue, slot);
      this.append(level, queue, slot);
    }
    orders.setLeft(slot, left);
    if (!orders.isIceberg(slot)) return;
    const iceberg = orders.iceberg(slot);
    const before = iceberg.shown;
    iceberg.shown = grows || before > left ? nextSlice(iceberg, left) : before;
    rows.setTotal(level, rows.total(level) - before + iceberg.shown);
    this.publish(orders.side(slot), level);
  }

  /** Puts an order at the back of a queue. */
  private append(level: number, queue: number, slot: number): void {
    const { orders, rows } = this;
    const last = rows.tail(level, queue);
    orders.setLevel(slot, level);
    orders.setPrev(slot, last);
    orders.setNext(slot, NONE);
    if (last < 0) rows.setHead(level, queue, slot);
    else orders.setNext(last, slot);
    rows.setTail(level, queue, slot);
  }

  /** Takes an order out of its queue. */
  private unlink(level: number, queue: number, slot: number): void {
    const { orders, rows } = this;
    const next = orders.next(slot);
    const prev = orders.prev(slot);
    if (prev < 0) rows.setHead(level, queue, next);
    else orders.setNext(prev, next);
    if (next < 0) rows.setTail(level, queue, prev);
    else orders.setPrev(next, prev);
  }

  /** Adds what an order has left to what its level displays. */
  private show(side: number, level: number, slot: number): void {
    const { orders, rows } = this;
    rows.setTotal(level, int64(rows.total(level) + orders.left(slot)));
    this.publish(side, level);
  }

  /** Takes what an order has left off what its level displays. */
  private hide(side: number, level: number, slot: number): void {
    const { orders, rows } = this;
    rows.setTotal(level, int64(rows.total(level) - orders.left(slot)));
    this.publish(side, level);
  }

  /**
   * Publishes what a level displays: figures go from row to record, since one handed to a function may be allocated.
   */
  private publish(side: number, level: number): void {
    const { events, rows } = this;
    this.hasChanged = true;
    const at = openLevel(events, this.marketId | 0, side);
    events.i64[at + 2] = rows.price(level);
    events.i64[at + 3] = rows.total(level);
  }
}
