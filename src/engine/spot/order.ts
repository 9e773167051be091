import { growF64, growI32, growI64, nextCapacity } from "../store/columns.ts";
import { SlotIndex } from "../store/slot-index.ts";

/** No slot: an end of a list, a missing row. */
export const NONE = -1;

/**
 * Live orders: those that rest and, while its command runs, the one that takes. A row is a slot; slots are reused and mean
 * nothing outside this table. What only a filled order needs stands in `Fills`, so that a resting order takes 80 bytes.
 */
export class Orders {
  orderId = new Float64Array(0);
  /** FLAG bits: side, type, hidden, ... as they came with the command. */
  flags = new Int32Array(0);
  /** Whose it is and where: a row of `Seats`. */
  seat = new Int32Array(0);
  /** Ticks; 0 for market orders. */
  price = new BigInt64Array(0);
  /** Still open: lots, or quote units where the amount is in quote. */
  left = new BigInt64Array(0);
  makerFeeRateE8 = new Int32Array(0);
  takerFeeRateE8 = new Int32Array(0);
  createdAt = new Float64Array(0);
  /** Time priority: a counter taken at acceptance and renewed by some modifications. */
  prio = new Float64Array(0);
  /** Row of `Fills`, or NONE while nothing was filled or modified. */
  fill = new Int32Array(0);
  /** The book's own columns: level and neighbours in its queue. */
  level = new Int32Array(0);
  next = new Int32Array(0);
  prev = new Int32Array(0);
  /** Neighbours in the list of the seat's resting orders, by ascending acceptance. */
  seatNext = new Int32Array(0);
  seatPrev = new Int32Array(0);
  /** Only of orders that have one. */
  readonly clientId = new Map<number, string>();
  /** Orders by id: those that rest. */
  private readonly index = new SlotIndex();
  private freeHead = NONE;
  private highWater = 0;
  /** Rows in use. */
  live = 0;

  /** A row to fill in; every column but the book's and the seat's must be set by the caller. */
  allocate(): number {
    this.live++;
    const slot = this.freeHead;
    if (slot !== NONE) {
      this.freeHead = this.next[slot] as number;
      return slot;
    }
    if (this.highWater === this.orderId.length) this.grow(nextCapacity(this.highWater));
    return this.highWater++;
  }

  free(slot: number): void {
    this.live--;
    this.next[slot] = this.freeHead;
    this.freeHead = slot;
  }

  /** Makes a resting order findable by its id. */
  enter(slot: number): void {
    this.index.insert(this.orderId, slot);
  }

  leave(slot: number): void {
    this.index.remove(this.orderId, this.orderId[slot] as number);
  }

  /** The slot of a resting order, or NONE. */
  find(orderId: number): number {
    return this.index.find(this.orderId, orderId);
  }

  get byteLength(): number {
    return 80 * this.orderId.length + this.index.byteLength;
  }

  private grow(capacity: number): void {
    this.orderId = growF64(this.orderId, capacity);
    this.flags = growI32(this.flags, capacity);
    this.seat = growI32(this.seat, capacity);
    this.price = growI64(this.price, capacity);
    this.left = growI64(this.left, capacity);
    this.makerFeeRateE8 = growI32(this.makerFeeRateE8, capacity);
    this.takerFeeRateE8 = growI32(this.takerFeeRateE8, capacity);
    this.createdAt = growF64(this.createdAt, capacity);
    this.prio = growF64(this.prio, capacity);
    this.fill = growI32(this.fill, capacity);
    this.level = growI32(this.level, capacity);
    this.next = growI32(this.next, capacity);
    this.prev = growI32(this.prev, capacity);
    this.seatNext = growI32(this.seatNext, capacity);
    this.seatPrev = growI32(this.seatPrev, capacity);
  }
}

/** What happened to orders that were filled or modified: one row each, from the first such event on. */
export class Fills {
  filledLots = new BigInt64Array(0);
  filledValue = new BigInt64Array(0);
  baseFee = new BigInt64Array(0);
  quoteFee = new BigInt64Array(0);
  discountFee = new BigInt64Array(0);
  lastLots = new BigInt64Array(0);
  lastPrice = new BigInt64Array(0);
  updatedAt = new Float64Array(0);
  private freeRows: number[] = [];
  private highWater = 0;

  /** A zeroed row. */
  allocate(): number {
    const reused = this.freeRows.pop();
    const row = reused ?? this.highWater++;
    if (row >= this.filledLots.length) this.grow(nextCapacity(row));
    this.filledLots[row] = 0n;
    this.filledValue[row] = 0n;
    this.baseFee[row] = 0n;
    this.quoteFee[row] = 0n;
    this.discountFee[row] = 0n;
    this.lastLots[row] = 0n;
    this.lastPrice[row] = 0n;
    return row;
  }

  free(row: number): void {
    this.freeRows.push(row);
  }

  get byteLength(): number {
    return 64 * this.filledLots.length;
  }

  private grow(capacity: number): void {
    this.filledLots = growI64(this.filledLots, capacity);
    this.filledValue = growI64(this.filledValue, capacity);
    this.baseFee = growI64(this.baseFee, capacity);
    this.quoteFee = growI64(this.quoteFee, capacity);
    this.discountFee = growI64(this.discountFee, capacity);
    this.lastLots = growI64(this.lastLots, capacity);
    this.lastPrice = growI64(this.lastPrice, capacity);
    this.updatedAt = growF64(this.updatedAt, capacity);
  }
}

/**
 * A seat is one account's place in one market: its two balances and its resting orders there, so that an order finds both
 * in one step. Made at the first order, never removed.
 */
export class Seats {
  count = 0;
  key = new Float64Array(0);
  userId = new Int32Array(0);
  marketId = new Int32Array(0);
  /** Ledger cells of base and quote. */
  baseCell = new Int32Array(0);
  quoteCell = new Int32Array(0);
  /** First and last resting order, by ascending acceptance, and how many there are. */
  head = new Int32Array(0);
  tail = new Int32Array(0);
  openOrders = new Int32Array(0);
  /** The user's other seats. */
  nextOfUser = new Int32Array(0);
  private readonly firstOfUser = new Map<number, number>();
  private readonly index = new SlotIndex();

  /** Account 0 is spot, 1 margin. */
  find(userId: number, marketId: number, account: number): number {
    return this.index.find(this.key, seatKey(userId, marketId, account));
  }

  add(userId: number, marketId: number, account: number, baseCell: number, quoteCell: number): number {
    if (this.count === this.key.length) this.grow(nextCapacity(this.count));
    const seat = this.count++;
    this.key[seat] = seatKey(userId, marketId, account);
    this.userId[seat] = userId;
    this.marketId[seat] = marketId;
    this.baseCell[seat] = baseCell;
    this.quoteCell[seat] = quoteCell;
    this.head[seat] = NONE;
    this.tail[seat] = NONE;
    this.nextOfUser[seat] = this.firstOfUser.get(userId) ?? NONE;
    this.firstOfUser.set(userId, seat);
    this.index.insert(this.key, seat);
    return seat;
  }

  isMargin(seat: number): boolean {
    return ((this.key[seat] as number) & 1) === 1;
  }

  /** Every seat of a user, newest first. */
  *ofUser(userId: number): Generator<number> {
    for (let seat = this.firstOfUser.get(userId) ?? NONE; seat !== NONE; seat = this.nextOfUser[seat] as number) yield seat;
  }

  /** Puts a newly accepted order behind the others of its seat. */
  append(orders: Orders, slot: number): void {
    const seat = orders.seat[slot] as number;
    const last = this.tail[seat] as number;
    orders.seatPrev[slot] = last;
    orders.seatNext[slot] = NONE;
    if (last === NONE) this.head[seat] = slot;
    else orders.seatNext[last] = slot;
    this.tail[seat] = slot;
    this.openOrders[seat] = (this.openOrders[seat] as number) + 1;
  }

  remove(orders: Orders, slot: number): void {
    const seat = orders.seat[slot] as number;
    const next = orders.seatNext[slot] as number;
    const prev = orders.seatPrev[slot] as number;
    if (prev === NONE) this.head[seat] = next;
    else orders.seatNext[prev] = next;
    if (next === NONE) this.tail[seat] = prev;
    else orders.seatPrev[next] = prev;
    this.openOrders[seat] = (this.openOrders[seat] as number) - 1;
  }

  private grow(capacity: number): void {
    this.key = growF64(this.key, capacity);
    this.userId = growI32(this.userId, capacity);
    this.marketId = growI32(this.marketId, capacity);
    this.baseCell = growI32(this.baseCell, capacity);
    this.quoteCell = growI32(this.quoteCell, capacity);
    this.head = growI32(this.head, capacity);
    this.tail = growI32(this.tail, capacity);
    this.openOrders = growI32(this.openOrders, capacity);
    this.nextOfUser = growI32(this.nextOfUser, capacity);
  }
}

/** User below 2^31, market below 2^21, account 0 or 1. */
function seatKey(userId: number, marketId: number, account: number): number {
  return userId * 4_194_304 + marketId * 2 + account;
}
