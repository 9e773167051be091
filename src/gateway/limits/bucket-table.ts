/**
 * Buckets of some keys in typed arrays, found by open addressing with linear probing. A place is the number of a cell,
 * and holds until the next bucket is added or freed.
 */
const CELLS_MIN = 16;

export class BucketTable {
  /** Key of each bucket, in two parts. */
  #high = new Int32Array(CELLS_MIN);
  #low = new Int32Array(CELLS_MIN);
  /** Thousandths of a request at `#time`; below zero while in debt. */
  #quota = new Int32Array(CELLS_MIN);
  /** Time of the last refill; -1 in a free cell. */
  #time = new Float64Array(CELLS_MIN).fill(-1);
  #mask = CELLS_MIN - 1;
  #used = 0;
  readonly #salt: number;

  constructor(salt: number) {
    this.#salt = salt;
  }

  /** Buckets in it, and cells that they lie in. */
  get count(): number {
    return this.#used;
  }

  get cells(): number {
    return this.#mask + 1;
  }

  /** It takes the least room there is. */
  get isSmall(): boolean {
    return this.cells === CELLS_MIN;
  }

  get byteLength(): number {
    return this.#high.byteLength + this.#low.byteLength + this.#quota.byteLength + this.#time.byteLength;
  }

  copy(): BucketTable {
    const copy = new BucketTable(this.#salt);
    copy.#high = this.#high.slice();
    copy.#low = this.#low.slice();
    copy.#quota = this.#quota.slice();
    copy.#time = this.#time.slice();
    copy.#mask = this.#mask;
    copy.#used = this.#used;
    return copy;
  }

  quota(place: number): number {
    return this.#quota[place] as number;
  }

  setQuota(place: number, quota: number): void {
    this.#quota[place] = quota;
  }

  /** Time of the last refill; -1 where there is no bucket. */
  time(place: number): number {
    return this.#time[place] as number;
  }

  setTime(place: number, timeMs: number): void {
    this.#time[place] = timeMs;
  }

  /** The cell of a key, or the free one in which its search ended. */
  find(high: number, low: number): number {
    const mask = this.#mask;
    let place = this.#home(high, low);
    while ((this.#time[place] as number) >= 0) {
      if (this.#low[place] === low && this.#high[place] === high) break;
      place = (place + 1) & mask;
    }
    return place;
  }

  #home(high: number, low: number): number {
    return hashOf(high, low, this.#salt) & this.#mask;
  }

  /** Makes a bucket for a key that has none; gives its place. */
  add(high: number, low: number, quota: number, timeMs: number): number {
    // At most three quarters full, so that searches stay short.
    if ((this.#used + 1) * 4 > (this.#mask + 1) * 3) this.#resize((this.#mask + 1) * 2);
    this.#used++;
    const place = this.find(high, low);
    this.#high[place] = high;
    this.#low[place] = low;
    this.#quota[place] = quota;
    this.#time[place] = timeMs;
    return place;
  }

  /** Takes a bucket out and closes the gap, so that no search ends too early. */
  free(place: number): void {
    const mask = this.#mask;
    let gap = place;
    for (let at = (gap + 1) & mask; (this.#time[at] as number) >= 0; at = (at + 1) & mask) {
      const home = this.#home(this.#high[at] as number, this.#low[at] as number);
      // An entry may move back into the gap unless its home lies cyclically after the gap.
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      this.#high[gap] = this.#high[at] as number;
      this.#low[gap] = this.#low[at] as number;
      this.#quota[gap] = this.#quota[at] as number;
      this.#time[gap] = this.#time[at] as number;
      gap = at;
    }
    this.#time[gap] = -1;
    this.#used--;
  }

  #resize(cells: number): void {
    const [high, low, quota, time] = [this.#high, this.#low, this.#quota, this.#time];
    this.#high = new Int32Array(cells);
    this.#low = new Int32Array(cells);
    this.#quota = new Int32Array(cells);
    this.#time = new Float64Array(cells).fill(-1);
    this.#mask = cells - 1;
    for (let at = 0; at < time.length; at++) {
      if ((time[at] as number) < 0) continue;
      const place = this.find(high[at] as number, low[at] as number);
      this.#high[place] = high[at] as number;
      this.#low[place] = low[at] as number;
      this.#quota[place] = quota[at] as number;
      this.#time[place] = time[at] as number;
    }
  }

  /** Halves the room when hardly any of it is used. */
  shrink(): void {
    if (this.#mask >= CELLS_MIN && this.#used * 8 <= this.#mask) this.#resize((this.#mask + 1) / 2);
  }
}

/** Spreads every bit of a key over all bits. */
export function hashOf(high: number, low: number, salt: number): number {
  const folded = low ^ Math.imul(high ^ salt, 0x85ebca6b);
  const mixed = Math.imul(folded ^ (folded >>> 15), 0x9e3779b1);
  return mixed ^ (mixed >>> 16);
}
