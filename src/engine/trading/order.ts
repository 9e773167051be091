import { FLAG } from "../command.ts";
import type { CopyMemory } from "../store/copy-memory.ts";
import { IntColumn } from "../store/int-column.ts";
import { SlotIndex } from "../store/slot-index.ts";
import * as tables from "../store/table.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { SLOT } = tables;
/** The row of `Fills` of orders that nothing was filled of. */
const NO_FILLS = 0;
const SELL = FLAG.sell;
const IN_QUOTE = FLAG.inQuote;
const MARGIN = FLAG.margin;
const HIDDEN = FLAG.hidden;
const ICEBERG = FLAG.iceberg;
const HIDDEN_SHIFT = 31 - Math.clz32(FLAG.hidden);

/** Halves of the words of a row up to its rates. */
const OWN_HALVES = 14;
/** Words of a row of `Fills`. */
export const FILL_ROW_WORDS = 8;

/** No slot: an end of a list, a missing row. */
export const NONE = -1;

/** The figures of an iceberg, lots: see iceberg.ts. */
export interface Iceberg {
  /** As much as it shows at a time. */
  readonly peak: bigint;
  /** The slice that the book shows now; 0 while it does not rest. */
  shown: bigint;
}

/** The slice that an iceberg with so much left shows next. */
export function nextSlice({ peak }: Pick<Iceberg, "peak">, left: bigint): bigint {
  return peak < left ? peak : left;
}

/**
 * Which of the accounts that trade in a market an order of these flags is of: 0 the first, which is mostly the only
 * one, 1 the second.
 */
export function placeOf(flags: number): number {
  return (flags & MARGIN) === 0 ? 0 : 1;
}

/**
 * Live orders: those that rest and, while its command runs, the one that takes. A row is a slot; slots are reused and
 * mean nothing outside this table. What only a filled order needs stands in `Fills`, so that a resting order takes 80
 * bytes.
 */
export class Orders extends tables.Table {
  /** Only of orders that have one. */
  readonly clientId = new Map<number, string>();
  /** Of icebergs alone, by order id: a snapshot has them before it has their slots. */
  readonly icebergs = new Map<number, Iceberg>();
  /** Resting orders by id. */
  private readonly index = new SlotIndex(this);
  /** Where the index was last found to hold an order: mostly that is the one to leave it next. Only a hint. */
  private lastPlace = 0;
  private freeHead = NONE;
  private highWater = 0;
  /** Rows in use. */
  live = 0;

  constructor() {
    super(10);
  }

  /** A row to fill in; every field but the book's and the seat's must be set by the caller. */
  allocate(): number {
    this.live++;
    const slot = this.freeHead;
    if (slot !== NONE) {
      this.freeHead = this.next(slot);
      return slot;
    }
    this.makeRoom(this.highWater);
    return this.highWater++;
  }

  free(slot: number): void {
    this.live--;
    this.setNext(slot, this.freeHead);
    this.freeHead = slot;
  }

  /** Makes a resting order findable by its id. */
  enter(slot: number): void {
    this.index.insert(slot);
  }

  leave(slot: number): void {
    const { index, lastPlace } = this;
    if (index.at(lastPlace) === slot) index.removeAt(lastPlace);
    else index.remove(this.orderId(slot));
  }

  /** Makes room for `count` resting orders at once. */
  reserve(count: number): void {
    if (count > 0) this.makeRoom(count - 1);
    this.index.reserve(count);
  }

  /** The slot of a resting order, or NONE. */
  find(orderId: number): number {
    // The index would do the same for any table, which takes it a look at whose rows these are.
    const { index } = this;
    for (let place = index.home(orderId); ; place = index.after(place)) {
      const slot = index.at(place);
      if (slot < 0) return NONE;
      if (this.orderId(slot) === orderId) {
        this.lastPlace = place;
        return slot;
      }
    }
  }

  /** Orders that can be found. */
  get indexed(): number {
    return this.index.count;
  }

  keyOf(slot: number): number {
    return this.f64[(slot & SLOT) * 10] as number;
  }

  /** 0 buys, 1 sells. */
  side(slot: number): number {
    return this.flags(slot) & SELL;
  }

  isHidden(slot: number): boolean {
    return (this.flags(slot) & HIDDEN) !== 0;
  }

  /** Whether its amount is in units of the quote asset. */
  isInQuote(slot: number): boolean {
    return (this.flags(slot) & IN_QUOTE) !== 0;
  }

  isIceberg(slot: number): boolean {
    return (this.flags(slot) & ICEBERG) !== 0;
  }

  /** The figures of the iceberg in `slot`. */
  iceberg(slot: number): Iceberg {
    return this.icebergs.get(this.orderId(slot)) as Iceberg;
  }

  /** Lots that the book shows of it. */
  shown(slot: number): bigint {
    if (this.isIceberg(slot)) return this.iceberg(slot).shown;
    return this.isHidden(slot) ? 0n : this.left(slot);
  }

  /** Its queue at its level: 0 displayed, 1 hidden. */
  queue(slot: number): number {
    return (this.flags(slot) >> HIDDEN_SHIFT) & 1;
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  /** Bytes that `copied` copies. */
  get copiedBytes(): number {
    return this.rowsLength(this.highWater);
  }

  /** The rows as they stand now, to be read; orders are not found by id in it, and it has no client ids. */
  copied(memory: CopyMemory): Orders {
    const copy = new Orders();
    copy.layOver(this, this.highWater, memory);
    return copy;
  }

  /**
   * Copies the fields of a row that are no links, id to rates, to or from the words of a snapshot, by halves: no word
   * becomes a bigint.
   */
  copyOwnWords(slot: number, to: Int32Array, at: number): void {
    const { i32 } = this;
    for (let half = 0; half < OWN_HALVES; half++) to[at + half] = i32[(slot & SLOT) * 20 + half] as number;
  }
  setOwnWords(slot: number, from: Int32Array, at: number): void {
    const { i32 } = this;
    for (let half = 0; half < OWN_HALVES; half++) i32[(slot & SLOT) * 20 + half] = from[at + half] as number;
  }

  // Fields of a row. Those called words are for copying.

  orderId(slot: number): number {
    return this.f64[(slot & SLOT) * 10] as number;
  }
  idWord(slot: number): bigint {
    return this.i64[(slot & SLOT) * 10] as bigint;
  }
  setOrderId(slot: number, value: number): void {
    this.f64[(slot & SLOT) * 10] = value;
  }
  /** Ticks; 0 for market orders. */
  price(slot: number): bigint {
    return this.i64[(slot & SLOT) * 10 + 1] as bigint;
  }
  setPrice(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 10 + 1] = value;
  }
  /** The price's halves, for the price tree. */
  priceLow(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 2] as number;
  }
  priceHigh(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 3] as number;
  }
  /** Still open: lots, or quote units where the amount is in quote. */
  left(slot: number): bigint {
    return this.i64[(slot & SLOT) * 10 + 2] as bigint;
  }
  hasLeft(slot: number): boolean {
    return ((this.i32[(slot & SLOT) * 20 + 4] as number) | (this.i32[(slot & SLOT) * 20 + 5] as number)) !== 0;
  }
  setLeft(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 10 + 2] = value;
  }
  createdAt(slot: number): number {
    return this.f64[(slot & SLOT) * 10 + 3] as number;
  }
  createdAtWord(slot: number): bigint {
    return this.i64[(slot & SLOT) * 10 + 3] as bigint;
  }
  setCreatedAt(slot: number, value: number): void {
    this.f64[(slot & SLOT) * 10 + 3] = value;
  }
  /** Time priority: a counter taken at acceptance and renewed by some modifications. */
  prio(slot: number): number {
    return this.f64[(slot & SLOT) * 10 + 4] as number;
  }
  setPrio(slot: number, value: number): void {
    this.f64[(slot & SLOT) * 10 + 4] = value;
  }
  /** FLAG bits: side, type, hidden, ... as they came with the command. */
  flags(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 10] as number;
  }
  setFlags(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 10] = value;
  }
  /** Whose it is and where: a row of `Seats`. */
  seat(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 11] as number;
  }
  setSeat(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 11] = value;
  }
  /** Maker and taker rate. */
  ratesWord(slot: number): bigint {
    return this.i64[(slot & SLOT) * 10 + 6] as bigint;
  }
  makerFeeRateE8(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 12] as number;
  }
  setMakerFeeRateE8(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 12] = value;
  }
  takerFeeRateE8(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 13] as number;
  }
  setTakerFeeRateE8(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 13] = value;
  }
  /** Row of `Fills`, or NONE while nothing was filled. */
  fill(slot: number): number {
    const code = this.fillCode(slot);
    return code > NO_FILLS ? code : NONE;
  }
  /** Row of `Fills`; NO_FILLS, which is all zero, while nothing was filled. */
  fillRow(slot: number): number {
    const code = this.fillCode(slot);
    return code & ~(code >> 31);
  }
  setFill(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 14] = value < 0 ? NO_FILLS : value;
  }
  /** ms from creation to the last change of an order that nothing was filled of. */
  changedAfter(slot: number): number {
    return this.fill(slot) === NONE ? 0 - this.fillCode(slot) : 0;
  }
  setChangedAfter(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 14] = 0 - value;
  }
  /** A row of `Fills` above 0, or `changedAfter` as a negative number. */
  private fillCode(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 14] as number;
  }
  /** The book's own: level, and neighbours in its queue. */
  level(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 15] as number;
  }
  setLevel(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 15] = value;
  }
  next(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 16] as number;
  }
  setNext(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 16] = value;
  }
  prev(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 17] as number;
  }
  setPrev(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 17] = value;
  }
  /** Neighbours in the list of the seat's resting orders, by ascending acceptance. */
  seatNext(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 18] as number;
  }
  setSeatNext(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 18] = value;
  }
  seatPrev(slot: number): number {
    return this.i32[(slot & SLOT) * 20 + 19] as number;
  }
  setSeatPrev(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 20 + 19] = value;
  }
}

/**
 * The filled amounts of orders: one row each, from the first fill on. Row NO_FILLS is all zero and never written: every
 * other order reads it, so that no caller has to ask first.
 */
export class Fills extends tables.SlotTable {
  constructor() {
    super(8);
    // The row of orders that nothing was filled of.
    this.takeSlot();
  }

  /** A zeroed row. */
  allocate(): number {
    const row = this.takeSlot();
    for (let word = row * 8; word < row * 8 + 8; word++) this.i64[word] = 0n;
    return row;
  }

  free(row: number): void {
    this.giveSlot(row);
  }

  /** Rows in use. */
  get live(): number {
    return this.taken - 1;
  }

  /** Bytes that `copied` copies. */
  get copiedBytes(): number {
    return this.rowsLength(this.highWater);
  }

  /** The rows as they stand now, to be read. */
  copied(memory: CopyMemory): Fills {
    const copy = new Fills();
    copy.layOver(this, this.highWater, memory);
    return copy;
  }

  /** Copies a row to or from the words of a snapshot, by halves: no word becomes a bigint. */
  copyRow(slot: number, to: Int32Array, at: number): void {
    for (let half = 0; half < 16; half++) to[at + half] = this.i32[(slot & SLOT) * 16 + half] as number;
  }
  setRow(slot: number, from: Int32Array, at: number): void {
    for (let half = 0; half < 16; half++) this.i32[(slot & SLOT) * 16 + half] = from[at + half] as number;
  }

  // Fields of a row: totals over all fills, the last fill, and the last change.

  /** Whether anything was filled. */
  isFilled(slot: number): boolean {
    return ((this.i32[(slot & SLOT) * 16] as number) | (this.i32[(slot & SLOT) * 16 + 1] as number)) !== 0;
  }
  filledLots(slot: number): bigint {
    return this.i64[(slot & SLOT) * 8] as bigint;
  }
  setFilledLots(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 8] = value;
  }
  filledValue(slot: number): bigint {
    return this.i64[(slot & SLOT) * 8 + 1] as bigint;
  }
  setFilledValue(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 8 + 1] = value;
  }
  baseFee(slot: number): bigint {
    return this.i64[(slot & SLOT) * 8 + 2] as bigint;
  }
  setBaseFee(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 8 + 2] = value;
  }
  quoteFee(slot: number): bigint {
    return this.i64[(slot & SLOT) * 8 + 3] as bigint;
  }
  setQuoteFee(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 8 + 3] = value;
  }
  /** The same word is the realized profit of a futures order, which knows no discount. */
  discountFee(slot: number): bigint {
    return this.i64[(slot & SLOT) * 8 + 4] as bigint;
  }
  setDiscountFee(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 8 + 4] = value;
  }
  realizedPnl(slot: number): bigint {
    return this.discountFee(slot);
  }
  setRealizedPnl(slot: number, value: bigint): void {
    this.setDiscountFee(slot, value);
  }
  lastLots(slot: number): bigint {
    return this.i64[(slot & SLOT) * 8 + 5] as bigint;
  }
  setLastLots(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 8 + 5] = value;
  }
  lastPrice(slot: number): bigint {
    return this.i64[(slot & SLOT) * 8 + 6] as bigint;
  }
  setLastPrice(slot: number, value: bigint): void {
    this.i64[(slot & SLOT) * 8 + 6] = value;
  }
  updatedAt(slot: number): number {
    return this.f64[(slot & SLOT) * 8 + 7] as number;
  }
  setUpdatedAt(slot: number, value: number): void {
    this.f64[(slot & SLOT) * 8 + 7] = value;
  }
}

/**
 * A seat is one account's place in one market: its two balances and its resting orders there, so that an order finds
 * both in one step. Made at the first order, never removed.
 */
export class Seats extends tables.Table {
  count = 0;
  /** By user id. */
  private readonly firstOfUser = new IntColumn(NONE);
  private readonly index = new SlotIndex(this);

  constructor() {
    super(5);
  }

  /** The seat of the account at this place, see `placeOf`; NONE where there is none. */
  find(userId: number, marketId: number, account: number): number {
    return this.index.find(seatKey(userId, marketId, account));
  }

  /** Makes room for `count` seats at once. */
  reserve(count: number): void {
    if (count > 0) this.makeRoom(count - 1);
    this.index.reserve(count);
  }

  add(userId: number, marketId: number, account: number, baseCell: number, quoteCell: number): number {
    return this.addWithKey(seatKey(userId, marketId, account), baseCell, quoteCell);
  }

  /** As `add`; the key says whose and where. */
  addWithKey(key: number, baseCell: number, quoteCell: number): number {
    const seat = this.count++;
    const userId = Math.floor(key / SEATS_OF_USER);
    this.makeRoom(seat);
    this.f64[(seat & SLOT) * 5] = key;
    this.setUserId(seat, userId);
    this.setMarketId(seat, (key % SEATS_OF_USER) >> 1);
    this.setBaseCell(seat, baseCell);
    this.setQuoteCell(seat, quoteCell);
    this.setHead(seat, NONE);
    this.setTail(seat, NONE);
    this.setNextOfUser(seat, this.firstOfUser.get(userId));
    this.firstOfUser.set(userId, seat);
    this.index.insert(seat);
    return seat;
  }

  keyOf(slot: number): number {
    return this.f64[(slot & SLOT) * 5] as number;
  }

  /** Which of the user's accounts in the market it is of, see `placeOf`. */
  place(seat: number): number {
    return this.keyOf(seat) % 2;
  }

  /** Every seat of a user, newest first. */
  *ofUser(userId: number): Generator<number> {
    for (let seat = this.firstOfUser.get(userId); seat !== NONE; seat = this.nextOfUser(seat)) yield seat;
  }

  /** Puts a newly accepted order behind the others of its seat. */
  append(orders: Orders, slot: number): void {
    const seat = orders.seat(slot);
    const last = this.tail(seat);
    orders.setSeatPrev(slot, last);
    orders.setSeatNext(slot, NONE);
    if (last === NONE) this.setHead(seat, slot);
    else orders.setSeatNext(last, slot);
    this.setTail(seat, slot);
    this.setOpenOrders(seat, this.openOrders(seat) + 1);
  }

  remove(orders: Orders, slot: number): void {
    const seat = orders.seat(slot);
    const next = orders.seatNext(slot);
    const prev = orders.seatPrev(slot);
    if (prev === NONE) this.setHead(seat, next);
    else orders.setSeatNext(prev, next);
    if (next === NONE) this.setTail(seat, prev);
    else orders.setSeatPrev(next, prev);
    this.setOpenOrders(seat, this.openOrders(seat) - 1);
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength + this.firstOfUser.byteLength;
  }

  // Fields of a row.

  userId(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 2] as number;
  }
  setUserId(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 2] = value;
  }
  marketId(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 3] as number;
  }
  setMarketId(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 3] = value;
  }
  /** Ledger cells of base and quote. */
  baseCell(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 4] as number;
  }
  setBaseCell(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 4] = value;
  }
  quoteCell(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 5] as number;
  }
  setQuoteCell(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 5] = value;
  }
  /** The cell that an order of this side gives from: quote of a buy, base of a sell. */
  givingCell(slot: number, side: number): number {
    return this.i32[(slot & SLOT) * 10 + 5 - side] as number;
  }
  /** First and last resting order, by ascending acceptance, and how many there are. */
  head(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 6] as number;
  }
  setHead(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 6] = value;
  }
  tail(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 7] as number;
  }
  setTail(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 7] = value;
  }
  openOrders(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 8] as number;
  }
  setOpenOrders(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 8] = value;
  }
  /** The user's next seat. */
  nextOfUser(slot: number): number {
    return this.i32[(slot & SLOT) * 10 + 9] as number;
  }
  setNextOfUser(slot: number, value: number): void {
    this.i32[(slot & SLOT) * 10 + 9] = value;
  }
}

/** User below 2^31, market below 2^21, account 0 or 1. */
const SEATS_OF_USER = 4_194_304;

function seatKey(userId: number, marketId: number, account: number): number {
  return userId * SEATS_OF_USER + marketId * 2 + account;
}
