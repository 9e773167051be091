import { int64 } from "../money/int64.ts";
import { Table } from "../store/table.ts";
import type { Book, Level } from "./book.ts";
import { NONE, type Orders } from "./order.ts";
import { PriceTree } from "./price-tree.ts";

/** Price levels of both sides: their two queues, what they display and where they hang in their side's tree. */
class Levels extends Table {
  private readonly freeLevels: number[] = [];
  private highWater = 0;

  constructor() {
    super(5);
  }

  /** An empty level at a price. */
  allocate(price: bigint): number {
    const level = this.freeLevels.pop() ?? this.highWater++;
    this.makeRoom(level);
    this.setPrice(level, price);
    this.setTotal(level, 0n);
    for (let queue = 0; queue < 2; queue++) {
      this.setHead(level, queue, NONE);
      this.setTail(level, queue, NONE);
    }
    return level;
  }

  free(level: number): void {
    this.freeLevels.push(level);
  }

  /** The first order in priority: displayed before hidden. */
  first(level: number): number {
    const displayed = this.head(level, 0);
    return displayed === NONE ? this.head(level, 1) : displayed;
  }

  isEmpty(level: number): boolean {
    return this.head(level, 0) === NONE && this.head(level, 1) === NONE;
  }

  // Fields of a row. Queue 0 holds displayed orders, queue 1 hidden ones.

  price(slot: number): bigint {
    return this.i64[slot * 5] as bigint;
  }
  setPrice(slot: number, value: bigint): void {
    this.i64[slot * 5] = value;
  }
  /** The price's lower half. */
  priceLow(slot: number): number {
    return this.i32[slot * 10] as number;
  }
  /** Lots displayed. */
  total(slot: number): bigint {
    return this.i64[slot * 5 + 1] as bigint;
  }
  setTotal(slot: number, value: bigint): void {
    this.i64[slot * 5 + 1] = value;
  }
  /** Where the level hangs in its side's tree. */
  leaf(slot: number): number {
    return this.i32[slot * 10 + 4] as number;
  }
  setLeaf(slot: number, value: number): void {
    this.i32[slot * 10 + 4] = value;
  }
  head(level: number, queue: number): number {
    return this.i32[level * 10 + 5 + queue] as number;
  }
  setHead(level: number, queue: number, slot: number): void {
    this.i32[level * 10 + 5 + queue] = slot;
  }
  tail(level: number, queue: number): number {
    return this.i32[level * 10 + 7 + queue] as number;
  }
  setTail(level: number, queue: number, slot: number): void {
    this.i32[level * 10 + 7 + queue] = slot;
  }
}

/**
 * The order book that runs: price levels in a table, found through a price tree, orders queued by links in their own rows.
 * The best level of each side is at hand. Nothing is allocated once the tables have grown.
 */
export class LadderBook implements Book {
  readonly shown = new BigInt64Array(1);
  private readonly orders: Orders;
  private readonly rows = new Levels();
  private readonly trees: readonly [PriceTree, PriceTree] = [new PriceTree(), new PriceTree()];
  private readonly best = new Int32Array(2).fill(NONE);

  constructor(orders: Orders) {
    this.orders = orders;
  }

  insert(slot: number): void {
    const { orders, rows } = this;
    const level = this.levelFor(slot);
    const queue = orders.isHidden(slot) ? 1 : 0;
    const last = rows.tail(level, queue);
    orders.setLevel(slot, level);
    orders.setPrev(slot, last);
    orders.setNext(slot, NONE);
    if (last === NONE) rows.setHead(level, queue, slot);
    else orders.setNext(last, slot);
    rows.setTail(level, queue, slot);
    if (queue === 0) rows.setTotal(level, int64(rows.total(level) + orders.left(slot)));
    this.shown[0] = rows.total(level);
  }

  remove(slot: number): void {
    const { orders, rows } = this;
    const queue = orders.isHidden(slot) ? 1 : 0;
    const level = orders.level(slot);
    const next = orders.next(slot);
    const prev = orders.prev(slot);
    if (prev === NONE) rows.setHead(level, queue, next);
    else orders.setNext(prev, next);
    if (next === NONE) rows.setTail(level, queue, prev);
    else orders.setPrev(next, prev);
    if (queue === 0) rows.setTotal(level, int64(rows.total(level) - orders.left(slot)));
    this.shown[0] = rows.total(level);
    if (rows.isEmpty(level)) this.dropLevel(orders.side(slot), level);
  }

  reduce(slot: number, lots: bigint): void {
    const { orders, rows } = this;
    const level = orders.level(slot);
    if (!orders.isHidden(slot)) rows.setTotal(level, int64(rows.total(level) - lots));
    this.shown[0] = rows.total(level);
  }

  first(side: number): number {
    const level = this.best[side] as number;
    return level === NONE ? NONE : this.rows.first(level);
  }

  next(slot: number): number {
    const { orders, rows } = this;
    const next = orders.next(slot);
    if (next !== NONE) return next;
    const level = orders.level(slot);
    if (!orders.isHidden(slot) && rows.head(level, 1) !== NONE) return rows.head(level, 1);
    const worse = this.worse(orders.side(slot), level);
    return worse === NONE ? NONE : rows.first(worse);
  }

  *levels(side: number): Generator<Level> {
    const { rows } = this;
    for (let level = this.best[side] as number; level !== NONE; level = this.worse(side, level)) {
      // A level of hidden orders only is nobody's business.
      if (rows.head(level, 0) !== NONE) yield { price: rows.price(level), lots: rows.total(level) };
    }
  }

  get byteLength(): number {
    return this.rows.byteLength + this.trees[0].byteLength + this.trees[1].byteLength;
  }

  private tree(side: number): PriceTree {
    return side === 0 ? this.trees[0] : this.trees[1];
  }

  /** The next worse level of a side, or NONE. */
  private worse(side: number, level: number): number {
    const { rows } = this;
    const tree = this.tree(side);
    return side === 0
      ? tree.below(rows.leaf(level), rows.priceLow(level))
      : tree.above(rows.leaf(level), rows.priceLow(level));
  }

  /** The level at the order's price, made when there is none. */
  private levelFor(slot: number): number {
    const { orders, rows } = this;
    const side = orders.side(slot);
    const tree = this.tree(side);
    const low = orders.priceLow(slot) & 0x3fffffff;
    const high = (orders.priceHigh(slot) << 2) | (orders.priceLow(slot) >>> 30);
    const leaf = tree.leafFor(low, high);
    const found = tree.valueAt(leaf, low);
    if (found >= 0) return found;
    const price = orders.price(slot);
    const level = rows.allocate(price);
    rows.setLeaf(level, leaf);
    tree.put(leaf, low, level);
    const best = this.best[side] as number;
    if (best === NONE || (side === 0 ? price > rows.price(best) : price < rows.price(best))) this.best[side] = level;
    return level;
  }

  private dropLevel(side: number, level: number): void {
    if (this.best[side] === level) this.best[side] = this.worse(side, level);
    this.tree(side).remove(this.rows.leaf(level), this.rows.priceLow(level));
    this.rows.free(level);
  }
}
