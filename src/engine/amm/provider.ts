/** The earnings of a provider, and how they are paid. Source: domain 5.5. */

import type { Market } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { AMM_POSTING } from "./codes.ts";
import { PER_SHARE_BITS } from "./fill.ts";
import { EARNING, EARNINGS, type Pool, type Provider } from "./pool.ts";
import { worthOfBase } from "./reserves.ts";

/** Somebody who begins to provide now. */
export function newProvider(pool: Pool): Provider {
  return { shares: 0n, addedAt: 0, seen: [...pool.perShare], owed: zeros(), dividends: [] };
}

export function zeros(): bigint[] {
  return Array.from({ length: EARNINGS }, () => 0n);
}

/** Units of each of EARNING that a provider has a claim to, rounded down. */
export function claimsOf(pool: Pool, { shares, seen, owed }: Provider): bigint[] {
  return owed.map((before, each) => {
    const since = (pool.perShare[each] as bigint) - (seen[each] as bigint);
    return before + ((shares * since) >> PER_SHARE_BITS);
  });
}

/** Takes down what a provider has earned so far: his shares are about to change. */
export function settleClaims(pool: Pool, provider: Provider): void {
  for (const [each, claim] of claimsOf(pool, provider).entries()) {
    provider.owed[each] = claim;
    provider.seen[each] = pool.perShare[each] as bigint;
  }
}

/** Pays a provider his dividends out of the pot. Returns what they are worth in quote units at the pool's price. */
export function payDividends(state: State, market: Market, pool: Pool, userId: number, provider: Provider): bigint {
  settleClaims(pool, provider);
  const { ledger, events } = state;
  const { owed } = provider;
  const base = owed[EARNING.dividendBase] as bigint;
  const quote = owed[EARNING.dividendQuote] as bigint;
  owed[EARNING.dividendBase] = 0n;
  owed[EARNING.dividendQuote] = 0n;
  if (base === 0n && quote === 0n) return 0n;
  const pay = (pot: number, assetId: number, units: bigint) => {
    if (units === 0n) return;
    ledger.post(events, pot, -units, 0n, AMM_POSTING.amm_dividend, market.id);
    ledger.post(events, ledger.spotCell(userId, assetId), units, 0n, AMM_POSTING.amm_dividend, market.id);
  };
  pay(pool.cells.basePot, market.baseAssetId, base);
  pay(pool.cells.quotePot, market.quoteAssetId, quote);
  emitRareEvent(state, {
    type: "dividend_paid",
    marketId: market.id,
    userId,
    base: base.toString(),
    quote: quote.toString(),
  });
  return quote + worthOfBase(state, pool, base);
}
