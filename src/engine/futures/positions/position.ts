import * as tables from "../../store/table.ts";
import { NONE } from "../../trading/order.ts";
import type { FuturesSeats } from "./futures-seats.ts";

const { SLOT } = tables;
const WORDS = 16;

/**
 * Open positions, a row each; slots are reused and mean nothing outside this table. Amounts in lots, values in units of
 * the settlement asset. A position is listed with its account and with its market, newest first.
 *
 * Its margin, when it is isolated, is what its ledger cell holds; mode and leverage are its seat's.
 */
export class Positions extends tables.SlotTable {
  private readonly seats: FuturesSeats;

  constructor(seats: FuturesSeats) {
    super(WORDS);
    this.seats = seats;
  }

  /** A zeroed row that belongs to nobody yet. */
  allocate(): number {
    const slot = this.takeSlot();
    for (let word = slot * WORDS; word < (slot + 1) * WORDS; word++) this.i64[word] = 0n;
    return slot;
  }

  /** Gives a row back that is in no list any more and holds nothing. */
  free(slot: number): void {
    this.giveSlot(slot);
  }

  /** Rows in use. */
  get live(): number {
    return this.taken;
  }

  // Fields of a row.

  positionId(slot: number): number {
    return this.f64[(slot & SLOT) * WORDS] as number;
  }
  setPositionId(slot: number, value: number): void {
    this.f64[(slot & SLOT) * WORDS] = value;
  }
  userId(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 2] as number;
  }
  setUserId(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 2] = value;
  }
  marketId(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 3] as number;
  }
  setMarketId(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 3] = value;
  }
  /** Rows of `FuturesAccounts` and `FuturesSeats`. */
  account(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 4] as number;
  }
  setAccount(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 4] = value;
  }
  seat(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 5] as number;
  }
  setSeat(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 5] = value;
  }
  isShort(slot: number): boolean {
    return this.i32[(slot & SLOT) * 32 + 6] !== 0;
  }
  setShort(slot: number, value: boolean): void {
    this.i32[(slot & SLOT) * 32 + 6] = value ? 1 : 0;
  }
  /** Ledger cell of its isolated margin; NONE of a cross position. */
  marginCell(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 7] as number;
  }
  setMarginCell(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 7] = value;
  }
  /** Whether it has a margin of its own. */
  isIsolated(slot: number): boolean {
    return this.marginCell(slot) !== NONE;
  }
  /**
   * Whether it is still what its seat holds; of a row that was given back nothing else may be asked but whose it was.
   */
  isHeld(slot: number): boolean {
    return this.seats.position(this.seat(slot), this.isShort(slot)) === slot;
  }
  /**
   * Stands with its seat, where every order of the seat asks for it: of a row that was given back it is what the seat
   * has opened since.
   */
  amount(slot: number): bigint {
    return this.seats.closable(this.seat(slot), this.isShort(slot) ? 0 : 1);
  }
  setAmount(slot: number, value: bigint): void {
    this.seats.setClosable(this.seat(slot), this.isShort(slot) ? 0 : 1, value);
  }
  /** C: value at entry, which gives the average price. */
  entryCost(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 4] as bigint;
  }
  setEntryCost(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 4] = value;
  }
  /** O: value from which profit counts, which a settlement renews. */
  settleCost(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 5] as bigint;
  }
  setSettleCost(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 5] = value;
  }
  /** R: closing profit, funding and settlements, less fees. */
  realized(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 6] as bigint;
  }
  setRealized(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 6] = value;
  }
  /** The most that amount, entry cost and margin ever were. */
  topAmount(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 7] as bigint;
  }
  setTopAmount(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 7] = value;
  }
  topCost(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 8] as bigint;
  }
  setTopCost(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 8] = value;
  }
  topMargin(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 9] as bigint;
  }
  setTopMargin(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 9] = value;
  }
  createdAt(slot: number): number {
    return this.f64[(slot & SLOT) * WORDS + 10] as number;
  }
  setCreatedAt(slot: number, value: number): void {
    this.f64[(slot & SLOT) * WORDS + 10] = value;
  }
  updatedAt(slot: number): number {
    return this.f64[(slot & SLOT) * WORDS + 11] as number;
  }
  setUpdatedAt(slot: number, value: number): void {
    this.f64[(slot & SLOT) * WORDS + 11] = value;
  }
  /** Ticks at which lots of it were traded first and last. */
  firstPrice(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 14] as bigint;
  }
  setFirstPrice(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 14] = value;
  }
  latestPrice(slot: number): bigint {
    return this.i64[(slot & SLOT) * WORDS + 15] as bigint;
  }
  setLatestPrice(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * WORDS + 15] = value;
  }
  /** Neighbours in the lists of its account and of its market. */
  nextOfAccount(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 24] as number;
  }
  setNextOfAccount(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 24] = value;
  }
  prevOfAccount(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 25] as number;
  }
  setPrevOfAccount(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 25] = value;
  }
  nextOfMarket(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 26] as number;
  }
  setNextOfMarket(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 26] = value;
  }
  prevOfMarket(slot: number): number {
    return this.i32[(slot & SLOT) * 32 + 27] as number;
  }
  setPrevOfMarket(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 32 + 27] = value;
  }
}
