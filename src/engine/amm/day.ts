/** The end of a pool's day, at 00:00 UTC: dividends are paid and every provider has his record. Source: domain 5.5. */
import type { Due } from "../due.ts";
import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { AMM_RANK } from "./codes.ts";
import { worthOf } from "./figures.ts";
import { DAY_MS, DAYS_SHOWN, EARNING, type Pool, type Provider, proportionE8 } from "./pool.ts";
import { payDividends } from "./provider.ts";

/** When the day of a market's pool ends. */
export function poolDue(state: State, market: Market): Due[] {
  const { pool } = market;
  if (pool === undefined) return [];
  return [{ atMs: pool.dayEndsAt, rank: AMM_RANK.amm_day, id: market.id, run: () => endDay(state, market, pool) }];
}

function endDay(state: State, market: Market, pool: Pool): void {
  const endedAt = pool.dayEndsAt;
  pool.dayEndsAt += DAY_MS;
  pool.days = lastDays([...pool.days, pool.today]);
  pool.today = { traded: 0n, dividends: 0n };
  for (const [userId, provider] of pool.providers) {
    const paid = payDividends(state, market, pool, userId, provider);
    provider.dividends = lastDays([...provider.dividends, paid]);
    tellIncome(state, market, pool, userId, provider, endedAt);
  }
}

function tellIncome(
  state: State,
  market: Market,
  pool: Pool,
  userId: number,
  { shares, owed, dividends }: Provider,
  atMs: number,
): void {
  emitRareEvent(state, {
    type: "pool_income",
    marketId: market.id,
    userId,
    atMs,
    base: (owed[EARNING.tradedBase] as bigint).toString(),
    quote: (owed[EARNING.tradedQuote] as bigint).toString(),
    liquidity: worthOf(state, pool, shares).toString(),
    proportionE8: proportionE8(pool, shares),
    dividends: dividends.reduce((sum, paid) => sum + paid, 0n).toString(),
  });
  owed[EARNING.tradedBase] = 0n;
  owed[EARNING.tradedQuote] = 0n;
}

function lastDays<Figure>(all: Figure[]): Figure[] {
  return all.slice(-DAYS_SHOWN);
}
