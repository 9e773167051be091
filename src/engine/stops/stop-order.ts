import { ACCOUNTS, accountOf, FLAG, referenceOf } from "../command.ts";
import { SlotIndex } from "../store/slot-index.ts";
import { SlotTable } from "../store/table.ts";
import { type Condition, isTrail, NO_CONDITION, trailTrigger } from "./condition.ts";
import { Groups } from "./groups.ts";
import { STOP_FLAG } from "./stop-event.ts";
import { type FollowingRows, Trails } from "./trails.ts";
import type { TriggerHeap } from "./trigger-heap.ts";
import { TriggerHeaps, type WaitingRows } from "./trigger-heaps.ts";

/** An account in a market; accounts are places in ACCOUNTS. */
function placeKey(marketId: number, account: number): number {
  return marketId * ACCOUNTS.length + account;
}

/**
 * Waiting stop orders: rows of 64 bytes, found by id, by account and market, and by what fires next. They freeze
 * nothing and stand in no book. Each waits in one of three ways: for a price, in a heap; with a trail that follows one;
 * or dormant, for an entry to be filled.
 */
export class Stops extends SlotTable implements WaitingRows, FollowingRows {
  /** Only of stop orders that have one. */
  readonly clientId = new Map<number, string>();
  /** As `clientId`. */
  readonly condition = new Map<number, Condition>();
  readonly groups = new Groups();
  /** Trails that have begun since it was last emptied; of no interest beyond a command. */
  readonly begun: number[] = [];
  private readonly trails = new Trails(this);
  /** Slots of a market that wait in no heap. */
  private readonly besideHeaps = new Map<number, Set<number>>();
  private readonly index = new SlotIndex(this);
  private readonly heaps = new TriggerHeaps(this);
  /** Slots of a user by market and account, in ascending id. */
  private readonly byUser = new Map<number, Map<number, number[]>>();

  constructor() {
    super(8);
  }

  /** Stop orders that wait. */
  get live(): number {
    return this.index.count;
  }

  /** A row to fill in, every field by the caller, before it is entered. */
  allocate(): number {
    return this.takeSlot();
  }

  /** Makes a stop order wait. Those of one account come in ascending id. */
  enter(slot: number): void {
    this.index.insert(slot);
    this.wait(slot);
    const places = this.byUser.get(this.userId(slot)) ?? new Map<number, number[]>();
    this.byUser.set(this.userId(slot), places);
    const key = placeKey(this.marketId(slot), this.account(slot));
    const slots = places.get(key);
    if (slots === undefined) places.set(key, [slot]);
    else slots.push(slot);
  }

  /** Takes a stop order out and gives its row back. */
  remove(slot: number): void {
    this.waitNoMore(slot);
    const places = this.byUser.get(this.userId(slot)) as Map<number, number[]>;
    const key = placeKey(this.marketId(slot), this.account(slot));
    const slots = places.get(key) as number[];
    slots.splice(slots.indexOf(slot), 1);
    if (slots.length === 0) places.delete(key);
    if (places.size === 0) this.byUser.delete(this.userId(slot));
    this.index.remove(this.stopId(slot));
    this.clientId.delete(slot);
    this.condition.delete(slot);
    this.giveSlot(slot);
  }

  /** Starts the trail of a stop order that has reached its activation price, from the next look on. */
  activate(slot: number): void {
    this.heaps.remove(slot);
    const flags = this.flags(slot) | STOP_FLAG.follows;
    this.setFlags(slot, this.sells(slot) ? flags & ~STOP_FLAG.lower : flags | STOP_FLAG.lower);
    this.wait(slot);
  }

  /** Gives a trail that has just been entered the best price that it has seen; 0: it has not begun. */
  follow(slot: number, extreme: number): void {
    if (extreme === 0) return;
    this.trails.remove(slot);
    this.trails.enter(slot, extreme);
  }

  /** Starts a dormant stop order: it waits for its price. */
  wake(slot: number): void {
    this.waitNoMore(slot);
    this.setFlags(slot, this.flags(slot) & ~STOP_FLAG.dormant);
    this.wait(slot);
  }

  /** Changes the price that a waiting stop order waits for. */
  rearm(slot: number, trigger: number, lower: boolean): void {
    this.waitNoMore(slot);
    this.setTrigger(slot, trigger);
    this.setFlags(slot, lower ? this.flags(slot) | STOP_FLAG.lower : this.flags(slot) & ~STOP_FLAG.lower);
    this.wait(slot);
  }

  /** The slot of a waiting stop order, or NONE. */
  find(stopId: number): number {
    return this.index.find(stopId);
  }

  /** Stop orders of an account in a market, by ascending id. */
  ofAccount(userId: number, marketId: number, account: number): readonly number[] {
    return this.byUser.get(userId)?.get(placeKey(marketId, account)) ?? [];
  }

  /** Stop orders of an account in every market, by ascending id. */
  ofUser(userId: number, account: number): number[] {
    const slots: number[] = [];
    for (const [key, some] of this.byUser.get(userId) ?? []) if (key % ACCOUNTS.length === account) slots.push(...some);
    return this.byId(slots);
  }

  /** Every stop order of a market, by ascending id. */
  ofMarket(marketId: number): number[] {
    return this.byId([...this.heaps.ofMarket(marketId), ...(this.besideHeaps.get(marketId) ?? [])]);
  }

  /**
   * Whether a price may be one that a stop order of the market waits for; a market without a price may always.
   * `followed` is the price as trails follow it.
   */
  mayFire(marketId: number, reference: number, price: bigint, followed: bigint): boolean {
    return this.heaps.mayFire(marketId, reference, price) || this.trails.isMovedBy(marketId, reference, followed);
  }

  /** Markets in which a stop order may fire: see TriggerHeaps. */
  get dirty(): Set<number> {
    return this.heaps.dirty;
  }

  /**
   * Adds to `due` every stop order of the market that fires at this price or comes to its activation price; trails take
   * notice of `followed`.
   */
  collect(marketId: number, reference: number, price: number, due: number[], followed: number): void {
    this.heaps.collect(marketId, reference, price, due);
    this.trails.follow(marketId, reference, followed, due, this.begun);
  }

  /** Whether it waits in a heap for its price. */
  waitsForPrice(slot: number): boolean {
    return (this.flags(slot) & (STOP_FLAG.follows | STOP_FLAG.dormant)) === 0;
  }

  /** Whether it has a trail, begun or not. */
  isTrailing(slot: number): boolean {
    return (this.flags(slot) & STOP_FLAG.conditional) !== 0 && isTrail(this.conditionOf(slot));
  }

  conditionOf(slot: number): Condition {
    return this.condition.get(slot) ?? NO_CONDITION;
  }

  /** Of a trail the best price since it began, ticks; 0 before, and of others. */
  extreme(slot: number): number {
    return this.trails.extremeOf(slot);
  }

  /**
   * The price that fires it, as things stand, ticks: of a trail it follows the extreme. Until one begins it is the
   * activation price, and 0 where it begins at once.
   */
  triggerNow(slot: number): number {
    const extreme = this.extreme(slot);
    return extreme === 0 ? this.trigger(slot) : trailTrigger(this.conditionOf(slot), extreme, this.sells(slot));
  }

  /** The heap in which a stop order waits. */
  heapOf(slot: number): TriggerHeap {
    return this.heaps.heapOf(slot);
  }

  /** Sorts slots by their stop id. */
  byId(slots: number[]): number[] {
    return slots.sort((left, right) => this.stopId(left) - this.stopId(right));
  }

  keyOf(slot: number): number {
    return this.stopId(slot);
  }

  private wait(slot: number): void {
    if (this.waitsForPrice(slot)) {
      this.heaps.insert(slot);
      return;
    }
    const marketId = this.marketId(slot);
    const beside = this.besideHeaps.get(marketId);
    if (beside === undefined) this.besideHeaps.set(marketId, new Set([slot]));
    else beside.add(slot);
    if ((this.flags(slot) & STOP_FLAG.dormant) !== 0) return;
    this.heaps.dirty.add(marketId);
    this.trails.begin(slot);
  }

  private waitNoMore(slot: number): void {
    if (this.waitsForPrice(slot)) {
      this.heaps.remove(slot);
      return;
    }
    const marketId = this.marketId(slot);
    const beside = this.besideHeaps.get(marketId) as Set<number>;
    beside.delete(slot);
    if (beside.size === 0) this.besideHeaps.delete(marketId);
    if ((this.flags(slot) & STOP_FLAG.dormant) === 0) this.trails.remove(slot);
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row.

  stopId(slot: number): number {
    return this.f64[slot * 8] as number;
  }
  setStopId(slot: number, value: number): void {
    this.f64[slot * 8] = value;
  }
  /** Ticks; below 2^53 by listing check L3, like every price that is accepted. */
  trigger(slot: number): number {
    return this.f64[slot * 8 + 1] as number;
  }
  setTrigger(slot: number, value: number): void {
    this.f64[slot * 8 + 1] = value;
  }
  /** Ticks; 0 for market orders. */
  price(slot: number): bigint {
    return this.i64[slot * 8 + 2] as bigint;
  }
  setPrice(slot: number, value: bigint): void {
    this.i64[slot * 8 + 2] = value;
  }
  /** Lots, or quote units where the amount is in quote. */
  amount(slot: number): bigint {
    return this.i64[slot * 8 + 3] as bigint;
  }
  setAmount(slot: number, value: bigint): void {
    this.i64[slot * 8 + 3] = value;
  }
  createdAt(slot: number): number {
    return this.f64[slot * 8 + 4] as number;
  }
  setCreatedAt(slot: number, value: number): void {
    this.f64[slot * 8 + 4] = value;
  }
  updatedAt(slot: number): number {
    return this.f64[slot * 8 + 5] as number;
  }
  setUpdatedAt(slot: number, value: number): void {
    this.f64[slot * 8 + 5] = value;
  }
  /** FLAG bits of the order that it becomes, and STOP_FLAG.lower. */
  flags(slot: number): number {
    return this.i32[slot * 16 + 12] as number;
  }
  setFlags(slot: number, value: number): void {
    this.i32[slot * 16 + 12] = value;
  }
  userId(slot: number): number {
    return this.i32[slot * 16 + 13] as number;
  }
  setUserId(slot: number, value: number): void {
    this.i32[slot * 16 + 13] = value;
  }
  marketId(slot: number): number {
    return this.i32[slot * 16 + 14] as number;
  }
  setMarketId(slot: number, value: number): void {
    this.i32[slot * 16 + 14] = value;
  }
  /** The heap's own. */
  place(slot: number): number {
    return this.i32[slot * 16 + 15] as number;
  }
  setPlace(slot: number, value: number): void {
    this.i32[slot * 16 + 15] = value;
  }

  /** Its place in ACCOUNTS. */
  account(slot: number): number {
    return ACCOUNTS.indexOf(accountOf(this.flags(slot)));
  }

  /** The price that its trigger is compared with, a place in TRIGGER_TYPES. */
  reference(slot: number): number {
    return referenceOf(this.flags(slot));
  }

  sells(slot: number): boolean {
    return (this.flags(slot) & FLAG.sell) !== 0;
  }

  /** Whether it waits for the price to rise. */
  rises(slot: number): boolean {
    return (this.flags(slot) & STOP_FLAG.lower) !== 0;
  }
}
