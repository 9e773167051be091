/**
 * Background traders of a recorded market: their orders rest as the recorded book says, and take as the recorded trades
 * do. Where a level grows a new order joins the end of the queue; where it shrinks without a trade the newest orders of
 * the background traders go first, so that nobody comes forward in a queue but by trades. What others took of a level
 * comes back with its next record.
 */
import { type Grid, unitsOf } from "./grid.ts";
import { type RecordedRow, RecordingError } from "./recording.ts";

type Side = "buy" | "sell";

/** The calls that the background traders make to a venue. Amounts in lots, prices in ticks. */
export interface Floor {
  /** Lots that rest now, and the order's id where any do. */
  place(side: Side, price: bigint, lots: bigint): Promise<{ id: string; left: bigint } | undefined>;
  take(side: Side, price: bigint, lots: bigint): Promise<void>;
  /** Lots that are left of each of these orders, 0 of those that are over. */
  left(ids: readonly string[]): Promise<bigint[]>;
  cancel(id: string): Promise<void>;
  /** Less of an order, which keeps its place; false when the market does not count so little. */
  shrink(id: string, by: bigint): Promise<boolean>;
}

export interface Counts {
  trades: number;
  levels: number;
  /** Records of less than the market trades. */
  dust: number;
}

export class BackgroundTraders {
  readonly #floor: Floor;
  readonly #grid: Grid;
  /** Ids of the background traders' orders by side and price, oldest first. */
  readonly #orders = { buy: new Map<bigint, string[]>(), sell: new Map<bigint, string[]>() };
  readonly counts: Counts = { trades: 0, levels: 0, dust: 0 };

  constructor(floor: Floor, grid: Grid) {
    this.#floor = floor;
    this.#grid = grid;
  }

  /** The middle of the background traders' book in ticks; undefined while a side is empty. */
  get middle(): bigint | undefined {
    const bids = [...this.#orders.buy.keys()];
    const asks = [...this.#orders.sell.keys()];
    if (bids.length === 0 || asks.length === 0) return undefined;
    const best = bids.reduce((one, other) => (other > one ? other : one));
    return (best + asks.reduce((one, other) => (other < one ? other : one))) / 2n;
  }

  async trade(row: RecordedRow): Promise<void> {
    const lots = this.#lotsOf(row);
    if (lots < this.#grid.minLots) {
      this.counts.dust++;
      return;
    }
    await this.#floor.take(row.side, this.#ticksOf(row), lots);
    this.counts.trades++;
  }

  /** A whole book: levels that it does not name are empty. */
  async snapshot(rows: readonly RecordedRow[]): Promise<void> {
    const named = { buy: new Set<bigint>(), sell: new Set<bigint>() };
    for (const row of rows) named[row.side].add(this.#ticksOf(row));
    for (const side of ["buy", "sell"] as const) {
      for (const price of [...this.#orders[side].keys()]) {
        if (!named[side].has(price)) await this.#setLevel(side, price, 0n);
      }
    }
    for (const row of rows) await this.level(row);
  }

  async level(row: RecordedRow): Promise<void> {
    await this.#setLevel(row.side, this.#ticksOf(row), this.#lotsOf(row));
    this.counts.levels++;
  }

  async #setLevel(side: Side, price: bigint, lots: bigint): Promise<void> {
    const known = this.#orders[side].get(price) ?? [];
    const left = known.length === 0 ? [] : await this.#floor.left(known);
    const standing = known.map((id, at) => ({ id, left: left[at] ?? 0n })).filter((order) => order.left > 0n);
    let excess = standing.reduce((sum, order) => sum + order.left, 0n) - lots;
    while (excess > 0n) {
      const newest = standing.at(-1) as { id: string; left: bigint };
      if (newest.left > excess && (await this.#floor.shrink(newest.id, excess))) break;
      await this.#floor.cancel(newest.id);
      standing.pop();
      excess -= newest.left;
    }
    if (-excess >= this.#grid.minLots) {
      const placed = await this.#floor.place(side, price, -excess);
      if (placed !== undefined && placed.left > 0n) standing.push(placed);
    } else if (excess < 0n) this.counts.dust++;
    if (standing.length === 0) this.#orders[side].delete(price);
    else
      this.#orders[side].set(
        price,
        standing.map(({ id }) => id),
      );
  }

  #ticksOf({ price, place }: RecordedRow): bigint {
    const ticks = unitsOf(price, this.#grid.priceDecimals, true);
    if (ticks !== undefined && ticks > 0n) return ticks;
    throw new RecordingError(
      `${place}: the market counts prices in ${this.#grid.priceDecimals} decimals, not ${price}.`,
    );
  }

  #lotsOf({ amount }: RecordedRow): bigint {
    return unitsOf(amount, this.#grid.amountDecimals) ?? 0n;
  }
}
