/**
 * Quotas that refill continuously, one bucket for each key: of an account, or of an address. Whole thousandths of a request,
 * because a rate of R per second is exactly R thousandths per millisecond. Source: domain 9.
 *
 * A bucket exists from its first use until it is full again, which is the same as none: so memory follows who is active,
 * not who is known. Buckets lie in typed arrays, found by open addressing with linear probing.
 */
import { randomInt } from "node:crypto";

/** One request, in the unit of quotas. */
export const REQUEST = 1_000;

/** Requests per second that still leave quotas within int32, debts included. */
export const RATE_MAX = 1_000_000;

/** Cells looked at for what is full again with each use. Buckets fall idle no faster than they are used, so few suffice. */
const SWEPT_CELLS = 4;

const CELLS_MIN = 64;

export class Buckets {
  /** Key of each bucket, in two parts. */
  #high = new Int32Array(CELLS_MIN);
  #low = new Int32Array(CELLS_MIN);
  /** Thousandths of a request at `#time`; below zero while in debt. */
  #quota = new Int32Array(CELLS_MIN);
  /** Time of the last refill; -1 in a free cell. */
  #time = new Float64Array(CELLS_MIN).fill(-1);
  #mask = CELLS_MIN - 1;
  #used = 0;
  /** Where the search for full buckets goes on. */
  #hand = 0;
  readonly #rate: number;
  readonly #slowestRate: number;
  /** Nobody outside can choose keys that all fall on one place. */
  readonly #salt = randomInt(2 ** 31);

  /** `rate` per second, 1 to RATE_MAX; `slowestRate` is the least that `refill` will ever be given. */
  constructor(rate: number, slowestRate = rate) {
    this.#rate = rate;
    this.#slowestRate = slowestRate;
  }

  /** Buckets that are not known to be full. */
  get count(): number {
    return this.#used;
  }

  get byteLength(): number {
    return this.#high.byteLength + this.#low.byteLength + this.#quota.byteLength + this.#time.byteLength;
  }

  /**
   * The place of a key's bucket, refilled up to `timeMs` at `rate` per second, which is also what it can hold. Holds until
   * the next call. `timeMs` never falls.
   */
  refill(high: number, low: number, rate: number, timeMs: number): number {
    this.#sweep(timeMs);
    const place = this.#find(high, low);
    const since = this.#time[place] as number;
    if (since < 0) return this.#add(high, low, rate * REQUEST, timeMs);
    const refilled = (this.#quota[place] as number) + rate * (timeMs - since);
    this.#quota[place] = Math.min(rate * REQUEST, refilled);
    this.#time[place] = timeMs;
    return place;
  }

  /** A request may pass while there is a whole one left. */
  admits(place: number): boolean {
    return (this.#quota[place] as number) >= REQUEST;
  }

  /** Takes `cost` requests, if need be from what will come later. */
  spend(place: number, cost: number): void {
    this.#quota[place] = (this.#quota[place] as number) - cost * REQUEST;
  }

  /** Whole requests left, 0 in debt. */
  remaining(place: number): number {
    return Math.max(0, Math.floor((this.#quota[place] as number) / REQUEST));
  }

  /** The cell of a key, or the free one in which its search ended. */
  #find(high: number, low: number): number {
    const mask = this.#mask;
    let place = this.#home(high, low);
    while ((this.#time[place] as number) >= 0) {
      if (this.#low[place] === low && this.#high[place] === high) break;
      place = (place + 1) & mask;
    }
    return place;
  }

  #home(high: number, low: number): number {
    const folded = low ^ Math.imul(high ^ this.#salt, 0x85ebca6b);
    const mixed = Math.imul(folded ^ (folded >>> 15), 0x9e3779b1);
    return (mixed ^ (mixed >>> 16)) & this.#mask;
  }

  #add(high: number, low: number, quota: number, timeMs: number): number {
    // At most three quarters full, so that searches stay short.
    if ((this.#used + 1) * 4 > (this.#mask + 1) * 3) this.#resize((this.#mask + 1) * 2);
    this.#used++;
    const place = this.#find(high, low);
    this.#high[place] = high;
    this.#low[place] = low;
    this.#quota[place] = quota;
    this.#time[place] = timeMs;
    return place;
  }

  /** Frees the next few cells whose bucket would be full at any rate it may have had meanwhile. */
  #sweep(timeMs: number): void {
    for (let step = 0; step < SWEPT_CELLS; step++) {
      const hand = this.#hand;
      const since = this.#time[hand] as number;
      const isFull =
        since >= 0 && (this.#quota[hand] as number) + this.#slowestRate * (timeMs - since) >= this.#rate * REQUEST;
      if (isFull) {
        // What follows may have moved into the cell, so it is looked at again.
        this.#free(hand);
        continue;
      }
      this.#hand = (hand + 1) & this.#mask;
      if (this.#hand === 0 && this.#mask >= CELLS_MIN && this.#used * 8 <= this.#mask) {
        this.#resize((this.#mask + 1) / 2);
      }
    }
  }

  /** Takes a bucket out and closes the gap, so that no search ends too early. */
  #free(place: number): void {
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
    this.#hand = 0;
    for (let at = 0; at < time.length; at++) {
      if ((time[at] as number) < 0) continue;
      const place = this.#find(high[at] as number, low[at] as number);
      this.#high[place] = high[at] as number;
      this.#low[place] = low[at] as number;
      this.#quota[place] = quota[at] as number;
      this.#time[place] = time[at] as number;
    }
  }
}
