/** The counts of each window; the value is the place of the number among the four of a window. */
export const COUNT = { used: 0, placed: 1, effective: 2, ended: 3 } as const;
type Count = (typeof COUNT)[keyof typeof COUNT];

/** Windows of a row, one for each period of the long cycle. */
const WINDOWS = 4;

/**
 * One row of counters for each main account. In words of 64 bits: 0 user + hour of the last change, then per window the
 * summed life of ended orders, then per window two words with four counts.
 */
const ROW_WORDS = 1 + WINDOWS * 3;
const ROW_INTS = ROW_WORDS * 2;
const LIFE_WORD = 1;
const COUNT_INT = (1 + WINDOWS) * 2;

/** Rows lie in pages, so that nothing is ever copied to make room and no request waits for that. */
const PAGE_BITS = 10;
const PAGE_ROWS = 1 << PAGE_BITS;

interface Page {
  readonly i32: Int32Array;
  readonly f64: Float64Array;
}

export class WindowRows {
  /** Rows in use. */
  count = 0;
  readonly #pages: Page[] = [];

  get byteLength(): number {
    return this.#pages.length * PAGE_ROWS * ROW_WORDS * 8;
  }

  copy(): WindowRows {
    const copy = new WindowRows();
    copy.count = this.count;
    for (const { i32 } of this.#pages) {
      const memory = i32.slice().buffer;
      copy.#pages.push({ i32: new Int32Array(memory), f64: new Float64Array(memory) });
    }
    return copy;
  }

  /** A new row, all zero. */
  open(userId: number, hour: number): number {
    const row = this.count++;
    if (row >> PAGE_BITS === this.#pages.length) {
      const memory = new ArrayBuffer(PAGE_ROWS * ROW_WORDS * 8);
      this.#pages.push({ i32: new Int32Array(memory), f64: new Float64Array(memory) });
    }
    this.#page(row).i32[intOf(row)] = userId;
    this.setHour(row, hour);
    return row;
  }

  keyOf(row: number): number {
    return this.#page(row).i32[intOf(row)] as number;
  }

  /** Hour, since 1970, up to which the windows of the row are as they should be. */
  hour(row: number): number {
    return this.#page(row).i32[intOf(row) + 1] as number;
  }

  setHour(row: number, hour: number): void {
    this.#page(row).i32[intOf(row) + 1] = hour;
  }

  /** Summed life of the orders that ended in a window, ms. */
  life(row: number, window: number): number {
    return this.#page(row).f64[wordOf(row) + LIFE_WORD + window] as number;
  }

  get(row: number, window: number, count: Count): number {
    return this.#page(row).i32[intOf(row) + COUNT_INT + window * 4 + count] as number;
  }

  set(row: number, window: number, count: Count, amount: number): void {
    this.#page(row).i32[intOf(row) + COUNT_INT + window * 4 + count] = amount;
  }

  /** Adds to a count in every window. */
  add(row: number, count: Count, amount: number): void {
    const { i32 } = this.#page(row);
    const first = intOf(row) + COUNT_INT + count;
    for (let at = first; at < first + WINDOWS * 4; at += 4) i32[at] = (i32[at] as number) + amount;
  }

  /** Counts an order that ended, in every window. */
  addLife(row: number, lifeMs: number): void {
    this.add(row, COUNT.ended, 1);
    const { f64 } = this.#page(row);
    const first = wordOf(row) + LIFE_WORD;
    for (let at = first; at < first + WINDOWS; at++) f64[at] = (f64[at] as number) + lifeMs;
  }

  /** A window begins anew. */
  clear(row: number, window: number): void {
    const { i32, f64 } = this.#page(row);
    f64[wordOf(row) + LIFE_WORD + window] = 0;
    const first = intOf(row) + COUNT_INT + window * 4;
    i32.fill(0, first, first + 4);
  }

  #page(row: number): Page {
    return this.#pages[row >> PAGE_BITS] as Page;
  }
}

/** First word of a row in its page, and the same in the view of int32. */
function wordOf(row: number): number {
  return (row & (PAGE_ROWS - 1)) * ROW_WORDS;
}

function intOf(row: number): number {
  return (row & (PAGE_ROWS - 1)) * ROW_INTS;
}
