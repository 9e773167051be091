import { divCeil } from "../money/rounding.ts";
import type { State } from "../state.ts";
import { EARNING } from "./pool.ts";
import { claimsOf } from "./provider.ts";

/**
 * The shares of providers in pools, as a debt of the venue: a part of the reserves, rounded up, and dividends that are
 * not paid yet.
 */
export function poolsOwed(state: State, owe: (userId: number, assetId: number, units: bigint) => void): void {
  const { ledger } = state;
  for (const { pool, baseAssetId, quoteAssetId } of state.markets) {
    if (pool === undefined || pool.shares === 0n) continue;
    const base = ledger.available(pool.cells.base);
    const quote = ledger.available(pool.cells.quote);
    for (const [userId, provider] of pool.providers) {
      const claims = claimsOf(pool, provider);
      const { shares } = provider;
      owe(userId, baseAssetId, divCeil(shares * base, pool.shares) + (claims[EARNING.dividendBase] as bigint));
      owe(userId, quoteAssetId, divCeil(shares * quote, pool.shares) + (claims[EARNING.dividendQuote] as bigint));
    }
  }
}
