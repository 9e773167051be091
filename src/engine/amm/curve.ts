import { larger, smaller } from "../money/extremes.ts";
import { divCeil } from "../money/rounding.ts";
import { gridDown, gridUp } from "./grid.ts";

/**
 * The curve of a pool as it stands: (base + baseOffset) · (quote + quoteOffset) stays the same but for what providers
 * earn. A level is what, all traded at its price, moves the pool's own price there; so a level that is partly taken
 * keeps exactly its remainder, the product never falls and bids never meet asks. Source: domain 5.1 and 5.3.
 */
export interface Curve {
  /** Reserves in units of their assets. */
  readonly base: bigint;
  readonly quote: bigint;
  readonly baseOffset: bigint;
  readonly quoteOffset: bigint;
  readonly grid: Grid;
}

/** In what a market counts, and the prices of its pool. */
export interface Grid {
  /** Base units of a lot. */
  readonly unitsPerLot: bigint;
  /** Quote units of a lot at a price of one tick. */
  readonly unitsPerLotTick: bigint;
  readonly digits: number;
  readonly maxPrice: bigint;
}

/** The offer of a pool at one price: ticks and lots, both above 0. */
export interface PoolLevel {
  readonly price: bigint;
  readonly lots: bigint;
}

/**
 * The best level of a side (0 = bid, 1 = ask) that is worse than `beyond`, in ticks; undefined when there is none. The
 * first price that offers a lot is worked out and not looked for, so that a pool of dust costs no more than another.
 */
export function bestLevel(curve: Curve, side: number, beyond: bigint): PoolLevel | undefined {
  return side === 1 ? bestAsk(curve, beyond) : bestBid(curve, beyond);
}

/** All levels of a side from best to worst, each as it is once the better ones have been taken. */
export function* levelsFrom(curve: Curve, side: number, beyond: bigint): Generator<PoolLevel> {
  let rest = curve;
  for (let level = bestLevel(rest, side, beyond); level !== undefined; level = bestLevel(rest, side, beyond)) {
    yield level;
    rest = curveAfter(rest, side, level);
  }
}

/** The curve when so many lots of a side have been taken at a price. */
export function curveAfter(curve: Curve, side: number, { price, lots }: PoolLevel): Curve {
  const { unitsPerLot, unitsPerLotTick } = curve.grid;
  const sign = side === 1 ? 1n : -1n;
  return {
    ...curve,
    base: curve.base - sign * lots * unitsPerLot,
    quote: curve.quote + sign * price * lots * unitsPerLotTick,
  };
}

/** Lots at P: (P·c·X - Y·u) / (2·P·c·u), which is one from Y·u / (c·(X - 2u)) on. */
function bestAsk({ base, quote, baseOffset, quoteOffset, grid }: Curve, above: bigint): PoolLevel | undefined {
  const { unitsPerLot: u, unitsPerLotTick: c, digits, maxPrice } = grid;
  const wholeBase = base + baseOffset;
  const wholeQuote = (quote + quoteOffset) * u;
  if (base < u || wholeBase <= 2n * u) return undefined;
  const price = gridUp(larger(divCeil(wholeQuote, c * (wholeBase - 2n * u)), above + 1n), digits);
  if (price > maxPrice) return undefined;
  const lots = (price * c * wholeBase - wholeQuote) / (2n * price * c * u);
  return { price, lots: smaller(lots, base / u) };
}

/** Lots at P: (Y·u - P·c·X) / (2·P·c·u), which is one up to Y·u / (c·(X + 2u)). */
function bestBid({ base, quote, baseOffset, quoteOffset, grid }: Curve, below: bigint): PoolLevel | undefined {
  const { unitsPerLot: u, unitsPerLotTick: c, digits, maxPrice } = grid;
  const wholeBase = base + baseOffset;
  const wholeQuote = (quote + quoteOffset) * u;
  const offered = smaller(wholeQuote / (c * (wholeBase + 2n * u)), quote / c);
  const price = gridDown(smaller(smaller(offered, below - 1n), maxPrice), digits);
  if (price <= 0n) return undefined;
  const lots = (wholeQuote - price * c * wholeBase) / (2n * price * c * u);
  return { price, lots: smaller(lots, quote / (price * c)) };
}
