import { SlotIndex } from "../store/slot-index.ts";
import * as tables from "../store/table.ts";
import { NONE } from "../trading/order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
const WORDS = 9;
/** User below 2^31, market below 2^22. */
const MARKETS = 4_194_304;

/**
 * Margin accounts, one per user and market: two cells of the ledger, a list of loans by ascending id, and what these
 * come to. Made at the first transfer in, never removed, so that a row is its identity.
 */
export class MarginAccounts extends tables.Table {
  count = 0;
  private readonly index = new SlotIndex(this);

  constructor() {
    super(WORDS);
  }

  /** The row, or NONE where nothing was ever transferred in. */
  find(userId: number, marketId: number): number {
    const row = this.index.find(userId * MARKETS + marketId);
    return row < 0 ? NONE : row;
  }

  add(userId: number, marketId: number, baseCell: number, quoteCell: number): number {
    const row = this.count++;
    this.makeRoom(row);
    this.f64[(row & SLOT) * WORDS] = userId * MARKETS + marketId;
    this.i32[(row & SLOT) * WORDS * 2 + 2] = userId;
    this.i32[(row & SLOT) * WORDS * 2 + 3] = marketId;
    this.i32[(row & SLOT) * WORDS * 2 + 4] = baseCell;
    this.i32[(row & SLOT) * WORDS * 2 + 5] = quoteCell;
    this.setHead(row, NONE);
    this.setTail(row, NONE);
    this.index.insert(row);
    return row;
  }

  keyOf(row: number): number {
    return this.f64[(row & SLOT) * WORDS] as number;
  }

  /** Whether anything is owed. */
  owes(row: number): boolean {
    return this.loans(row) > 0;
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row.

  userId(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 2] as number;
  }
  marketId(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 3] as number;
  }
  baseCell(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 4] as number;
  }
  quoteCell(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 5] as number;
  }
  cell(row: number, isQuote: boolean): number {
    return isQuote ? this.quoteCell(row) : this.baseCell(row);
  }
  /** First and last loan, NONE of an account without. */
  head(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 6] as number;
  }
  setHead(row: number, value: number): void {
    this.i32[(row & SLOT) * WORDS * 2 + 6] = value;
  }
  tail(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 7] as number;
  }
  setTail(row: number, value: number): void {
    this.i32[(row & SLOT) * WORDS * 2 + 7] = value;
  }
  /** How many loans are not paid off, and how many of them are debts. */
  loans(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 8] as number;
  }
  setLoans(row: number, value: number): void {
    this.i32[(row & SLOT) * WORDS * 2 + 8] = value;
  }
  debts(row: number): number {
    return this.i32[(row & SLOT) * WORDS * 2 + 9] as number;
  }
  setDebts(row: number, value: number): void {
    this.i32[(row & SLOT) * WORDS * 2 + 9] = value;
  }
  /** Units of the base or the quote asset: principal of all loans. */
  principal(row: number, isQuote: boolean): bigint {
    return this.i64[(row & SLOT) * WORDS + (isQuote ? 6 : 5)] as bigint;
  }
  setPrincipal(row: number, isQuote: boolean, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + (isQuote ? 6 : 5)] = value;
  }
  /** Interest that is charged and not paid. */
  interest(row: number, isQuote: boolean): bigint {
    return this.i64[(row & SLOT) * WORDS + (isQuote ? 8 : 7)] as bigint;
  }
  setInterest(row: number, isQuote: boolean, value: bigint): void {
    this.i64[(row & SLOT) * WORDS + (isQuote ? 8 : 7)] = value;
  }
}
