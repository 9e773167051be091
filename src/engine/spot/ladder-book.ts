import { FLAG } from "../command.ts";
import { int64 } from "../money/int64.ts";
import { growI32, growI64, nextCapacity } from "../store/columns.ts";
import type { Book, Level } from "./book.ts";
import { NONE, type Orders } from "./order.ts";
import { PriceTree } from "./price-tree.ts";

/**
 * The order book that runs: price levels in a table, found through a price tree, orders queued by links in the columns of
 * `Orders`. The best level of each side is at hand. Nothing is allocated once the tables have grown.
 */
export class LadderBook implements Book {
  readonly shown = new BigInt64Array(1);
  private readonly orders: Orders;
  private readonly trees: readonly [PriceTree, PriceTree] = [new PriceTree(), new PriceTree()];
  private best = new Int32Array(2).fill(NONE);
  // Levels of both sides, in one table.
  private price = new BigInt64Array(0);
  /** The price's halves as int32, over the same memory. */
  private priceBits = new Int32Array(0);
  private total = new BigInt64Array(0);
  /** Where the level hangs in its side's tree. */
  private leaf = new Int32Array(0);
  /** First and last order: displayed queue at 2 * level, hidden queue at 2 * level + 1. */
  private head = new Int32Array(0);
  private tail = new Int32Array(0);
  private readonly freeLevels: number[] = [];
  private highWater = 0;

  constructor(orders: Orders) {
    this.orders = orders;
  }

  insert(slot: number): void {
    const { orders } = this;
    const flags = orders.flags[slot] as number;
    const level = this.levelFor(flags & FLAG.sell, slot);
    const hidden = (flags & FLAG.hidden) === 0 ? 0 : 1;
    const queue = level * 2 + hidden;
    const last = this.tail[queue] as number;
    orders.level[slot] = level;
    orders.prev[slot] = last;
    orders.next[slot] = NONE;
    if (last === NONE) this.head[queue] = slot;
    else orders.next[last] = slot;
    this.tail[queue] = slot;
    if (hidden === 0) this.total[level] = int64((this.total[level] as bigint) + (orders.left[slot] as bigint));
    this.shown[0] = this.total[level] as bigint;
  }

  remove(slot: number): void {
    const { orders } = this;
    const flags = orders.flags[slot] as number;
    const hidden = (flags & FLAG.hidden) === 0 ? 0 : 1;
    const level = orders.level[slot] as number;
    const queue = level * 2 + hidden;
    const next = orders.next[slot] as number;
    const prev = orders.prev[slot] as number;
    if (prev === NONE) this.head[queue] = next;
    else orders.next[prev] = next;
    if (next === NONE) this.tail[queue] = prev;
    else orders.prev[next] = prev;
    if (hidden === 0) this.total[level] = int64((this.total[level] as bigint) - (orders.left[slot] as bigint));
    this.shown[0] = this.total[level] as bigint;
    if (this.head[level * 2] === NONE && this.head[level * 2 + 1] === NONE) this.dropLevel(flags & FLAG.sell, level);
  }

  reduce(slot: number, lots: bigint): void {
    const level = this.orders.level[slot] as number;
    if (((this.orders.flags[slot] as number) & FLAG.hidden) === 0) {
      this.total[level] = int64((this.total[level] as bigint) - lots);
    }
    this.shown[0] = this.total[level] as bigint;
  }

  first(side: number): number {
    const level = this.best[side] as number;
    return level === NONE ? NONE : this.firstOf(level);
  }

  next(slot: number): number {
    const { orders } = this;
    const next = orders.next[slot] as number;
    if (next !== NONE) return next;
    const flags = orders.flags[slot] as number;
    const level = orders.level[slot] as number;
    if ((flags & FLAG.hidden) === 0) {
      const hidden = this.head[level * 2 + 1] as number;
      if (hidden !== NONE) return hidden;
    }
    const worse = this.worse(flags & FLAG.sell, level);
    return worse === NONE ? NONE : this.firstOf(worse);
  }

  *levels(side: number): Generator<Level> {
    for (let level = this.best[side] as number; level !== NONE; level = this.worse(side, level)) {
      // A level of hidden orders only is nobody's business.
      if (this.head[level * 2] !== NONE) yield { price: this.price[level] as bigint, lots: this.total[level] as bigint };
    }
  }

  get byteLength(): number {
    return 40 * this.price.length + this.trees[0].byteLength + this.trees[1].byteLength;
  }

  private firstOf(level: number): number {
    const displayed = this.head[level * 2] as number;
    return displayed === NONE ? (this.head[level * 2 + 1] as number) : displayed;
  }

  private tree(side: number): PriceTree {
    return side === 0 ? this.trees[0] : this.trees[1];
  }

  /** The next worse level of a side, or NONE. */
  private worse(side: number, level: number): number {
    const tree = this.tree(side);
    const leaf = this.leaf[level] as number;
    const low = this.priceBits[level * 2] as number;
    return side === 0 ? tree.below(leaf, low) : tree.above(leaf, low);
  }

  /** The level at the order's price, made when there is none. */
  private levelFor(side: number, slot: number): number {
    const price = this.orders.price[slot] as bigint;
    const tree = this.tree(side);
    const level = this.freeLevels.pop() ?? this.highWater++;
    if (level >= this.leaf.length) this.grow(nextCapacity(level));
    this.price[level] = price;
    const lowWord = this.priceBits[level * 2] as number;
    const low = lowWord & 0x3fffffff;
    const high = ((this.priceBits[level * 2 + 1] as number) << 2) | (lowWord >>> 30);
    const found = tree.find(low, high);
    if (found >= 0) {
      this.freeLevels.push(level);
      return found;
    }
    this.leaf[level] = tree.add(low, high, level);
    this.total[level] = 0n;
    this.head[level * 2] = NONE;
    this.head[level * 2 + 1] = NONE;
    this.tail[level * 2] = NONE;
    this.tail[level * 2 + 1] = NONE;
    const best = this.best[side] as number;
    if (best === NONE || (side === 0 ? price > (this.price[best] as bigint) : price < (this.price[best] as bigint))) {
      this.best[side] = level;
    }
    return level;
  }

  private dropLevel(side: number, level: number): void {
    if (this.best[side] === level) this.best[side] = this.worse(side, level);
    this.tree(side).remove(this.leaf[level] as number, this.priceBits[level * 2] as number);
    this.freeLevels.push(level);
  }

  private grow(capacity: number): void {
    this.price = growI64(this.price, capacity);
    this.priceBits = new Int32Array(this.price.buffer);
    this.total = growI64(this.total, capacity);
    this.leaf = growI32(this.leaf, capacity);
    this.head = growI32(this.head, capacity * 2);
    this.tail = growI32(this.tail, capacity * 2);
  }
}
