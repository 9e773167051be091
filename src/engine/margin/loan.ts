import { SlotIndex } from "../store/slot-index.ts";
import * as tables from "../store/table.ts";
import { NONE } from "../trading/order.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;

/** `debt`: its liquidation left something that neither the account nor the insurance fund could pay. */
export const LOAN_STATUSES = ["loan", "finish", "liquidated", "debt"] as const;
export type LoanStatus = (typeof LOAN_STATUSES)[number];

export const HOUR_MS = 3_600_000;
const FLAG = { quote: 1, autoRenew: 2, extended: 4, debt: 8 } as const;
const WORDS = 10;

/**
 * Loans that are not paid off. A row is a slot; slots are reused and mean nothing outside this table. Those of one
 * account form a list by ascending id. Amounts are units of the loan's asset.
 */
export class Loans extends tables.SlotTable {
  private readonly index = new SlotIndex(this);

  constructor() {
    super(WORDS);
  }

  /** A zeroed row with this id. */
  allocate(borrowId: number): number {
    const slot = this.takeSlot();
    for (let word = slot * WORDS; word < (slot + 1) * WORDS; word++) this.i64[word] = 0n;
    this.f64[(slot & SLOT) * WORDS] = borrowId;
    this.index.insert(slot);
    return slot;
  }

  free(slot: number): void {
    this.index.remove(this.borrowId(slot));
    this.giveSlot(slot);
  }

  /** The slot of a loan that is not paid off, or NONE. */
  find(borrowId: number): number {
    const slot = this.index.find(borrowId);
    return slot < 0 ? NONE : slot;
  }

  /** Loans that are not paid off. */
  get live(): number {
    return this.taken;
  }

  keyOf(slot: number): number {
    return this.borrowId(slot);
  }

  /** All that is owed of it. */
  owed(slot: number): bigint {
    return this.principal(slot) + this.interest(slot);
  }

  /** ms of its next interest. */
  interestAt(slot: number): number {
    return this.createdAt(slot) + this.accruals(slot) * HOUR_MS;
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row.

  borrowId(slot: number): number {
    return this.f64[(slot & SLOT) * WORDS] as number;
  }
  /** Row of its margin account. */
  account(slot: number): number {
    return this.i32[(slot & SLOT) * WORDS * 2 + 2] as number;
  }
  setAccount(slot: number, value: number): void {
    this.i32[(slot & SLOT) * WORDS * 2 + 2] = value;
  }
  /** Whether it is of the market's quote asset. */
  isQuote(slot: number): boolean {
    return this.has(slot, FLAG.quote);
  }
  setIsQuote(slot: number, value: boolean): void {
    this.set(slot, FLAG.quote, value);
  }
  isAutoRenew(slot: number): boolean {
    return this.has(slot, FLAG.autoRenew);
  }
  setIsAutoRenew(slot: number, value: boolean): void {
    this.set(slot, FLAG.autoRenew, value);
  }
  /** Whether it has had its one extension since it was given or renewed. */
  isExtended(slot: number): boolean {
    return this.has(slot, FLAG.extended);
  }
  setIsExtended(slot: number, value: boolean): void {
    this.set(slot, FLAG.extended, value);
  }
  isDebt(slot: number): boolean {
    return this.has(slot, FLAG.debt);
  }
  setIsDebt(slot: number, value: boolean): void {
    this.set(slot, FLAG.debt, value);
  }
  /** Units that were lent in the beginning. */
  amount(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 2] as bigint;
  }
  setAmount(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 2] = value;
  }
  principal(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 3] as bigint;
  }
  setPrincipal(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 3] = value;
  }
  /** Charged and not paid. */
  interest(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 4] as bigint;
  }
  setInterest(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 4] = value;
  }
  dailyRateE8(slot: number): number {
    return this.i32[(slot & SLOT) * WORDS * 2 + 10] as number;
  }
  setDailyRateE8(slot: number, value: number): void {
    this.i32[(slot & SLOT) * WORDS * 2 + 10] = value;
  }
  /** How often interest was charged. */
  accruals(slot: number): number {
    return this.i32[(slot & SLOT) * WORDS * 2 + 11] as number;
  }
  setAccruals(slot: number, value: number): void {
    this.i32[(slot & SLOT) * WORDS * 2 + 11] = value;
  }
  createdAt(slot: number): number {
    return this.f64[(slot & SLOT) * WORDS + 6] as number;
  }
  setCreatedAt(slot: number, value: number): void {
    this.f64[(slot & SLOT) * WORDS + 6] = value;
  }
  expiredAt(slot: number): number {
    return this.f64[(slot & SLOT) * WORDS + 7] as number;
  }
  setExpiredAt(slot: number, value: number): void {
    this.f64[(slot & SLOT) * WORDS + 7] = value;
  }
  /** Neighbours in the account's list. */
  next(slot: number): number {
    return this.i32[(slot & SLOT) * WORDS * 2 + 16] as number;
  }
  setNext(slot: number, value: number): void {
    this.i32[(slot & SLOT) * WORDS * 2 + 16] = value;
  }
  prev(slot: number): number {
    return this.i32[(slot & SLOT) * WORDS * 2 + 17] as number;
  }
  setPrev(slot: number, value: number): void {
    this.i32[(slot & SLOT) * WORDS * 2 + 17] = value;
  }
  /** Its place in the heap of what is due next. */
  place(slot: number): number {
    return this.i32[(slot & SLOT) * WORDS * 2 + 18] as number;
  }
  setPlace(slot: number, value: number): void {
    this.i32[(slot & SLOT) * WORDS * 2 + 18] = value;
  }
  /** All that is true or false of it, for a snapshot. */
  flags(slot: number): number {
    return this.i32[(slot & SLOT) * WORDS * 2 + 3] as number;
  }
  setFlags(slot: number, value: number): void {
    this.i32[(slot & SLOT) * WORDS * 2 + 3] = value;
  }

  private has(slot: number, flag: number): boolean {
    return (this.flags(slot) & flag) !== 0;
  }
  private set(slot: number, flag: number, value: boolean): void {
    this.setFlags(slot, value ? this.flags(slot) | flag : this.flags(slot) & ~flag);
  }
}
