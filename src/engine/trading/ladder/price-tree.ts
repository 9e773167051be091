import * as tables from "../../store/table.ts";
import { NONE } from "../order.ts";
import { NO_PAGE, PLACE_LOW_BITS, type PricePages } from "./price-pages.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SlotTable } = tables;
/** Bits of a place that a node tells apart; and all of them set. */
const DIGIT_BITS = 6;
const DIGIT = 63;
/** Bits of a place in its lower part. */
const LOW_BITS = PLACE_LOW_BITS;
/** All bits of a node, by which the machine knows that the place of a field is small; nobody has memory for so many. */
const NODE = 2 ** 24 - 1;
/** Int32 words of a node: head, map, children. */
const WORDS = 70;

/**
 * The pages of one side from best to worst: a radix tree over their places, six bits a step, that has a node only where
 * places differ or have differed. A page hangs where it was the first to differ from all others, so how many steps lead
 * to it depends on how many others are near, not on how fine the ticks are or how far apart the pages lie. Opening a
 * page makes at most one node and hangs at most one other page or node below it: wherever prices go, nothing moves
 * along with them. A node that has one child left stays until that goes, too, since in a thin book the next page comes
 * at once; a page has nine nodes above it at most.
 *
 * A child is a page, or a node as its complement, or NO_PAGE.
 */
export class PriceTree extends SlotTable {
  private readonly pages: PricePages;
  private root = NO_PAGE;

  constructor(pages: PricePages) {
    super(WORDS / 2);
    this.pages = pages;
  }

  /** The page at a place, opened when there is none. */
  pageAt(low: number, high: number): number {
    let node = NONE;
    let child = this.root;
    // Digits that all places below a node share are not looked at on the way, but once, at its end.
    while (child < 0) {
      node = ~child;
      child = this.child(node, digitAt(low, high, this.shift(node)));
    }
    return this.pages.isAt(child, low, high) ? child : this.open(node, child, low, high);
  }

  /** Gives back a page, and every node that has no child any more. */
  drop(page: number): void {
    const { pages } = this;
    const low = pages.placeLow(page);
    const high = pages.placeHigh(page);
    let node = pages.node(page);
    pages.give(page);
    while (node >= 0 && this.unlink(node, digitAt(low, high, this.shift(node)))) {
      this.giveSlot(node);
      node = this.parent(node);
    }
    if (node < 0) this.root = NO_PAGE;
  }

  /** The page after this one, or NONE. */
  after(page: number): number {
    const { pages } = this;
    const low = pages.placeLow(page);
    const high = pages.placeHigh(page);
    for (let node = pages.node(page); node >= 0; node = this.parent(node)) {
      const digit = this.nextDigit(node, digitAt(low, high, this.shift(node)));
      if (digit < 0) continue;
      let child = this.child(node, digit);
      while (child < 0) child = this.child(~child, this.nextDigit(~child, -1));
      return child;
    }
    return NONE;
  }

  /** Nodes in use. */
  get nodes(): number {
    return this.taken;
  }

  /** Opens a page at a place whose digits lead to `node`, if any, and there to another page or to nothing. */
  private open(node: number, found: number, low: number, high: number): number {
    const { pages } = this;
    const page = pages.take(low, high);
    if (node < 0 && found === NO_PAGE) {
      this.hang(page, low, high, NONE);
      return page;
    }
    const lowOff = low ^ (found === NO_PAGE ? this.placeLow(node) : pages.placeLow(found));
    const highOff = high ^ (found === NO_PAGE ? this.placeHigh(node) : pages.placeHigh(found));
    const shift = shiftBetween(lowOff, highOff);
    if (found === NO_PAGE && shift <= this.shift(node)) {
      this.hang(page, low, high, node);
      return page;
    }
    // The places below these nodes all differ from this one in a higher digit than theirs.
    let parent = node;
    let other = found;
    while (parent >= 0 && this.shift(parent) < shift) {
      other = ~parent;
      parent = this.parent(parent);
    }
    this.fork(parent, shift, other, page);
    return page;
  }

  /** Puts a node between `parent` and what it leads to, since a page has come that differs from it in this digit. */
  private fork(parent: number, shift: number, other: number, page: number): void {
    const { pages } = this;
    const low = pages.placeLow(page);
    const high = pages.placeHigh(page);
    const otherLow = other < 0 ? this.placeLow(~other) : pages.placeLow(other);
    const otherHigh = other < 0 ? this.placeHigh(~other) : pages.placeHigh(other);
    const node = this.takeSlot();
    if (node > NODE) throw new Error("A ladder is full.");
    const at = (node & NODE) * WORDS;
    this.i32[at] = shift;
    this.i32[at + 2] = low;
    this.i32[at + 3] = high;
    this.hang(~node, low, high, parent);
    this.hang(other, otherLow, otherHigh, node);
    this.hang(page, low, high, node);
  }

  /** Hangs a child at a place below a node, or as the root. */
  private hang(child: number, low: number, high: number, node: number): void {
    if (child < 0) this.i32[(~child & NODE) * WORDS + 1] = node;
    else this.pages.setNode(child, node);
    if (node < 0) {
      this.root = child;
      return;
    }
    const at = (node & NODE) * WORDS;
    const digit = digitAt(low, high, this.shift(node));
    const word = at + 4 + (digit >> 5);
    this.i32[word] = (this.i32[word] as number) | (1 << (digit & 31));
    this.i32[at + 6 + digit] = child;
  }

  /** Takes a child out of a node; says whether that was its last. */
  private unlink(node: number, digit: number): boolean {
    const at = (node & NODE) * WORDS;
    const word = at + 4 + (digit >> 5);
    this.i32[word] = (this.i32[word] as number) & ~(1 << (digit & 31));
    this.i32[at + 6 + digit] = NO_PAGE;
    return ((this.i32[at + 4] as number) | (this.i32[at + 5] as number)) === 0;
  }

  // Fields of a node: the shift of its digit, its parent, a place that is or was below it, of which the digits above
  // its own count, a map of its children in two words, and the children.

  private shift(node: number): number {
    return this.i32[(node & NODE) * WORDS] as number;
  }
  private parent(node: number): number {
    return this.i32[(node & NODE) * WORDS + 1] as number;
  }
  private placeLow(node: number): number {
    return this.i32[(node & NODE) * WORDS + 2] as number;
  }
  private placeHigh(node: number): number {
    return this.i32[(node & NODE) * WORDS + 3] as number;
  }
  private child(node: number, digit: number): number {
    return this.i32[(node & NODE) * WORDS + 6 + digit] as number;
  }

  /** The lowest digit above this one that has a child, -1 for the lowest of all; or -1. */
  private nextDigit(node: number, digit: number): number {
    const at = (node & NODE) * WORDS + 4;
    if (digit < 31) {
      const map = (this.i32[at] as number) & (-1 << (digit + 1));
      if (map !== 0) return 31 - Math.clz32(map & -map);
    }
    if (digit === DIGIT) return -1;
    const map = (this.i32[at + 1] as number) & (digit < 32 ? -1 : -1 << (digit - 31));
    return map === 0 ? -1 : DIGIT - Math.clz32(map & -map);
  }
}

/** The digit of a place for nodes of this shift. */
function digitAt(low: number, high: number, shift: number): number {
  return (shift < LOW_BITS ? low >>> shift : high >>> (shift - LOW_BITS)) & DIGIT;
}

/** The shift of the highest digit in which two places differ, by the bits in which their parts differ. */
function shiftBetween(lowOff: number, highOff: number): number {
  if (highOff !== 0) return LOW_BITS + shiftOf(highOff);
  return shiftOf(lowOff);
}

function shiftOf(bits: number): number {
  return (((31 - Math.clz32(bits)) / DIGIT_BITS) | 0) * DIGIT_BITS;
}
