/** The orders of a side in the order in which one that takes all of them meets them, without touching the book. */
import type { State } from "../state.ts";
import type { Book } from "./book.ts";
import { NONE, nextSlice } from "./order.ts";

/** The lots of an iceberg behind the slices that have passed. */
interface Rest {
  readonly slot: number;
  readonly lots: bigint;
}

/**
 * A walk along a side of a book in the priority of matching: of an iceberg slice by slice, the first in its place, the
 * others in turn behind the displayed orders of their price, before the hidden ones.
 */
export class Sweep {
  /** The order that is met now; NONE behind the last. */
  slot: number;
  /** Lots that it would trade in this turn. */
  lots = 0n;
  private readonly state: State;
  private readonly book: Book;
  /** The last order of the book that was reached. */
  private place: number;
  /** Icebergs of the price of `place` that have more than was met; undefined before the first. */
  private rests: Rest[] | undefined;

  constructor(state: State, book: Book, side: number) {
    this.state = state;
    this.book = book;
    this.place = book.first(side);
    this.slot = this.place;
    this.meet();
  }

  next(): void {
    const next = this.place === NONE ? NONE : this.book.next(this.place);
    if (this.rests !== undefined && this.rests.length > 0 && !this.isDisplayedBeside(next)) {
      this.meetRest(this.rests);
      return;
    }
    this.place = next;
    this.slot = next;
    this.meet();
  }

  /** Meets the order of the book at `slot`. */
  private meet(): void {
    const { orders } = this.state;
    const { slot } = this;
    if (slot === NONE) return;
    this.lots = orders.left(slot);
    if (!orders.isIceberg(slot)) return;
    const { shown } = orders.iceberg(slot);
    if (shown < this.lots) {
      this.rests ??= [];
      this.rests.push({ slot, lots: this.lots - shown });
    }
    this.lots = shown;
  }

  private meetRest(rests: Rest[]): void {
    const { slot, lots } = rests.shift() as Rest;
    this.slot = slot;
    this.lots = nextSlice(this.state.orders.iceberg(slot), lots);
    if (this.lots < lots) rests.push({ slot, lots: lots - this.lots });
  }

  /** Whether the next order of the book is a displayed one of the price that the walk has come to. */
  private isDisplayedBeside(next: number): boolean {
    const { orders } = this.state;
    return next !== NONE && !orders.isHidden(next) && orders.price(next) === orders.price(this.place);
  }
}
