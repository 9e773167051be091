import { TriggerHeap, type TriggerRows } from "../../stops/trigger-heap.ts";

/** Ways of a mark that can hurt: it falls to a threshold or rises to it. */
export const WAY = { falls: 0, rises: 1 } as const;
const NOWHERE = -1;

/**
 * The marks at which positions have to be looked at, per market and way, nearest first, so that a change of a mark
 * costs by what it affects. An entry is a seat and a way: an isolated position, or what a cross account has in the
 * market. A threshold is never later than what it stands for; what is to happen is decided exactly once it is reached.
 */
export class Thresholds {
  /**
   * Ids of markets whose price may have reached a threshold: it has moved, or a nearer threshold was set, since the
   * last look found none reached. In all others none is.
   */
  readonly dirty = new Set<number>();
  /** By seat row * 2 + way: ticks, and the place in its heap. */
  private ticks = new Float64Array(64);
  private places = new Int32Array(64).fill(NOWHERE);
  private readonly heaps: TriggerHeap[] = [];
  private readonly rows: TriggerRows = {
    trigger: (entry) => this.ticks[entry] as number,
    keyOf: (entry) => entry,
    place: (entry) => this.places[entry] as number,
    setPlace: (entry, place) => {
      this.places[entry] = place;
    },
  };

  /** Sets or moves the threshold of a seat. */
  arm(marketId: number, row: number, way: number, ticks: number): void {
    const entry = row * 2 + way;
    this.makeRoom(entry);
    const isArmed = this.places[entry] !== NOWHERE;
    if (isArmed && this.ticks[entry] === ticks) return;
    this.ticks[entry] = ticks;
    if (isArmed) this.heap(marketId, way).reorder(entry);
    else this.heap(marketId, way).insert(entry);
    if (this.places[entry] === 0) this.dirty.add(marketId);
  }

  disarm(marketId: number, row: number, way: number): void {
    const entry = row * 2 + way;
    if (entry >= this.places.length || this.places[entry] === NOWHERE) return;
    this.heap(marketId, way).remove(entry);
    this.places[entry] = NOWHERE;
  }

  /** Seats of a market whose threshold its present price has reached, with the way. */
  reached(marketId: number, price: number): { readonly row: number; readonly way: number }[] {
    const entries: number[] = [];
    for (const way of [WAY.falls, WAY.rises]) this.heaps[marketId * 2 + way]?.collect(price, entries);
    if (entries.length === 0) this.dirty.delete(marketId);
    return entries.map((entry) => ({ row: entry >> 1, way: entry & 1 }));
  }

  /** Whether a market whose price has reached a threshold is among those that are looked at. */
  isLookedAt(marketId: number, price: number): boolean {
    return this.dirty.has(marketId) || this.reached(marketId, price).length === 0;
  }

  /** The threshold of a seat, ticks; undefined = none. */
  at(row: number, way: number): number | undefined {
    const entry = row * 2 + way;
    return entry < this.places.length && this.places[entry] !== NOWHERE ? this.ticks[entry] : undefined;
  }

  private heap(marketId: number, way: number): TriggerHeap {
    const { heaps, rows } = this;
    while (heaps.length < marketId * 2 + 2) heaps.push(new TriggerHeap(rows, heaps.length % 2 === WAY.rises));
    return heaps[marketId * 2 + way] as TriggerHeap;
  }

  private makeRoom(entry: number): void {
    if (entry < this.places.length) return;
    const ticks = new Float64Array(entry * 2);
    const places = new Int32Array(entry * 2).fill(NOWHERE);
    ticks.set(this.ticks);
    places.set(this.places);
    this.ticks = ticks;
    this.places = places;
  }
}
