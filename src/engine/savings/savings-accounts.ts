import { userAssetKey } from "../ledger/cell.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { SlotIndex } from "../store/slot-index.ts";
import * as tables from "../store/table.ts";
import { SAVINGS_CELL } from "./codes.ts";

const { SLOT } = tables;
const WORDS = 3;
const HALVES = WORDS * 2;

/**
 * FINANCIAL accounts, one per user and asset, a row each in the order in which they came: the cell, the last day whose
 * interest was booked, and what the venue owes. Never removed.
 */
export class SavingsAccounts extends tables.Table {
  count = 0;
  private readonly index = new SlotIndex(this);

  constructor() {
    super(WORDS);
  }

  /** The row, or -1. */
  find(userId: number, assetId: number): number {
    return this.index.find(userAssetKey(userId, assetId));
  }

  /** The row, made on first use, as of somebody whose interest is booked up to `day`. */
  of(ledger: Ledger, userId: number, assetId: number, day: number): number {
    const found = this.find(userId, assetId);
    if (found >= 0) return found;
    const row = this.count++;
    this.makeRoom(row);
    this.i32[(row & SLOT) * HALVES] = userId;
    this.i32[(row & SLOT) * HALVES + 1] = assetId;
    this.i32[(row & SLOT) * HALVES + 2] = ledger.cell(SAVINGS_CELL.financial, userId, assetId, assetId, 0);
    this.setDay(row, day);
    this.index.insert(row);
    return row;
  }

  /** Takes over the rows of a snapshot; cells are rows of the ledger in the order of creation, as there. */
  load(bytes: Uint8Array): void {
    this.count = this.loadRows(bytes);
    this.index.reserve(this.count);
    for (let row = 0; row < this.count; row++) this.index.insert(row);
  }

  keyOf(row: number): number {
    return userAssetKey(this.userId(row), this.assetId(row));
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row.

  userId(row: number): number {
    return this.i32[(row & SLOT) * HALVES] as number;
  }
  assetId(row: number): number {
    return this.i32[(row & SLOT) * HALVES + 1] as number;
  }
  /** Ledger cell of what lies there. */
  cell(row: number): number {
    return this.i32[(row & SLOT) * HALVES + 2] as number;
  }
  /** Number of the last midnight that was booked, in days since the epoch. */
  day(row: number): number {
    return this.i32[(row & SLOT) * HALVES + 3] as number;
  }
  setDay(row: number, day: number): void {
    this.i32[(row & SLOT) * HALVES + 3] = day;
  }
  /** Interest that the venue could not pay so far, units. */
  owed(row: number): bigint {
    return this.i64[(row & SLOT) * WORDS + 2] as bigint;
  }
  setOwed(row: number, units: bigint): void {
    this.i64[(row & SLOT) * WORDS + 2] = units;
  }
}
