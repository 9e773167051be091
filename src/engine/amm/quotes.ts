/**
 * The quotes of a pool beside the orders of its market: its levels, live only where they cross no order of the other
 * side. It quotes while the market is online, so never in an auction. Source: domain 2.12, 5.3 and 5.6.
 */
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import type { Book } from "../trading/book.ts";
import { bestLevel, levelsFrom, type PoolLevel } from "./curve.ts";
import type { Pool } from "./pool.ts";
import { curveOf } from "./reserves.ts";

/** Where the levels of a side begin when no order stands in their way. */
const ANYWHERE = [(1n << 63n) - 1n, 0n] as const;

/** The pool's levels of a side (0 = bids, 1 = asks) from best to worst; none of a market without a pool. */
export function* poolLevels(state: State, market: Market, side: number): Generator<PoolLevel> {
  const { pool } = market;
  if (pool === undefined || market.status !== "online") return;
  yield* levelsFrom(curveOf(state, market, pool), side, guardOf(state, market, side));
}

/** The best level of a side; undefined when it has none. */
export function bestPoolLevel(state: State, market: Market, pool: Pool, side: number): PoolLevel | undefined {
  if (market.status !== "online") return undefined;
  pool.best ??= [0, 1].map((each) => bestLevel(curveOf(state, market, pool), each, ANYWHERE[each] as bigint));
  const level = pool.best[side];
  const guard = guardOf(state, market, side);
  if (level === undefined || (side === 1 ? level.price > guard : level.price < guard)) return level;
  return bestLevel(curveOf(state, market, pool), side, guard);
}

/** The best level of a side if it is better than `price`: at the same price orders come first. */
export function poolLevelBefore(
  state: State,
  market: Market,
  pool: Pool,
  side: number,
  price: bigint,
): PoolLevel | undefined {
  const level = bestPoolLevel(state, market, pool, side);
  if (level === undefined) return undefined;
  return (side === 1 ? level.price < price : level.price > price) ? level : undefined;
}

/** An ask is live above the best bid of the orders, a bid below their best ask. */
function guardOf(state: State, market: Market, side: number): bigint {
  return (state.books[market.id] as Book).bestPrice[side ^ 1] as bigint;
}
