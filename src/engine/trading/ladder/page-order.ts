import { NONE } from "../order.ts";
import type { PriceLevels } from "./price-levels.ts";
import { type PricePages, placeOf } from "./price-pages.ts";
import { PriceTree } from "./price-tree.ts";
import { PriceWindow } from "./price-window.ts";

/**
 * Pages that one action may bring back from the tree into the window. Each page that goes the other way was brought or
 * opened before, so that nobody can make moves of the window dear: about twice this many steps an action, however many
 * pages there are.
 */
const BROUGHT_MAX = 16;

/**
 * The pages of one side from best to worst: a window around the best prices, where finding and opening one is a step,
 * and a tree for all that are worse than its edge. The best page is always in the window.
 */
export class PageOrder {
  readonly window = new PriceWindow();
  private readonly pages: PricePages;
  private readonly levels: PriceLevels;
  private readonly tree: PriceTree;
  /** The first place that belongs to the tree: at most the window's end, at most the first page in the tree. */
  private edge = 0;
  /** Pages opened in the tree that a larger window would have held. */
  private missed = 0;

  /** `turn` is the ladder's. */
  constructor(pages: PricePages, levels: PriceLevels, turn: number) {
    this.pages = pages;
    this.levels = levels;
    this.tree = new PriceTree(turn);
  }

  /** The page at a place that the window does not show, made when there is none. */
  pageFor(placeLow: number, placeHigh: number): number {
    const { window, pages } = this;
    const place = placeOf(placeLow, placeHigh);
    if (window.count === 0) this.settle(place);
    else if (place < window.base) this.turnBack(place);
    else if (place >= this.edge) {
      this.follow();
      if (place >= this.edge) return this.pageInTree(placeLow, placeHigh, place);
      const brought = window.at(placeLow);
      if (pages.isAt(brought, placeLow, placeHigh)) return brought;
    }
    const page = this.takePage(placeLow, placeHigh);
    window.enter(placeLow, page);
    return page;
  }

  /** Gives back a page that has no orders any more. */
  drop(page: number): void {
    const { pages, tree, window } = this;
    const leaf = pages.leaf(page);
    if (leaf < 0) window.leave(pages.placeLow(page));
    else tree.remove(leaf, lowOf(pages.placeLow(page), pages.placeHigh(page)));
    pages.give(page);
    if (window.count === 0 && tree.count > 0) this.follow();
  }

  /** The next worse page, or NONE. */
  after(page: number): number {
    const { pages, tree } = this;
    const leaf = pages.leaf(page);
    if (leaf >= 0) return tree.above(leaf, lowOf(pages.placeLow(page), pages.placeHigh(page)));
    const next = this.window.after(pages.placeLow(page));
    return next >= 0 ? next : tree.lowest();
  }

  get byteLength(): number {
    return this.window.byteLength + this.tree.byteLength;
  }

  /** Lays an empty window around a place. */
  private settle(place: number): void {
    const { window } = this;
    window.base = Math.max(0, place - (window.size >> 2));
    this.edge = window.base + window.size;
  }

  /** Moves the window back to a better place. What falls out at its end goes to the tree. */
  private turnBack(place: number): void {
    const { window, pages, tree } = this;
    const base = Math.max(0, place - (window.size >> 2));
    const end = base + window.size;
    for (let page = window.from(end); page >= 0; page = window.from(end)) {
      const [low, high] = [pages.placeLow(page), pages.placeHigh(page)];
      window.leave(low);
      const leaf = tree.leafFor(lowOf(low, high), high >>> 2);
      tree.put(leaf, lowOf(low, high), page);
      pages.setLeaf(page, leaf);
    }
    window.base = base;
    this.edge = tree.count === 0 ? end : Math.min(this.edge, end);
  }

  /**
   * Moves the window on behind the best page, if that has gone far, and brings pages from the tree that now belong to
   * it.
   */
  private follow(): void {
    const { window, pages, tree } = this;
    const best = window.count > 0 ? window.from(window.base) : tree.lowest();
    const base = Math.max(0, pages.place(best) - (window.size >> 2));
    if (window.count === 0 || base - window.base > window.size >> 2) window.base = base;
    const end = window.base + window.size;
    let edge = end;
    for (let brought = 0; tree.count > 0; brought++) {
      const page = tree.lowest();
      const place = pages.place(page);
      if (place >= end) break;
      if (brought === BROUGHT_MAX) {
        edge = place;
        break;
      }
      tree.remove(pages.leaf(page), lowOf(pages.placeLow(page), pages.placeHigh(page)));
      pages.setLeaf(page, NONE);
      window.enter(pages.placeLow(page), page);
    }
    this.edge = edge;
  }

  private pageInTree(placeLow: number, placeHigh: number, place: number): number {
    const { tree, pages, window } = this;
    const low = lowOf(placeLow, placeHigh);
    const leaf = tree.leafFor(low, placeHigh >>> 2);
    const found = tree.valueAt(leaf, low);
    if (found >= 0) return found;
    const page = this.takePage(placeLow, placeHigh);
    tree.put(leaf, low, page);
    pages.setLeaf(page, leaf);
    if (window.couldReach(place) && !window.isLargest && ++this.missed > window.size) {
      this.missed = 0;
      window.grow((page) => pages.placeLow(page));
    }
    return page;
  }

  private takePage(placeLow: number, placeHigh: number): number {
    const page = this.pages.take(placeLow, placeHigh);
    this.levels.prepare(page);
    return page;
  }
}

/** The lowest 30 bits of a place: the tree takes it in other parts. */
function lowOf(placeLow: number, placeHigh: number): number {
  return placeLow | ((placeHigh & 3) << 28);
}
