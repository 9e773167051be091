/**
 * The first addition to a pool, which sets its price and how many shares there are. Source: domain 5.4 and *Settled
 * (5)*.
 */
import type { Market } from "../listing/market.ts";
import { divCeil } from "../money/rounding.ts";
import type { Pool, PoolRange } from "./pool.ts";
import { rootFloor } from "./root.ts";

const TWO_64 = 1n << 64n;
const TWO_128 = 1n << 128n;

/** The amounts of the offer that an addition takes, the shares that it makes, and the offsets of the pool then. */
export interface Taken {
  readonly base: bigint;
  readonly quote: bigint;
  readonly shares: bigint;
  readonly baseOffset: bigint;
  readonly quoteOffset: bigint;
}

/** The addition with which a pool begins. */
export function firstAddition(market: Market, pool: Pool, base: bigint, quote: bigint): Taken {
  if (pool.range === undefined)
    return { base, quote, shares: rootFloor(base * quote), baseOffset: 0n, quoteOffset: 0n };
  return rangedAddition(market, pool.range, base, quote);
}

/**
 * Of a finite pool, with s the root of the price it begins with, and sa and sb those of its range: the liquidity L that
 * the scarcer of both amounts gives, and what this L takes. At or beyond an end of the range only one currency is
 * taken, and bounds.
 */
function rangedAddition(market: Market, range: PoolRange, base: bigint, quote: bigint): Taken {
  const low = rootOfPrice(market, range.low);
  const high = rootOfPrice(market, range.high);
  const within = rootOfPrice(market, range.price);
  const now = within < low ? low : within > high ? high : within;
  const byBase = now < high ? (base * now * high) / (TWO_64 * (high - now)) : undefined;
  const byQuote = now > low ? (quote * TWO_64) / (now - low) : undefined;
  const shares = smallest(byBase, byQuote);
  return {
    base: divCeil(shares * TWO_64 * (high - now), now * high),
    quote: divCeil(shares * (now - low), TWO_64),
    shares,
    baseOffset: divCeil(shares * TWO_64, high),
    quoteOffset: divCeil(shares * low, TWO_64),
  };
}

/** The root of a price in ticks, as quote units per base unit, in 2^-64. */
function rootOfPrice({ unitsPerLot, unitsPerLotTick }: Market, ticks: bigint): bigint {
  return rootFloor((ticks * unitsPerLotTick * TWO_128) / unitsPerLot);
}

function smallest(left: bigint | undefined, right: bigint | undefined): bigint {
  if (left === undefined) return right ?? 0n;
  return right === undefined || left < right ? left : right;
}
