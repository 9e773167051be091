import { crc32 } from "node:zlib";
import type { Side } from "../engine/command.ts";
import { formatDecimal, parseDecimal } from "../engine/money/decimal.ts";
import { divCeil } from "../engine/money/rounding.ts";
import { LevelList } from "./level-list.ts";
import type { HiddenLevel, OwnHidden } from "./own-hidden.ts";

/** Decimals with which a market's prices and amounts are written. */
export interface MarketPrecision {
  readonly pricePrecision: number;
  readonly amountPrecision: number;
}

/** A price and the amount that rests at it, as decimal texts. */
export type DepthRow = readonly [price: string, amount: string];

/** The book as it is sent, best rows first on both sides. */
export interface DepthView {
  readonly asks: readonly DepthRow[];
  readonly bids: readonly DepthRow[];
  /** ms of the last change of the book. */
  readonly updatedAt: number;
  /** Unsigned CRC-32 over the rows as they are written: `price:amount` of all bids, then of all asks, joined by `:`. */
  readonly checksum: number;
  /** `"asks":[[…],…],"bids":[[…],…]`, to be put into a JSON object. */
  readonly json: string;
}

/** The best price of each side and what is displayed there; 0 and 0 on a side that is empty. In ticks and lots. */
export interface BestQuotes {
  readonly bidPrice: bigint;
  readonly bidLots: bigint;
  readonly askPrice: bigint;
  readonly askLots: bigint;
  /** ms of the last change of the book. */
  readonly updatedAt: number;
}

/** Levels of one side that stand beside those of the book, best first; ticks and lots. */
export type MoreLevels = Iterable<HiddenLevel>;

/** Returns the levels that a pool quotes on a side now. */
export type PoolQuotes = (side: Side) => MoreLevels;

const NO_QUOTES: PoolQuotes = () => [];

/** Views kept between two changes of the book: every limit with every interval of the contract is fewer. */
const VIEWS_MAX = 128;

/**
 * The displayed book of one market, with what its pool quotes. Views are made when they are asked for and kept until
 * the book changes, or the pool does, of which `note` tells. Source: domain 8, depth; contract/websocket/README.md,
 * checksum.
 */
export class Depth {
  readonly #bids = new LevelList();
  readonly #asks = new LevelList();
  readonly #views = new Map<string, DepthView>();
  readonly #pool: PoolQuotes;
  #updatedAt: number;

  /** `updatedAt` stands for the last change until there is one. */
  constructor(updatedAt: number, pool: PoolQuotes = NO_QUOTES) {
    this.#updatedAt = updatedAt;
    this.#pool = pool;
  }

  /** Takes over what is displayed at a price; 0 lots: nothing. */
  set(side: Side, price: bigint, lots: bigint, timeMs: number): void {
    (side === "buy" ? this.#bids : this.#asks).set(price, lots);
    this.note(timeMs);
  }

  /** Notes that something has changed that is not told level by level: what the pool quotes. */
  note(timeMs: number): void {
    this.#updatedAt = timeMs;
    if (this.#views.size > 0) this.#views.clear();
  }

  /**
   * At most `limit` rows a side. Prices are merged to multiples of `step` ticks, asks up and bids down; 1 merges
   * nothing.
   */
  view(limit: number, step: bigint, precision: MarketPrecision): DepthView {
    const key = `${limit} ${step}`;
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    if (this.#views.size === VIEWS_MAX) this.#views.clear();
    const view = this.#makeView(limit, step, precision, this.#pool("sell"), this.#pool("buy"));
    this.#views.set(key, view);
    return view;
  }

  /** As `view`, with the hidden orders of somebody who looks at it, for nobody else; made anew each time. */
  viewWith(hidden: OwnHidden, limit: number, step: bigint, precision: MarketPrecision): DepthView {
    const asks = merged(hidden.levels("sell"), this.#pool("sell"), "up");
    const bids = merged(hidden.levels("buy"), this.#pool("buy"), "down");
    return this.#makeView(limit, step, precision, asks, bids);
  }

  best(): BestQuotes {
    const [bidPrice, bidLots] = bestOf(this.#bids, this.#pool("buy"), "down");
    const [askPrice, askLots] = bestOf(this.#asks, this.#pool("sell"), "up");
    return { bidPrice, bidLots, askPrice, askLots, updatedAt: this.#updatedAt };
  }

  #makeView(
    limit: number,
    step: bigint,
    precision: MarketPrecision,
    moreAsks: MoreLevels,
    moreBids: MoreLevels,
  ): DepthView {
    const asks = rowsOf(this.#asks, moreAsks, "up", limit, (price) => divCeil(price, step) * step, precision);
    const bids = rowsOf(this.#bids, moreBids, "down", limit, (price) => price - (price % step), precision);
    return {
      asks,
      bids,
      updatedAt: this.#updatedAt,
      checksum: checksumOf(bids, asks),
      json: `"asks":${JSON.stringify(asks)},"bids":${JSON.stringify(bids)}`,
    };
  }
}

/** The checksum of a book as it is sent; 0 when it is empty. */
export function checksumOf(bids: readonly DepthRow[], asks: readonly DepthRow[]): number {
  return crc32([...bids, ...asks].map(([price, amount]) => `${price}:${amount}`).join(":"));
}

/**
 * Ticks of a merge interval such as "0.1"; 1, which merges nothing, for "0" and for intervals finer than a tick.
 * Intervals are powers of ten, so they are whole ticks from there on.
 */
export function stepOf(interval: string, { pricePrecision }: MarketPrecision): bigint {
  const step = parseDecimal(interval, pricePrecision);
  return step === undefined || step === 0n ? 1n : step;
}

/** The best price of a side, and all that stands at it. */
function bestOf(levels: LevelList, more: MoreLevels, direction: "up" | "down"): readonly [price: bigint, lots: bigint] {
  let best: readonly [bigint, bigint] = [0n, 0n];
  walkBoth(levels, more, direction, (price, lots) => {
    if (best[1] > 0n && price !== best[0]) return false;
    best = [price, best[1] + lots];
    return true;
  });
  return best;
}

/** Walks displayed levels and `more`, which stand in the same order, as one side. */
function walkBoth(
  levels: LevelList,
  more: MoreLevels,
  direction: "up" | "down",
  visit: (price: bigint, lots: bigint) => boolean,
): void {
  const others = more[Symbol.iterator]();
  let other = others.next().value as HiddenLevel | undefined;
  let goesOn = true;
  /** Visits the other levels before `price`, all of them without one. */
  const visitOthers = (price?: bigint) => {
    for (; goesOn && other !== undefined; other = others.next().value as HiddenLevel | undefined) {
      if (price !== undefined && (direction === "up" ? other.price >= price : other.price <= price)) return;
      goesOn = visit(other.price, other.lots);
    }
  };
  levels.walk(direction, (price, lots) => {
    visitOthers(price);
    goesOn &&= visit(price, lots);
    return goesOn;
  });
  visitOthers();
}

/** Levels of two kinds as one side. */
function* merged(few: readonly HiddenLevel[], many: MoreLevels, direction: "up" | "down"): Generator<HiddenLevel> {
  let next = 0;
  for (const level of many) {
    for (; next < few.length; next++) {
      const { price } = few[next] as HiddenLevel;
      if (direction === "up" ? price > level.price : price < level.price) break;
      yield few[next] as HiddenLevel;
    }
    yield level;
  }
  yield* few.slice(next);
}

function rowsOf(
  levels: LevelList,
  more: MoreLevels,
  direction: "up" | "down",
  limit: number,
  merge: (price: bigint) => bigint,
  { pricePrecision, amountPrecision }: MarketPrecision,
): DepthRow[] {
  const prices: bigint[] = [];
  const amounts: bigint[] = [];
  walkBoth(levels, more, direction, (price, lots) => {
    const merged = merge(price);
    const last = prices.length - 1;
    if (prices[last] === merged) {
      amounts[last] = (amounts[last] as bigint) + lots;
      return true;
    }
    if (prices.length === limit) return false;
    prices.push(merged);
    amounts.push(lots);
    return true;
  });
  return prices.map((price, at) => [
    formatDecimal(price, pricePrecision),
    formatDecimal(amounts[at] as bigint, amountPrecision),
  ]);
}
