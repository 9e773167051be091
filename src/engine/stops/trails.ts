import { type Condition, trailTrigger } from "./condition.ts";
import { TriggerHeap, type TriggerRows } from "./trigger-heap.ts";
import { REFERENCES } from "./trigger-heaps.ts";

/** Rows whose triggers follow a price. */
export interface FollowingRows extends TriggerRows {
  marketId(slot: number): number;
  /** The price that they follow: one of REFERENCE of command.ts. */
  reference(slot: number): number;
  sells(slot: number): boolean;
  conditionOf(slot: number): Condition;
}

/** Rows with one extreme, the smallest distance on top. */
interface Group {
  readonly number: number;
  extreme: number;
  readonly members: TriggerHeap;
  /** Of its top. */
  trigger: number;
}

/**
 * Trails of one market, price and side, all by an amount or all by a rate. Those that have seen the same extreme are a
 * group. A new extreme concerns the groups with a lesser one alone, and makes one group of them: the groups stand in a
 * stack, the least extreme on top, and the smaller is poured into the larger. So each row is moved log n times at most
 * in its life, however often the price moves, and a price that is no new extreme moves none.
 */
class Family implements TriggerRows {
  private readonly rows: FollowingRows;
  private readonly sells: boolean;
  private readonly distances: TriggerRows;
  private readonly groupOf: Map<number, Group>;
  private stack: Group[] = [];
  /** Groups by number, those without rows too; a number is given again. */
  private readonly groups: Group[] = [];
  private readonly places: number[] = [];
  private readonly freeNumbers: number[] = [];
  /** Groups that have rows, the one that fires next on top. */
  private readonly heap: TriggerHeap;
  /** Groups without rows that still stand in the stack. */
  private emptied = 0;

  constructor(rows: FollowingRows, sells: boolean, byRate: boolean, groupOf: Map<number, Group>) {
    this.rows = rows;
    this.sells = sells;
    this.groupOf = groupOf;
    this.heap = new TriggerHeap(this, !sells);
    this.distances = {
      trigger: (slot) => {
        const condition = rows.conditionOf(slot);
        return byRate ? condition.trailRateE8 : condition.trail;
      },
      keyOf: (slot) => rows.keyOf(slot),
      place: (slot) => rows.place(slot),
      setPlace: (slot, place) => rows.setPlace(slot, place),
    };
  }

  /** Adds a row that has seen this extreme: the price now, which is no better than any extreme here. */
  insert(slot: number, extreme: number): void {
    const top = this.stack.at(-1);
    this.add(top?.extreme === extreme ? top : this.push(extreme), slot);
  }

  remove(slot: number): void {
    const group = this.groupOf.get(slot) as Group;
    group.members.remove(slot);
    this.groupOf.delete(slot);
    if (group.members.size > 0) {
      this.refresh(group);
      return;
    }
    this.heap.remove(group.number);
    this.emptied++;
    if (this.emptied * 2 > this.stack.length) this.sweep();
  }

  /** Whether a price is a new extreme of a row, or reaches the trigger of one. */
  isMovedBy(price: number): boolean {
    const top = this.stack.at(-1);
    if (top === undefined) return false;
    return (
      this.isBetter(price, top.extreme) || (this.heap.size > 0 && this.reaches(price, this.trigger(this.heap.top)))
    );
  }

  /** Makes a price the extreme of all rows that have seen none as good. */
  follow(price: number): void {
    let merged: Group | undefined;
    for (let top = this.stack.at(-1); top !== undefined; top = this.stack.at(-1)) {
      if (top.extreme !== price && !this.isBetter(price, top.extreme)) break;
      if (top.extreme === price && merged === undefined) return;
      this.stack.pop();
      merged = merged === undefined ? top : this.pour(merged, top);
    }
    if (merged === undefined) return;
    merged.extreme = price;
    this.stack.push(merged);
    if (merged.members.size > 0) this.refresh(merged);
  }

  /** Adds to `due` every row that fires at this price. */
  collect(price: number, due: number[]): void {
    const reached: number[] = [];
    this.heap.collect(price, reached);
    for (const number of reached) {
      const { extreme, members } = this.groups[number] as Group;
      members.collectWhere((slot) => this.reaches(price, this.triggerOf(slot, extreme)), due);
    }
  }

  triggerOf(slot: number, extreme: number): number {
    return trailTrigger(this.rows.conditionOf(slot), extreme, this.sells);
  }

  // A group as a row of the heap of groups.

  trigger(number: number): number {
    return (this.groups[number] as Group).trigger;
  }
  keyOf(number: number): number {
    return number;
  }
  place(number: number): number {
    return this.places[number] as number;
  }
  setPlace(number: number, place: number): void {
    this.places[number] = place;
  }

  private push(extreme: number): Group {
    const number = this.freeNumbers.pop() ?? this.groups.length;
    const group = { number, extreme, members: new TriggerHeap(this.distances, true), trigger: 0 };
    this.groups[number] = group;
    this.stack.push(group);
    this.emptied++;
    return group;
  }

  private add(group: Group, slot: number): void {
    const isFirst = group.members.size === 0;
    group.members.insert(slot);
    this.groupOf.set(slot, group);
    if (isFirst) {
      this.emptied--;
      this.noteTrigger(group);
      this.heap.insert(group.number);
    } else this.refresh(group);
  }

  private noteTrigger(group: Group): void {
    group.trigger = this.triggerOf(group.members.top, group.extreme);
  }

  private refresh(group: Group): void {
    this.noteTrigger(group);
    this.heap.reorder(group.number);
  }

  /** Makes one group of two that stand in the stack no more; it keeps its place in the heap if it has rows. */
  private pour(one: Group, other: Group): Group {
    const [small, large] = one.members.size < other.members.size ? [one, other] : [other, one];
    if (small.members.size === 0) this.emptied--;
    else this.heap.remove(small.number);
    for (const slot of small.members.rows) {
      this.groupOf.set(slot, large);
      large.members.insert(slot);
    }
    this.freeNumbers.push(small.number);
    return large;
  }

  private sweep(): void {
    for (const group of this.stack) if (group.members.size === 0) this.freeNumbers.push(group.number);
    this.stack = this.stack.filter(({ members }) => members.size > 0);
    this.emptied = 0;
  }

  private isBetter(price: number, extreme: number): boolean {
    return this.sells ? price > extreme : price < extreme;
  }

  private reaches(price: number, trigger: number): boolean {
    return this.sells ? price <= trigger : price >= trigger;
  }
}

/** All rows that follow prices, or are to follow them from the next look at their market on. */
export class Trails {
  private readonly rows: FollowingRows;
  private readonly families: (Family | undefined)[] = [];
  private readonly groupOf = new Map<number, Group>();
  /** Rows that are to begin, by market and price. */
  private readonly beginning = new Map<number, Set<number>>();
  /** Rows that are to begin, all of them. */
  private waiting = 0;

  constructor(rows: FollowingRows) {
    this.rows = rows;
  }

  /** Starts a row at the price that the next look at its market finds. */
  begin(slot: number): void {
    const key = this.pairOf(slot);
    const slots = this.beginning.get(key);
    if (slots === undefined) this.beginning.set(key, new Set([slot]));
    else slots.add(slot);
    this.waiting++;
  }

  /** Starts a row that has seen this extreme. Rows of one market come with the best extreme first. */
  enter(slot: number, extreme: number): void {
    this.familyOf(slot).insert(slot, extreme);
  }

  remove(slot: number): void {
    if (this.groupOf.has(slot)) {
      this.familyOf(slot).remove(slot);
      return;
    }
    const key = this.pairOf(slot);
    const slots = this.beginning.get(key) as Set<number>;
    slots.delete(slot);
    if (slots.size === 0) this.beginning.delete(key);
    this.waiting--;
  }

  /** The best price that a row has seen, ticks; 0 while it has not begun. */
  extremeOf(slot: number): number {
    return this.groupOf.get(slot)?.extreme ?? 0;
  }

  /** Whether a look at a market at this price finds something to do. */
  isMovedBy(marketId: number, reference: number, price: bigint): boolean {
    if (this.groupOf.size + this.waiting === 0) return false;
    const from = familiesAt(marketId, reference);
    for (let at = from; at < from + FAMILIES; at++)
      if (this.families[at]?.isMovedBy(Number(price)) === true) return true;
    return this.beginning.has(pairAt(marketId, reference));
  }

  /**
   * Takes notice of a price: it may be a new extreme, and rows that were to begin do so with it. Adds those that fire
   * to `due` and those that begin to `begun`.
   */
  follow(marketId: number, reference: number, price: number, due: number[], begun: number[]): void {
    if (this.groupOf.size + this.waiting === 0) return;
    const from = familiesAt(marketId, reference);
    for (let at = from; at < from + FAMILIES; at++) {
      const family = this.families[at];
      if (family === undefined) continue;
      family.follow(price);
      family.collect(price, due);
    }
    const key = pairAt(marketId, reference);
    const slots = this.beginning.get(key);
    if (slots === undefined) return;
    this.beginning.delete(key);
    this.waiting -= slots.size;
    for (const slot of slots) {
      this.enter(slot, price);
      begun.push(slot);
    }
  }

  private familyOf(slot: number): Family {
    const { rows } = this;
    const byRate = rows.conditionOf(slot).trailRateE8 > 0;
    const sells = rows.sells(slot);
    const at = familiesAt(rows.marketId(slot), rows.reference(slot)) + (sells ? 2 : 0) + (byRate ? 1 : 0);
    while (this.families.length <= at) this.families.push(undefined);
    const found = this.families[at] ?? new Family(rows, sells, byRate, this.groupOf);
    this.families[at] = found;
    return found;
  }

  private pairOf(slot: number): number {
    return pairAt(this.rows.marketId(slot), this.rows.reference(slot));
  }
}

/** Of each market and price: buys and sells, by an amount and by a rate. */
const FAMILIES = 4;

function pairAt(marketId: number, reference: number): number {
  return marketId * REFERENCES.length + reference;
}

function familiesAt(marketId: number, reference: number): number {
  return pairAt(marketId, reference) * FAMILIES;
}
