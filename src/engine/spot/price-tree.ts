import { growI32, nextCapacity } from "../store/columns.ts";

/**
 * A radix tree over prices: six bits a step, a 64-bit map of children in each node. Finding, adding, removing and the next
 * price above or below cost a few steps, whatever the distance between prices, and a lone price costs a few hundred bytes:
 * a ladder without the empty rungs. It grows upward only as high as the largest price needs.
 *
 * Prices come as two parts, `low` = the lowest 30 bits and `high` = the 24 above. Values are numbers >= 0.
 */
export class PriceTree {
  /** 64 children per node, offset by one: 0 = none. In leaves they are values, above they are nodes. */
  private children = new Int32Array(0);
  /** Two words per node: which children are there. */
  private bits = new Int32Array(0);
  private parent = new Int32Array(0);
  private digit = new Int32Array(0);
  private readonly freeNodes: number[] = [];
  private highWater = 0;
  private root: number;
  private height = 1;

  constructor() {
    this.root = this.node();
  }

  /** The value at a price, or -1. */
  find(low: number, high: number): number {
    if (digitsOf(low, high) > this.height) return -1;
    let node = this.root;
    for (let step = this.height - 1; step > 0; step--) {
      node = (this.children[node * 64 + digitAt(low, high, step)] as number) - 1;
      if (node < 0) return -1;
    }
    return (this.children[node * 64 + (low & 63)] as number) - 1;
  }

  /** Enters a value at a price that has none; returns the leaf, which with the price's low bits finds its neighbours. */
  add(low: number, high: number, value: number): number {
    while (digitsOf(low, high) > this.height) this.growUpward();
    let node = this.root;
    for (let step = this.height - 1; step > 0; step--) {
      const digit = digitAt(low, high, step);
      let child = (this.children[node * 64 + digit] as number) - 1;
      if (child < 0) {
        child = this.node();
        this.parent[child] = node;
        this.digit[child] = digit;
        this.link(node, digit, child);
      }
      node = child;
    }
    this.link(node, low & 63, value);
    return node;
  }

  /** Removes the value at `low` in `leaf`, and every node that becomes empty by it. */
  remove(leaf: number, low: number): void {
    let node = leaf;
    let digit = low & 63;
    for (;;) {
      this.unlink(node, digit);
      if (node === this.root || this.bits[node * 2] !== 0 || this.bits[node * 2 + 1] !== 0) return;
      digit = this.digit[node] as number;
      const parent = this.parent[node] as number;
      this.freeNodes.push(node);
      node = parent;
    }
  }

  /** The value at the nearest price above the one at `low` in `leaf`, which need not be there any more; -1 = none. */
  above(leaf: number, low: number): number {
    let node = leaf;
    let digit = low & 63;
    let step = 0;
    for (;;) {
      const found = this.nextBit(node, digit);
      if (found >= 0) {
        let child = (this.children[node * 64 + found] as number) - 1;
        for (; step > 0; step--) child = (this.children[child * 64 + this.nextBit(child, -1)] as number) - 1;
        return child;
      }
      if (node === this.root) return -1;
      digit = this.digit[node] as number;
      node = this.parent[node] as number;
      step++;
    }
  }

  /** As `above`, downward. */
  below(leaf: number, low: number): number {
    let node = leaf;
    let digit = low & 63;
    let step = 0;
    for (;;) {
      const found = this.previousBit(node, digit);
      if (found >= 0) {
        let child = (this.children[node * 64 + found] as number) - 1;
        for (; step > 0; step--) child = (this.children[child * 64 + this.previousBit(child, 64)] as number) - 1;
        return child;
      }
      if (node === this.root) return -1;
      digit = this.digit[node] as number;
      node = this.parent[node] as number;
      step++;
    }
  }

  get byteLength(): number {
    return this.children.byteLength + this.bits.byteLength + this.parent.byteLength + this.digit.byteLength;
  }

  private growUpward(): void {
    const old = this.root;
    this.root = this.node();
    this.parent[old] = this.root;
    this.digit[old] = 0;
    if (this.bits[old * 2] !== 0 || this.bits[old * 2 + 1] !== 0) this.link(this.root, 0, old);
    else this.freeNodes.push(old);
    this.height++;
  }

  private node(): number {
    const reused = this.freeNodes.pop();
    if (reused !== undefined) return reused;
    const node = this.highWater++;
    if (node >= this.parent.length) {
      const capacity = nextCapacity(node);
      this.children = growI32(this.children, capacity * 64);
      this.bits = growI32(this.bits, capacity * 2);
      this.parent = growI32(this.parent, capacity);
      this.digit = growI32(this.digit, capacity);
    }
    return node;
  }

  private link(node: number, digit: number, child: number): void {
    this.children[node * 64 + digit] = child + 1;
    const word = node * 2 + (digit >> 5);
    this.bits[word] = (this.bits[word] as number) | (1 << (digit & 31));
  }

  private unlink(node: number, digit: number): void {
    this.children[node * 64 + digit] = 0;
    const word = node * 2 + (digit >> 5);
    this.bits[word] = (this.bits[word] as number) & ~(1 << (digit & 31));
  }

  /** The lowest child above `digit`, or -1. */
  private nextBit(node: number, digit: number): number {
    if (digit < 31) {
      const word = (this.bits[node * 2] as number) & (-1 << (digit + 1));
      if (word !== 0) return 31 - Math.clz32(word & -word);
      digit = 31;
    }
    if (digit === 63) return -1;
    const word = (this.bits[node * 2 + 1] as number) & (-1 << (digit - 31));
    return word === 0 ? -1 : 63 - Math.clz32(word & -word);
  }

  /** The highest child below `digit`, or -1. */
  private previousBit(node: number, digit: number): number {
    if (digit > 32) {
      const word = (this.bits[node * 2 + 1] as number) & (digit === 64 ? -1 : (1 << (digit - 32)) - 1);
      if (word !== 0) return 63 - Math.clz32(word);
      digit = 32;
    }
    if (digit === 0) return -1;
    const word = (this.bits[node * 2] as number) & (digit === 32 ? -1 : (1 << digit) - 1);
    return word === 0 ? -1 : 31 - Math.clz32(word);
  }
}

/** The six bits of a price at `step`, 0 = lowest. */
function digitAt(low: number, high: number, step: number): number {
  return step < 5 ? (low >>> (step * 6)) & 63 : (high >>> ((step - 5) * 6)) & 63;
}

/** Steps that a price needs. */
function digitsOf(low: number, high: number): number {
  if (high !== 0) return 5 + Math.ceil((32 - Math.clz32(high)) / 6);
  return Math.max(1, Math.ceil((32 - Math.clz32(low)) / 6));
}
