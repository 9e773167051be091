/**
 * Quotas that refill continuously, one bucket for each key: of an account, or of an address. Whole thousandths of a
 * request, because a rate of R per second is exactly R thousandths per millisecond. Source: domain 9.
 *
 * A bucket exists from its first use until it is full again, which is the same as none: so memory follows who is
 * active, not who is known. Keys are spread over many tables, each of which grows by itself: no request waits while a
 * million buckets are moved.
 */
import { randomInt } from "node:crypto";
import { BucketTable, hashOf } from "./bucket-table.ts";

/** One request, in the unit of quotas. */
export const REQUEST = 1_000;

/** Requests per second that still leave quotas within int32, debts included. */
export const RATE_MAX = 1_000_000;

/**
 * Cells looked at for what is full again with each use. Buckets fall idle no faster than they are used, so few suffice.
 */
const SWEPT_CELLS = 4;

/** With a million buckets each table has some four thousand, which move in less than a millisecond. */
const TABLE_BITS = 8;
const TABLES = 1 << TABLE_BITS;

export class Buckets {
  /** Made when they are needed, and let go when they are empty. */
  readonly #tables: (BucketTable | undefined)[] = new Array(TABLES).fill(undefined);
  /** That of the last refill. */
  #table: BucketTable;
  /**
   * One that was let go, for the next that is needed: an account whose bucket fills between two requests needs one for
   * each.
   */
  #spare: BucketTable | undefined;
  /** Where the search for full buckets goes on. */
  #handTable = 0;
  #hand = 0;
  readonly #rate: number;
  readonly #slowestRate: number;
  /** Nobody outside can choose keys that all fall on one place. */
  readonly #salt = randomInt(2 ** 31);

  /** `rate` per second, 1 to RATE_MAX; `slowestRate` is the least that `refill` will ever be given. */
  constructor(rate: number, slowestRate = rate) {
    this.#rate = rate;
    this.#slowestRate = slowestRate;
    this.#table = new BucketTable(this.#salt);
  }

  /** Buckets that are not known to be full. */
  get count(): number {
    return this.#tables.reduce((sum, table) => sum + (table?.count ?? 0), 0);
  }

  get byteLength(): number {
    return this.#tables.reduce((sum, table) => sum + (table?.byteLength ?? 0), 0);
  }

  /** Keeps them as they are; what it gives sets them so again, as often as it is called. */
  save(): () => void {
    const saved = this.#tables.map((table) => table?.copy());
    return () => {
      saved.forEach((table, at) => {
        this.#tables[at] = table?.copy();
      });
      this.#handTable = 0;
      this.#hand = 0;
    };
  }

  /**
   * The place of a key's bucket, refilled up to `timeMs` at `rate` per second, which is also what it can hold. Holds
   * until the next call. `timeMs` never falls.
   */
  refill(high: number, low: number, rate: number, timeMs: number): number {
    this.#sweep(timeMs);
    const table = this.#tableOf(high, low);
    this.#table = table;
    const place = table.find(high, low);
    const since = table.time(place);
    if (since < 0) return table.add(high, low, rate * REQUEST, timeMs);
    table.setQuota(place, Math.min(rate * REQUEST, table.quota(place) + rate * (timeMs - since)));
    table.setTime(place, timeMs);
    return place;
  }

  /**
   * Sets what a key has left as of `timeMs`, by the word of whom it is shared with. The place is as that of `refill`.
   */
  set(high: number, low: number, quota: number, timeMs: number): number {
    const table = this.#tableOf(high, low);
    this.#table = table;
    const place = table.find(high, low);
    if (table.time(place) < 0) return table.add(high, low, quota, timeMs);
    table.setQuota(place, quota);
    table.setTime(place, timeMs);
    return place;
  }

  /** A request may pass while there is a whole one left. */
  admits(place: number): boolean {
    return this.#table.quota(place) >= REQUEST;
  }

  /** Whether a whole one may be left by a clock that ticks a little earlier, at `rate`. */
  mayAdmit(place: number, rate: number): boolean {
    return this.#table.quota(place) + rate >= REQUEST;
  }

  /** Takes `cost` requests, if need be from what will come later. */
  spend(place: number, cost: number): void {
    this.#table.setQuota(place, this.#table.quota(place) - cost * REQUEST);
  }

  /** Whole requests left, 0 in debt. */
  remaining(place: number): number {
    return Math.max(0, Math.floor(this.#table.quota(place) / REQUEST));
  }

  /** By the upper bits: the lower ones find the place in the table. */
  #tableOf(high: number, low: number): BucketTable {
    const at = hashOf(high, low, this.#salt) >>> (32 - TABLE_BITS);
    let table = this.#tables[at];
    if (table === undefined) {
      table = this.#spare ?? new BucketTable(this.#salt);
      this.#spare = undefined;
      this.#tables[at] = table;
    }
    return table;
  }

  /** Frees the next few cells whose bucket would be full at any rate it may have had meanwhile. */
  #sweep(timeMs: number): void {
    for (let step = 0; step < SWEPT_CELLS; step++) {
      const table = this.#tables[this.#handTable];
      if (table === undefined || this.#hand >= table.cells) this.#sweepNextTable(table);
      else if (this.#isFull(table, timeMs)) table.free(this.#hand);
      // What follows a freed bucket may have moved into its cell, so that is looked at again.
      else this.#hand++;
    }
  }

  #isFull(table: BucketTable, timeMs: number): boolean {
    const since = table.time(this.#hand);
    return since >= 0 && table.quota(this.#hand) + this.#slowestRate * (timeMs - since) >= this.#rate * REQUEST;
  }

  #sweepNextTable(swept: BucketTable | undefined): void {
    if (swept?.count === 0) {
      this.#tables[this.#handTable] = undefined;
      if (swept.isSmall) this.#spare = swept;
    } else swept?.shrink();
    this.#handTable = (this.#handTable + 1) & (TABLES - 1);
    this.#hand = 0;
  }
}
