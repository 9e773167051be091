import { REFERENCE, type TriggerType } from "../../command.ts";
import type { TriggerHeap } from "../../stops/trigger-heap.ts";
import { TriggerHeaps, type WaitingRows } from "../../stops/trigger-heaps.ts";
import { SlotIndex } from "../../store/slot-index.ts";
import { SlotTable } from "../../store/table.ts";

export const EXIT_KINDS = ["take_profit", "stop_loss"] as const;
export type ExitKind = (typeof EXIT_KINDS)[number];

/** Bits of an exit's flags. `short` is the side of its position. */
export const EXIT_FLAG = { stopLoss: 1, short: 2, mark: 4 } as const;

const WORDS = 7;

/**
 * Exits that wait to close open positions at a profit or a loss: rows found by id, by position, and by the next to
 * fire. They freeze nothing and reserve nothing. Source: domain 4.10.
 */
export class Exits extends SlotTable implements WaitingRows {
  private readonly index = new SlotIndex(this);
  private readonly heaps = new TriggerHeaps(this);
  /** Slots by slot of the position, in ascending id. */
  private readonly byPosition = new Map<number, number[]>();

  constructor() {
    super(WORDS);
  }

  /** Exits that wait. */
  get live(): number {
    return this.index.count;
  }

  /** A row to fill in, every field by the caller, before it is entered. */
  allocate(): number {
    return this.takeSlot();
  }

  /** Makes an exit wait. Those of one position come in ascending id. */
  enter(slot: number): void {
    this.index.insert(slot);
    this.heaps.insert(slot);
    const slots = this.byPosition.get(this.position(slot));
    if (slots === undefined) this.byPosition.set(this.position(slot), [slot]);
    else slots.push(slot);
  }

  /** Takes an exit out and gives its row back. */
  remove(slot: number): void {
    this.heaps.remove(slot);
    const slots = this.byPosition.get(this.position(slot)) as number[];
    slots.splice(slots.indexOf(slot), 1);
    if (slots.length === 0) this.byPosition.delete(this.position(slot));
    this.index.remove(this.exitId(slot));
    this.giveSlot(slot);
  }

  /** Changes the price that a waiting exit waits for. */
  rearm(slot: number, trigger: number, flags: number): void {
    this.heaps.remove(slot);
    this.setTrigger(slot, trigger);
    this.setFlags(slot, flags);
    this.heaps.insert(slot);
  }

  /** The slot of a waiting exit, or NONE. */
  find(exitId: number): number {
    return this.index.find(exitId);
  }

  /** Exits of a position, by ascending id. */
  ofPosition(position: number): readonly number[] {
    return this.byPosition.get(position) ?? [];
  }

  /** Every exit of a market, by ascending id. */
  ofMarket(marketId: number): number[] {
    return this.heaps.ofMarket(marketId).sort((left, right) => this.exitId(left) - this.exitId(right));
  }

  /** Markets in which an exit may fire: see TriggerHeaps. */
  get dirty(): Set<number> {
    return this.heaps.dirty;
  }

  mayFire(marketId: number, reference: number, price: bigint): boolean {
    return this.heaps.mayFire(marketId, reference, price);
  }

  collect(marketId: number, reference: number, price: number, due: number[]): void {
    this.heaps.collect(marketId, reference, price, due);
  }

  /** The heap in which an exit waits. */
  heapOf(slot: number): TriggerHeap {
    return this.heaps.heapOf(slot);
  }

  keyOf(slot: number): number {
    return this.exitId(slot);
  }

  override get byteLength(): number {
    return super.byteLength + this.index.byteLength;
  }

  // Fields of a row.

  exitId(slot: number): number {
    return this.f64[slot * WORDS] as number;
  }
  setExitId(slot: number, value: number): void {
    this.f64[slot * WORDS] = value;
  }
  /** Ticks; below 2^53 by listing check L3. */
  trigger(slot: number): number {
    return this.f64[slot * WORDS + 1] as number;
  }
  setTrigger(slot: number, value: number): void {
    this.f64[slot * WORDS + 1] = value;
  }
  /** Lots; 0 = the whole position. */
  amount(slot: number): bigint {
    return this.i64[slot * WORDS + 2] as bigint;
  }
  setAmount(slot: number, value: bigint): void {
    this.i64[slot * WORDS + 2] = value;
  }
  createdAt(slot: number): number {
    return this.f64[slot * WORDS + 3] as number;
  }
  setCreatedAt(slot: number, value: number): void {
    this.f64[slot * WORDS + 3] = value;
  }
  updatedAt(slot: number): number {
    return this.f64[slot * WORDS + 4] as number;
  }
  setUpdatedAt(slot: number, value: number): void {
    this.f64[slot * WORDS + 4] = value;
  }
  /** Slot of its position. */
  position(slot: number): number {
    return this.i32[slot * WORDS * 2 + 10] as number;
  }
  setPosition(slot: number, value: number): void {
    this.i32[slot * WORDS * 2 + 10] = value;
  }
  flags(slot: number): number {
    return this.i32[slot * WORDS * 2 + 11] as number;
  }
  setFlags(slot: number, value: number): void {
    this.i32[slot * WORDS * 2 + 11] = value;
  }
  marketId(slot: number): number {
    return this.i32[slot * WORDS * 2 + 12] as number;
  }
  setMarketId(slot: number, value: number): void {
    this.i32[slot * WORDS * 2 + 12] = value;
  }
  /** The heap's own. */
  place(slot: number): number {
    return this.i32[slot * WORDS * 2 + 13] as number;
  }
  setPlace(slot: number, value: number): void {
    this.i32[slot * WORDS * 2 + 13] = value;
  }

  isWhole(slot: number): boolean {
    return this.amount(slot) === 0n;
  }

  kind(slot: number): ExitKind {
    return (this.flags(slot) & EXIT_FLAG.stopLoss) === 0 ? "take_profit" : "stop_loss";
  }

  triggerType(slot: number): TriggerType {
    return this.reference(slot) === REFERENCE.mark_price ? "mark_price" : "latest_price";
  }

  reference(slot: number): number {
    return (this.flags(slot) & EXIT_FLAG.mark) === 0 ? REFERENCE.latest_price : REFERENCE.mark_price;
  }

  rises(slot: number): boolean {
    return waitsForRise(this.flags(slot));
  }
}

/**
 * A long position takes its profit when the price has risen and stops its loss when it has fallen; a short one the
 * reverse.
 */
export function waitsForRise(flags: number): boolean {
  return ((flags & EXIT_FLAG.stopLoss) === 0) !== ((flags & EXIT_FLAG.short) !== 0);
}
