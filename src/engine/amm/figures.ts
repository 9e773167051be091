/** Figures of pools beside their reserves. Source: domain 5.6. */
import { divFloor } from "../money/rounding.ts";
import type { State } from "../state.ts";
import { DAYS_SHOWN, type Pool, type PoolDay } from "./pool.ts";
import { partOf, worthOfBase } from "./reserves.ts";

const DAYS_PER_YEAR = 365n;
const ONE_E8 = 100_000_000n;

/** Returns the worth of so many shares at the pool's own price, in quote units, rounded down. */
export function worthOf(state: State, pool: Pool, shares: bigint): bigint {
  const { base, quote } = partOf(state, pool, shares);
  return quote + worthOfBase(state, pool, base);
}

/** Sums over today and the days before it that make a week, in quote units. */
export function weekOf({ days, today }: Pool): PoolDay {
  return sumOf([...days.slice(1 - DAYS_SHOWN), today]);
}

/**
 * Returns the yield of a year at the dividends of the last `count` whole days, as a share of the pool's worth, in
 * 10^-8; 0 of a pool that is worth nothing.
 */
export function yieldE8(state: State, pool: Pool, count: number): number {
  const worth = worthOf(state, pool, pool.shares);
  const { dividends } = sumOf(pool.days.slice(-count));
  return worth === 0n ? 0 : Number(divFloor(dividends * DAYS_PER_YEAR * ONE_E8, worth * BigInt(count)));
}

function sumOf(days: readonly PoolDay[]): PoolDay {
  return days.reduce(
    (sum, { traded, dividends }) => ({ traded: sum.traded + traded, dividends: sum.dividends + dividends }),
    { traded: 0n, dividends: 0n },
  );
}
