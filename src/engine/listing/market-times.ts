import { TriggerHeap } from "../stops/trigger-heap.ts";

const NOWHERE = -1;

/** Markets by a time of each, the earliest first, so that a look at what is due costs by what is. */
export class MarketTimes {
  /** By market id: ms, and the place in the heap. */
  private readonly times: number[] = [];
  private readonly places: number[] = [];
  private readonly heap = new TriggerHeap(
    {
      trigger: (marketId) => this.times[marketId] as number,
      keyOf: (marketId) => marketId,
      place: (marketId) => this.places[marketId] as number,
      setPlace: (marketId, place) => {
        this.places[marketId] = place;
      },
    },
    true,
  );

  /** Gives a market a time, ms, whether it had one or not. */
  set(marketId: number, atMs: number): void {
    this.forget(marketId);
    while (this.places.length <= marketId) this.places.push(NOWHERE);
    this.times[marketId] = atMs;
    this.heap.insert(marketId);
  }

  forget(marketId: number): void {
    if (this.at(marketId) === undefined) return;
    this.heap.remove(marketId);
    this.places[marketId] = NOWHERE;
  }

  /** The time of a market, ms; undefined when it has none. */
  at(marketId: number): number | undefined {
    return (this.places[marketId] ?? NOWHERE) === NOWHERE ? undefined : this.times[marketId];
  }

  /** Ids of the markets whose time is not after this one, in order of listing. */
  until(timeMs: number): number[] {
    const due: number[] = [];
    this.heap.collect(timeMs, due);
    return due.sort((left, right) => left - right);
  }
}
