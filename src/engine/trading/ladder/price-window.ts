import { NONE } from "../order.ts";
import { NO_PAGE } from "./price-pages.ts";

/** Places of a window that nobody has needed yet: a quiet market costs no more than these. */
const SMALLEST = 64;
/** Places of the largest window, 65,536 prices: a ring and its maps that the nearer caches hold. */
const LARGEST = 4096;
const GROWTH = 4;

/**
 * A run of neighbouring places and the page at each of them, if any: the flat part of a ladder. It is a ring: a place
 * stands where its lowest bits say, so that the run moves on without anything being copied. A map has a bit for each
 * place with a page, a second one a bit for each word of the first, so that the next page is a few steps away.
 */
export class PriceWindow {
  /** Its first place. Whoever moves it has first taken out the pages that stand outside then. */
  base = 0;
  /** Pages in it. */
  count = 0;
  private pages = new Int32Array(SMALLEST);
  private map = new Int32Array(SMALLEST / 32);
  private words = new Int32Array(1);
  private mask = SMALLEST - 1;

  get size(): number {
    return this.mask + 1;
  }

  get isLargest(): boolean {
    return this.size >= LARGEST;
  }

  /** Whether a place would be within reach of a window as large as can be. */
  couldReach(place: number): boolean {
    return place - this.base < LARGEST;
  }

  /** The page that stands where a place with these lowest bits would: the caller looks whether it is at that place. */
  at(placeLow: number): number {
    return this.pages[placeLow & this.mask] as number;
  }

  enter(placeLow: number, page: number): void {
    const at = placeLow & this.mask;
    const word = at >> 5;
    this.pages[at] = page;
    this.map[word] = (this.map[word] as number) | (1 << (at & 31));
    this.words[word >> 5] = (this.words[word >> 5] as number) | (1 << (word & 31));
    this.count++;
  }

  leave(placeLow: number): void {
    const at = placeLow & this.mask;
    const word = at >> 5;
    const bits = (this.map[word] as number) & ~(1 << (at & 31));
    this.pages[at] = NO_PAGE;
    this.map[word] = bits;
    if (bits === 0) this.words[word >> 5] = (this.words[word >> 5] as number) & ~(1 << (word & 31));
    this.count--;
  }

  /** The page at the nearest place after this one, which is in the window; or NONE. */
  after(placeLow: number): number {
    const at = placeLow & this.mask;
    const start = this.base & this.mask;
    let found = this.bitAfter(at);
    if (found < 0 && at >= start) found = this.bitAfter(-1);
    // Around the ring as far as it started, and no further.
    const isAfter = found >= 0 && ((found - start) & this.mask) > ((at - start) & this.mask);
    return isAfter ? (this.pages[found] as number) : NONE;
  }

  /** The first page at this place or after it, or NONE. */
  from(place: number): number {
    if (place >= this.base + this.size) return NONE;
    const at = Math.max(place, this.base) & this.mask;
    const page = this.pages[at] as number;
    return page === NO_PAGE ? this.after(at) : page;
  }

  /** Makes it larger. `placeLowOf` tells the lowest bits of a page's place. */
  grow(placeLowOf: (page: number) => number): void {
    const size = this.size * GROWTH;
    const old = this.pages;
    this.pages = new Int32Array(size);
    this.map = new Int32Array(size / 32);
    this.words = new Int32Array(Math.max(1, size / 1024));
    this.mask = size - 1;
    this.count = 0;
    for (const page of old) if (page !== NO_PAGE) this.enter(placeLowOf(page), page);
  }

  get byteLength(): number {
    return this.pages.byteLength + this.map.byteLength + this.words.byteLength;
  }

  /** The lowest bit above this one, -1 for the lowest of all; or -1. */
  private bitAfter(at: number): number {
    let word = at >> 5;
    if (at >= 0) {
      const bits = (this.map[word] as number) & (-2 << (at & 31));
      if (bits !== 0) return (word << 5) | lowestBit(bits);
    }
    let group = word >> 5;
    let words = at >= 0 ? (this.words[group] as number) & (-2 << (word & 31)) : 0;
    while (words === 0) {
      if (++group === this.words.length) return -1;
      words = this.words[group] as number;
    }
    word = (group << 5) | lowestBit(words);
    return (word << 5) | lowestBit(this.map[word] as number);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
