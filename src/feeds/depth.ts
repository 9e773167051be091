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

/** Views kept between two changes of the book: every limit with every interval of the contract is fewer. */
const VIEWS_MAX = 128;

/**
 * The displayed book of one market. Views are made when they are asked for and kept until the book changes.
 * Source: domain 8, depth; contract/websocket/README.md, checksum.
 */
export class Depth {
  readonly #bids = new LevelList();
  readonly #asks = new LevelList();
  readonly #views = new Map<string, DepthView>();
  #updatedAt: number;
  /** How often it has changed. */
  changes = 0;

  /** `updatedAt` stands for the last change until there is one. */
  constructor(updatedAt: number) {
    this.#updatedAt = updatedAt;
  }

  /** Takes over what is displayed at a price; 0 lots: nothing. */
  set(side: Side, price: bigint, lots: bigint, timeMs: number): void {
    (side === "buy" ? this.#bids : this.#asks).set(price, lots);
    this.#updatedAt = timeMs;
    this.changes++;
    if (this.#views.size > 0) this.#views.clear();
  }

  /** At most `limit` rows a side. Prices are merged to multiples of `step` ticks, asks up and bids down; 1 merges nothing. */
  view(limit: number, step: bigint, precision: MarketPrecision): DepthView {
    const key = `${limit} ${step}`;
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    if (this.#views.size === VIEWS_MAX) this.#views.clear();
    const view = this.#makeView(limit, step, precision, [], []);
    this.#views.set(key, view);
    return view;
  }

  /** As `view`, with the hidden orders of somebody who looks at it, for nobody else; made anew each time. */
  viewWith(hidden: OwnHidden, limit: number, step: bigint, precision: MarketPrecision): DepthView {
    return this.#makeView(limit, step, precision, hidden.levels("sell"), hidden.levels("buy"));
  }

  best(): BestQuotes {
    const [bidPrice, bidLots] = bestOf(this.#bids, "down");
    const [askPrice, askLots] = bestOf(this.#asks, "up");
    return { bidPrice, bidLots, askPrice, askLots, updatedAt: this.#updatedAt };
  }

  #makeView(
    limit: number,
    step: bigint,
    precision: MarketPrecision,
    hiddenAsks: readonly HiddenLevel[],
    hiddenBids: readonly HiddenLevel[],
  ): DepthView {
    const asks = rowsOf(this.#asks, hiddenAsks, "up", limit, (price) => divCeil(price, step) * step, precision);
    const bids = rowsOf(this.#bids, hiddenBids, "down", limit, (price) => price - (price % step), precision);
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

function bestOf(levels: LevelList, direction: "up" | "down"): readonly [price: bigint, lots: bigint] {
  let best: readonly [bigint, bigint] = [0n, 0n];
  levels.walk(direction, (price, lots) => {
    best = [price, lots];
    return false;
  });
  return best;
}

/** Walks displayed levels and those of `hidden`, which stand in the same order, as one side. */
function walkBoth(
  levels: LevelList,
  hidden: readonly HiddenLevel[],
  direction: "up" | "down",
  visit: (price: bigint, lots: bigint) => boolean,
): void {
  let next = 0;
  let goesOn = true;
  /** Visits the hidden levels before `price`, all of them without one. */
  const visitHidden = (price?: bigint) => {
    for (; goesOn && next < hidden.length; next++) {
      const level = hidden[next] as HiddenLevel;
      if (price !== undefined && (direction === "up" ? level.price >= price : level.price <= price)) return;
      goesOn = visit(level.price, level.lots);
    }
  };
  levels.walk(direction, (price, lots) => {
    visitHidden(price);
    goesOn &&= visit(price, lots);
    return goesOn;
  });
  visitHidden();
}

function rowsOf(
  levels: LevelList,
  hidden: readonly HiddenLevel[],
  direction: "up" | "down",
  limit: number,
  merge: (price: bigint) => bigint,
  { pricePrecision, amountPrecision }: MarketPrecision,
): DepthRow[] {
  const prices: bigint[] = [];
  const amounts: bigint[] = [];
  walkBoth(levels, hidden, direction, (price, lots) => {
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
