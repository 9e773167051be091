import { adlLevels } from "../../engine/futures/liquidation/deleverage.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";

/** The levels of one side of a market, by position id, as they stood at a command. */
interface Queue {
  readonly levels: ReadonlyMap<number, number>;
  /** Whose they are: a venue that went back has others. */
  readonly positions: State["futures"]["positions"];
  readonly seq: number;
  readonly timeMs: number;
}

/** The queue of a larger side is looked at again only this often: a level is one of five bands and moves slowly. */
const EXACT_MAX = 200;
const KEPT_MS = 1_000;

/** How near each position is to being closed against a bankrupt one: its place among the positions of its side. */
export class AdlLevels {
  readonly #state: State;
  /** By 2 * market + (short ? 1 : 0). */
  readonly #queues: (Queue | undefined)[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  /** 1 to 5; 5 is closed first. Source: domain 4.15. */
  of(slot: number): number {
    return this.#levelsWith(slot).get(this.#state.futures.positions.positionId(slot)) ?? 1;
  }

  /** How many positions stand in the queue of this one. */
  sizeOf(slot: number): number {
    return this.#levelsWith(slot).size;
  }

  /** The levels of the side that a position is on; it is among them. */
  #levelsWith(slot: number): ReadonlyMap<number, number> {
    const { markets, seq, timeMs, futures } = this.#state;
    const { positions } = futures;
    const [marketId, isShort, positionId] = [
      positions.marketId(slot),
      positions.isShort(slot),
      positions.positionId(slot),
    ];
    const at = marketId * 2 + (isShort ? 1 : 0);
    const known = this.#queues[at];
    const isSame = known !== undefined && known.positions === positions;
    const isKept = isSame && known.levels.size > EXACT_MAX && timeMs - known.timeMs < KEPT_MS;
    if (isSame && (known.seq === seq || isKept) && known.levels.has(positionId)) return known.levels;
    const levels = adlLevels(this.#state, markets[marketId] as Market, isShort);
    this.#queues[at] = { levels, positions, seq, timeMs };
    return levels;
  }
}
