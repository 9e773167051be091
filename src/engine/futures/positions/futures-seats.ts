import * as tables from "../../store/table.ts";
import { NONE } from "../../trading/order.ts";

const { SLOT } = tables;
const WORDS = 14;
const HALVES = WORDS * 2;
/** Where the figures of sells begin. */
const SELLS = 9;

/**
 * Leverage of an account that has set none: this, or where the market does not offer it the nearest below, else the
 * least.
 */
export const DEFAULT_LEVERAGE = 10;

/**
 * Data of the seats (trading/order.ts) of futures markets, a row each: settings, positions and their sizes, and the
 * sums of its open orders from which their freeze follows. Sides are 0 buy and 1 sell.
 */
export class FuturesSeats extends tables.Table {
  count = 0;
  /** Row by seat. */
  private rows = new Int32Array(64).fill(NONE);

  constructor() {
    super(WORDS);
  }

  /** The row of a seat; NONE of a spot seat. */
  rowOf(seat: number): number {
    return seat < this.rows.length ? (this.rows[seat] as number) : NONE;
  }

  add(seat: number, account: number, leverage: number): number {
    const row = this.count++;
    this.makeRoom(row);
    if (seat >= this.rows.length) {
      const grown = new Int32Array(seat * 2).fill(NONE);
      grown.set(this.rows);
      this.rows = grown;
    }
    this.rows[seat] = row;
    this.i32[(row & SLOT) * HALVES + 10] = seat;
    this.i32[(row & SLOT) * HALVES + 11] = account;
    this.setLeverage(row, leverage);
    this.setPosition(row, false, NONE);
    this.setPosition(row, true, NONE);
    return row;
  }

  override get byteLength(): number {
    return super.byteLength + this.rows.byteLength;
  }

  // Fields of a row: what buys need, what both do, what sells need, so that an order of a side finds all of it side by
  // side. Of a side 0 lots, 1 value, 2 fees, 3 reducing, 4 what it closes; then 5 seat + account, 6 leverage + mode, 7
  // positions, 8 frozen.

  seat(row: number): number {
    return this.i32[(row & SLOT) * HALVES + 10] as number;
  }
  /** Row of `FuturesAccounts`. */
  account(row: number): number {
    return this.i32[(row & SLOT) * HALVES + 11] as number;
  }
  leverage(row: number): number {
    return this.i32[(row & SLOT) * HALVES + 12] as number;
  }
  setLeverage(row: number, value: number): void {
    this.i32[(row & SLOT) * HALVES + 12] = value;
  }
  isIsolated(row: number): boolean {
    return this.i32[(row & SLOT) * HALVES + 13] !== 0;
  }
  setIsolated(row: number, value: boolean): void {
    this.i32[(row & SLOT) * HALVES + 13] = value ? 1 : 0;
  }
  /** Slot of the long or short position, or NONE. */
  position(row: number, isShort: boolean): number {
    return this.i32[(row & SLOT) * HALVES + (isShort ? 15 : 14)] as number;
  }
  setPosition(row: number, isShort: boolean, value: number): void {
    this.i32[(row & SLOT) * HALVES + (isShort ? 15 : 14)] = value;
  }
  /** Lots left of its regular orders of a side, their value at their freeze prices, and the taker fees on that. */
  lots(row: number, side: number): bigint {
    return this.i64[(row & SLOT) * WORDS + side * SELLS] as bigint;
  }
  setLots(row: number, side: number, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + side * SELLS] = value;
  }
  value(row: number, side: number): bigint {
    return this.i64[(row & SLOT) * WORDS + side * SELLS + 1] as bigint;
  }
  setValue(row: number, side: number, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + side * SELLS + 1] = value;
  }
  fees(row: number, side: number): bigint {
    return this.i64[(row & SLOT) * WORDS + side * SELLS + 2] as bigint;
  }
  setFees(row: number, side: number, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + side * SELLS + 2] = value;
  }
  /** Lots left of its reduce-only orders of a side. */
  reducing(row: number, side: number): bigint {
    return this.i64[(row & SLOT) * WORDS + side * SELLS + 3] as bigint;
  }
  setReducing(row: number, side: number, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + side * SELLS + 3] = value;
  }
  /**
   * Lots of the position that orders of a side close: of the short one for buys, of the long one for sells; 0 without
   * one.
   */
  closable(row: number, side: number): bigint {
    return this.i64[(row & SLOT) * WORDS + side * SELLS + 4] as bigint;
  }
  setClosable(row: number, side: number, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + side * SELLS + 4] = value;
  }
  /** F: what all of this freezes. */
  frozen(row: number): bigint {
    return this.i64[(row & SLOT) * WORDS + 8] as bigint;
  }
  setFrozen(row: number, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + 8] = value;
  }
}
