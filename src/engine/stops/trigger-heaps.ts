import { REFERENCE } from "../command.ts";
import { NONE } from "../trading/order.ts";
import { TriggerHeap, type TriggerRows } from "./trigger-heap.ts";

/** Of a heap in which nothing waits: prices that no price reaches. */
const NEVER_FALLS_TO = -1n;
const NEVER_RISES_TO = (1n << 63n) - 1n;

/** Rows that wait for a price of their market, each in one of the market's heaps. */
export interface WaitingRows extends TriggerRows {
  marketId(slot: number): number;
  /** The price that its trigger is compared with: one of REFERENCE of command.ts. */
  reference(slot: number): number;
  /** Whether it waits for the price to rise. */
  rises(slot: number): boolean;
}

export const REFERENCES: readonly (typeof REFERENCE)[keyof typeof REFERENCE][] = Object.values(REFERENCE);

/**
 * All that waits for the prices of all markets: for each market and each price that a trigger can be compared with two
 * heaps, of what waits for a fall and of what waits for a rise.
 */
export class TriggerHeaps {
  /**
   * Ids of markets in which something may fire: a price has come, or a trigger was set, since the last look found none
   * reached. In all others none is; the price of a deal apart, after which its market is looked at anyway.
   */
  readonly dirty = new Set<number>();
  private readonly rows: WaitingRows;
  private readonly heaps: TriggerHeap[] = [];
  /** Ticks of what fires next, as `heaps`: one comparison each says that nothing does. */
  private nearest = new BigInt64Array(0);

  constructor(rows: WaitingRows) {
    this.rows = rows;
  }

  insert(slot: number): void {
    const at = this.pairOf(slot);
    while (this.heaps.length < at + 2) this.heaps.push(new TriggerHeap(this.rows, this.heaps.length % 2 === 1));
    this.heapOf(slot).insert(slot);
    this.noteNearest(at);
    this.dirty.add(this.rows.marketId(slot));
  }

  remove(slot: number): void {
    this.heapOf(slot).remove(slot);
    this.noteNearest(this.pairOf(slot));
  }

  /** The heap in which a row waits. */
  heapOf(slot: number): TriggerHeap {
    return this.heaps[this.pairOf(slot) + (this.rows.rises(slot) ? 1 : 0)] as TriggerHeap;
  }

  /** Whether something may fire at this price of a market; where there is no price yet it always may. */
  mayFire(marketId: number, reference: number, price: bigint): boolean {
    const at = pairAt(marketId, reference);
    return (
      at < this.nearest.length && (price <= (this.nearest[at] as bigint) || price >= (this.nearest[at + 1] as bigint))
    );
  }

  /** Adds to `due` everything of the market that fires at this price. */
  collect(marketId: number, reference: number, price: number, due: number[]): void {
    const at = pairAt(marketId, reference);
    this.heaps[at]?.collect(price, due);
    this.heaps[at + 1]?.collect(price, due);
  }

  /** Everything that waits in a market, in no order. */
  ofMarket(marketId: number): number[] {
    const slots: number[] = [];
    const from = pairAt(marketId, 0);
    for (const heap of this.heaps.slice(from, from + REFERENCES.length * 2)) {
      for (let place = 0; place < heap.size; place++) slots.push(heap.at(place) as number);
    }
    return slots;
  }

  private pairOf(slot: number): number {
    return pairAt(this.rows.marketId(slot), this.rows.reference(slot));
  }

  private noteNearest(at: number): void {
    if (at >= this.nearest.length) {
      const grown = new BigInt64Array(Math.max(at + 2, this.nearest.length * 2));
      for (let other = 0; other < grown.length; other++) {
        grown[other] = this.nearest[other] ?? (other % 2 === 0 ? NEVER_FALLS_TO : NEVER_RISES_TO);
      }
      this.nearest = grown;
    }
    const [falls, rises] = [this.heaps[at]?.top ?? NONE, this.heaps[at + 1]?.top ?? NONE];
    this.nearest[at] = falls === NONE ? NEVER_FALLS_TO : BigInt(this.rows.trigger(falls));
    this.nearest[at + 1] = rises === NONE ? NEVER_RISES_TO : BigInt(this.rows.trigger(rises));
  }
}

function pairAt(marketId: number, reference: number): number {
  return (marketId * REFERENCES.length + reference) * 2;
}
