import { SlotTable } from "../../store/table.ts";

const NONE = -1;
/** The bits of the two parts of a key. */
const LOW_BITS = 2 ** 30 - 1;
const HIGH_BITS = 2 ** 19 - 1;

/**
 * A radix tree over places: six bits a step, a 64-bit map of children in each node. Finding, adding, removing and the
 * next place above cost a few steps, whatever the distance between places, and a lone one costs a few hundred bytes: a
 * ladder without the empty rungs. It grows upward only as high as the place needs that lies farthest from its origin.
 *
 * Places come as two parts, `low` = the lowest 30 bits and `high` = the 19 above. Values are numbers >= 0.
 */
export class PriceTree extends SlotTable {
  /** Values in it. */
  count = 0;
  /** The place from which it grows: the lowest one, or with all bits set the highest one. */
  private readonly originLow: number;
  private readonly originHigh: number;
  private root = NONE;
  private height = 1;

  /**
   * `turn` is all bits set where places lie below the highest rather than above the lowest, as those of buys do; else
   * none.
   */
  constructor(turn: number) {
    super(34);
    this.originLow = turn & LOW_BITS;
    this.originHigh = turn & HIGH_BITS;
  }

  /**
   * The leaf that holds a place, made on the way when it is not there; whoever makes one puts a value into it. With the
   * place's low bits it finds the value and its neighbours.
   */
  leafFor(low: number, high: number): number {
    if (this.root < 0) this.root = this.takeSlot();
    while (!this.reaches(low, high)) this.growUpward();
    let node = this.root;
    for (let step = this.height - 1; step > 0; step--) {
      const digit = digitAt(low, high, step);
      let child = this.child(node, digit);
      if (child < 0) {
        child = this.takeSlot();
        this.setParent(child, node);
        this.setDigit(child, digit);
        this.link(node, digit, child);
      }
      node = child;
    }
    return node;
  }

  /** The value at `low` in `leaf`, or -1. */
  valueAt(leaf: number, low: number): number {
    return this.child(leaf, low & 63);
  }

  put(leaf: number, low: number, value: number): void {
    this.link(leaf, low & 63, value);
    this.count++;
  }

  /** Removes the value at `low` in `leaf`, and every node that becomes empty by it. */
  remove(leaf: number, low: number): void {
    this.count--;
    let node = leaf;
    let digit = low & 63;
    for (;;) {
      this.unlink(node, digit);
      if (node === this.root || this.lowBits(node) !== 0 || this.highBits(node) !== 0) return;
      digit = this.digit(node);
      const parent = this.parent(node);
      this.giveSlot(node);
      node = parent;
    }
  }

  /** The value at the lowest place; -1 = none. */
  lowest(): number {
    if (this.count === 0) return NONE;
    let node = this.root;
    for (let step = this.height; step > 0; step--) node = this.child(node, this.nextBit(node, -1));
    return node;
  }

  /** The value at the nearest place above the one at `low` in `leaf`, which need not be there any more; -1 = none. */
  above(leaf: number, low: number): number {
    let node = leaf;
    let digit = low & 63;
    let step = 0;
    for (;;) {
      const found = this.nextBit(node, digit);
      if (found >= 0) {
        let child = this.child(node, found);
        for (; step > 0; step--) child = this.child(child, this.nextBit(child, -1));
        return child;
      }
      if (node === this.root) return -1;
      digit = this.digit(node);
      node = this.parent(node);
      step++;
    }
  }

  /** Whether the tree is high enough for a place. */
  private reaches(low: number, high: number): boolean {
    const above = high ^ this.originHigh;
    if (this.height < 5) return above === 0 && (low ^ this.originLow) >>> (this.height * 6) === 0;
    return above >>> ((this.height - 5) * 6) === 0;
  }

  private growUpward(): void {
    const old = this.root;
    this.root = this.takeSlot();
    this.setParent(old, this.root);
    const digit = digitAt(this.originLow, this.originHigh, this.height);
    this.setDigit(old, digit);
    if (this.lowBits(old) !== 0 || this.highBits(old) !== 0) this.link(this.root, digit, old);
    else this.giveSlot(old);
    this.height++;
  }

  private link(node: number, digit: number, child: number): void {
    this.i32[node * 68 + digit] = child + 1;
    const word = node * 68 + 64 + (digit >> 5);
    this.i32[word] = (this.i32[word] as number) | (1 << (digit & 31));
  }

  private unlink(node: number, digit: number): void {
    this.i32[node * 68 + digit] = 0;
    const word = node * 68 + 64 + (digit >> 5);
    this.i32[word] = (this.i32[word] as number) & ~(1 << (digit & 31));
  }

  // Fields of a node: 64 children, offset by one so that 0 is none (values in leaves, nodes above), the map of those
  // that are there, the parent and the digit under which it knows this node.

  private child(node: number, digit: number): number {
    return (this.i32[node * 68 + digit] as number) - 1;
  }
  private lowBits(node: number): number {
    return this.i32[node * 68 + 64] as number;
  }
  private highBits(node: number): number {
    return this.i32[node * 68 + 65] as number;
  }
  private parent(node: number): number {
    return this.i32[node * 68 + 66] as number;
  }
  private setParent(node: number, parent: number): void {
    this.i32[node * 68 + 66] = parent;
  }
  private digit(node: number): number {
    return this.i32[node * 68 + 67] as number;
  }
  private setDigit(node: number, digit: number): void {
    this.i32[node * 68 + 67] = digit;
  }

  /** The lowest child above `digit`, or -1. */
  private nextBit(node: number, digit: number): number {
    if (digit < 31) {
      const word = this.lowBits(node) & (-1 << (digit + 1));
      if (word !== 0) return 31 - Math.clz32(word & -word);
    }
    if (digit === 63) return -1;
    const word = this.highBits(node) & (digit < 32 ? -1 : -1 << (digit - 31));
    return word === 0 ? -1 : 63 - Math.clz32(word & -word);
  }
}

/** The digit of a place for nodes of this height above the leaves. */
function digitAt(low: number, high: number, step: number): number {
  return (step < 5 ? low >>> (step * 6) : high >>> ((step - 5) * 6)) & 63;
}
