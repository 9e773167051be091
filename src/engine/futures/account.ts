import { CELL } from "../ledger/cell.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { SlotIndex } from "../store/slot-index.ts";
import * as tables from "../store/table.ts";
import { NONE } from "../trading/order.ts";

const { SLOT } = tables;
const WORDS = 4;

/**
 * The owner of what the venue takes over in liquidations. Nobody can log in as user 0, its fee rates are 0, and the cash of
 * its accounts is the insurance fund.
 */
export const LIQUIDATOR = 0;

/**
 * Futures accounts, one per user and settlement asset, a row each: the cash cell, the positions, and what all open orders
 * that settle in the asset freeze. Made at the first transfer or order, never removed.
 */
export class FuturesAccounts extends tables.Table {
  count = 0;
  private readonly index = new SlotIndex(this);

  constructor() {
    super(WORDS);
  }

  /** The account, or NONE. */
  find(userId: number, assetId: number): number {
    return this.index.find(accountKey(userId, assetId));
  }

  /** The account, made on first use. */
  of(ledger: Ledger, userId: number, assetId: number): number {
    const found = this.find(userId, assetId);
    return found === NONE ? this.add(userId, assetId, cashCell(ledger, userId, assetId)) : found;
  }

  add(userId: number, assetId: number, cell: number): number {
    const account = this.count++;
    this.makeRoom(account);
    this.i32[(account & SLOT) * 8] = userId;
    this.i32[(account & SLOT) * 8 + 1] = assetId;
    this.i32[(account & SLOT) * 8 + 2] = cell;
    this.setHead(account, NONE);
    this.index.insert(account);
    return account;
  }

  keyOf(account: number): number {
    return accountKey(this.userId(account), this.assetId(account));
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row.

  userId(slot: number): number {
    return this.i32[(slot & SLOT) * 8] as number;
  }
  assetId(slot: number): number {
    return this.i32[(slot & SLOT) * 8 + 1] as number;
  }
  /** Ledger cell of its cash: CB is what it has available. */
  cell(slot: number): number {
    return this.i32[(slot & SLOT) * 8 + 2] as number;
  }
  /** Its newest position. */
  head(slot: number): number {
    return this.i32[(slot & SLOT) * 8 + 3] as number;
  }
  setHead(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 8 + 3] = value;
  }
  /** F over all markets that settle in the asset. */
  frozen(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 2] as bigint;
  }
  setFrozen(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 2] = value;
  }
  /** Whether the present command has touched it. */
  isNoted(slot: number): boolean {
    return this.i32[(slot & SLOT) * 8 + 6] !== 0;
  }
  setNoted(slot: number, value: boolean): void {
    this.i32[(slot & SLOT) * 8 + 6] = value ? 1 : 0;
  }
  /** How many of its positions are cross: who has none need not look for them. */
  crossPositions(slot: number): number {
    return this.i32[(slot & SLOT) * 8 + 7] as number;
  }
  countCross(slot: number, change: 1 | -1): void {
    this.i32[(slot & SLOT) * 8 + 7] = this.crossPositions(slot) + change;
  }
}

function accountKey(userId: number, assetId: number): number {
  return userId * 131_072 + assetId;
}

function cashCell(ledger: Ledger, userId: number, assetId: number): number {
  if (userId === LIQUIDATOR) return ledger.venueCell(CELL.insuranceFutures, assetId);
  return ledger.cell(CELL.futures, userId, assetId, assetId, 0);
}
