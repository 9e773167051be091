/** How near each position is to being closed against a bankrupt one: its place among the positions of its side. */
import { adlLevel, adlPriority } from "../../../engine/futures/adl-rank.ts";
import { signOf } from "../../../engine/futures/contract.ts";
import { atMark, factsOf, marginOf, positionsIn, termsOf } from "../../../engine/futures/standing.ts";
import type { State } from "../../../engine/state.ts";

/** Priorities of one side of a market, highest first, as they stood at a command. */
interface Queue {
  readonly priorities: readonly bigint[];
  readonly seq: number;
  readonly timeMs: number;
}

/** The queue of a larger side is looked at again only this often: a level is one of five bands and moves slowly. */
const EXACT_MAX = 200;
const KEPT_MS = 1_000;

export class AdlLevels {
  readonly #state: State;
  /** By 2 * market + (short ? 1 : 0). */
  readonly #queues: (Queue | undefined)[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  /** 1 to 5; 5 is closed first. Source: domain 4.15. */
  of(slot: number): number {
    const { positions } = this.#state.futures;
    const { priorities } = this.#queue(positions.marketId(slot), positions.isShort(slot));
    const own = priorityOf(this.#state, slot);
    return adlLevel(Math.min(rankOf(priorities, own), priorities.length), priorities.length);
  }

  #queue(marketId: number, isShort: boolean): Queue {
    const { seq, timeMs } = this.#state;
    const at = marketId * 2 + (isShort ? 1 : 0);
    const known = this.#queues[at];
    if (known !== undefined) {
      const isKept = known.priorities.length > EXACT_MAX && timeMs - known.timeMs < KEPT_MS;
      if (known.seq === seq || isKept) return known;
    }
    const { positions } = this.#state.futures;
    const priorities: bigint[] = [];
    for (const slot of positionsIn(this.#state, marketId)) {
      if (positions.isShort(slot) === isShort) priorities.push(priorityOf(this.#state, slot));
    }
    priorities.sort((left, right) => (left > right ? -1 : left < right ? 1 : 0));
    const made = { priorities, seq, timeMs };
    this.#queues[at] = made;
    return made;
  }
}

function priorityOf(state: State, slot: number): bigint {
  const { positions } = state.futures;
  const { entryCost } = factsOf(state, slot);
  const { value, initial } = atMark(state, slot);
  const terms = termsOf(state, positions.marketId(slot));
  return adlPriority({
    positionId: positions.positionId(slot),
    entryCost,
    valueAtMark: value,
    margin: positions.isIsolated(slot) ? marginOf(state, slot) : initial,
    gainsWithValue: signOf(terms, positions.isShort(slot)) > 0n,
  });
}

/** The place of a priority among those that descend, from 1 on; equal ones share the first place. */
function rankOf(priorities: readonly bigint[], own: bigint): number {
  let first = 0;
  let after = priorities.length;
  while (first < after) {
    const middle = (first + after) >> 1;
    if ((priorities[middle] as bigint) > own) first = middle + 1;
    else after = middle;
  }
  return first + 1;
}
