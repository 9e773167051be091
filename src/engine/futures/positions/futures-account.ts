import { VENUE_USER } from "../../accounts/user.ts";
import { CELL, userAssetKey } from "../../ledger/cell.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { SlotIndex } from "../../store/slot-index.ts";
import * as tables from "../../store/table.ts";
import { NONE } from "../../trading/order.ts";

const { SLOT } = tables;
const WORDS = 8;
const HALVES = WORDS * 2;
/** The `powerAt` of an account whose buying power has not been worked out, or holds no longer. */
const NEVER = Number.POSITIVE_INFINITY;

/**
 * The owner of what the venue takes over in liquidations. Nobody can log in as user 0, its fee rates are 0, and the
 * cash of its accounts is the insurance fund.
 */
export const LIQUIDATOR = VENUE_USER;

/**
 * Futures accounts, one per user and settlement asset, a row each: the cash cell, the positions, and what all open
 * orders that settle in the asset freeze. Made at the first transfer or order, never removed.
 */
export class FuturesAccounts extends tables.Table {
  count = 0;
  private readonly index = new SlotIndex(this);

  constructor() {
    super(WORDS);
  }

  /** The account, or NONE. */
  find(userId: number, assetId: number): number {
    return this.index.find(userAssetKey(userId, assetId));
  }

  /** The account, made on first use. */
  of(ledger: Ledger, userId: number, assetId: number): number {
    const found = this.find(userId, assetId);
    return found === NONE ? this.add(userId, assetId, cashCell(ledger, userId, assetId)) : found;
  }

  add(userId: number, assetId: number, cell: number): number {
    const account = this.count++;
    this.makeRoom(account);
    this.i32[(account & SLOT) * HALVES] = userId;
    this.i32[(account & SLOT) * HALVES + 1] = assetId;
    this.i32[(account & SLOT) * HALVES + 2] = cell;
    this.setHead(account, NONE);
    this.forgetBuyingPower(account);
    this.index.insert(account);
    return account;
  }

  keyOf(account: number): number {
    return userAssetKey(this.userId(account), this.assetId(account));
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row.

  userId(slot: number): number {
    return this.i32[(slot & SLOT) * HALVES] as number;
  }
  assetId(slot: number): number {
    return this.i32[(slot & SLOT) * HALVES + 1] as number;
  }
  /** Ledger cell of its cash: CB is what it has available. */
  cell(slot: number): number {
    return this.i32[(slot & SLOT) * HALVES + 2] as number;
  }
  /** Its newest position. */
  head(slot: number): number {
    return this.i32[(slot & SLOT) * HALVES + 3] as number;
  }
  setHead(slot: number, value: number): void {
    this.i32[(slot & SLOT) * HALVES + 3] = value;
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
    return this.i32[(slot & SLOT) * HALVES + 6] !== 0;
  }
  setNoted(slot: number, value: boolean): void {
    this.i32[(slot & SLOT) * HALVES + 6] = value ? 1 : 0;
  }
  /** How many of its positions are cross: who has none need not look for them. */
  crossPositions(slot: number): number {
    return this.i32[(slot & SLOT) * HALVES + 7] as number;
  }
  countCross(slot: number, change: 1 | -1): void {
    this.i32[(slot & SLOT) * HALVES + 7] = this.crossPositions(slot) + change;
  }
  /** Units that it had at least, before freezes, for cross and for isolated margin: see buying-power.ts. */
  crossPower(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 4] as bigint;
  }
  isolatedPower(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 5] as bigint;
  }
  /** Units by which they can shrink with each unit that marks have moved since. */
  shrinkage(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 6] as bigint;
  }
  /** How far marks had moved by then. */
  powerAt(slot: number): number {
    return this.f64[(slot & SLOT) * WORDS + 7] as number;
  }
  setBuyingPower(slot: number, cross: bigint, isolated: bigint, shrinkage: bigint, moved: number): void {
    this.i64[(slot & SLOT) * WORDS + 4] = cross;
    this.i64[(slot & SLOT) * WORDS + 5] = isolated;
    this.i64[(slot & SLOT) * WORDS + 6] = shrinkage;
    this.f64[(slot & SLOT) * WORDS + 7] = moved;
  }
  forgetBuyingPower(slot: number): void {
    this.f64[(slot & SLOT) * WORDS + 7] = NEVER;
  }
}

function cashCell(ledger: Ledger, userId: number, assetId: number): number {
  if (userId === LIQUIDATOR) return ledger.venueCell(CELL.insurance_futures, assetId);
  return ledger.cell(CELL.futures, userId, assetId, assetId, 0);
}
