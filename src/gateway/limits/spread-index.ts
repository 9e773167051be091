import { type Keyed, SlotIndex } from "../../engine/store/slot-index.ts";

/** A million accounts make some four thousand entries in each. */
const INDEXES = 256;

/**
 * An index of accounts in many small ones, each of which grows by itself: no request waits while all of it is made
 * anew.
 */
export class SpreadIndex {
  readonly #rows: Keyed;
  readonly #indexes: (SlotIndex | undefined)[] = new Array(INDEXES).fill(undefined);

  constructor(rows: Keyed) {
    this.#rows = rows;
  }

  get byteLength(): number {
    return this.#indexes.reduce((sum, index) => sum + (index?.byteLength ?? 0), 0);
  }

  /** The row of an account, or -1. */
  find(userId: number): number {
    return this.#indexes[userId & (INDEXES - 1)]?.find(userId) ?? -1;
  }

  /** Enters the row of an account that has none yet. */
  insert(userId: number, row: number): void {
    const at = userId & (INDEXES - 1);
    let index = this.#indexes[at];
    if (index === undefined) {
      index = new SlotIndex(this.#rows);
      this.#indexes[at] = index;
    }
    index.insert(row);
  }
}
