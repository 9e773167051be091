import { type Answer, accepted, refused } from "../answer.ts";
import type { Market } from "../listing/market.ts";
import { isLocked } from "../listing/status.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { scaledOffsets } from "./add.ts";
import { AMM_POSTING } from "./codes.ts";
import type { RemoveLiquidity } from "./command-schemas.ts";
import { DAY_MS, type Pool, type Provider } from "./pool.ts";
import { payDividends } from "./provider.ts";
import { poolFor } from "./refuse.ts";
import { partOf } from "./reserves.ts";

/** The wait in ms after which an addition made in an auction may be taken back in it. */
const AUCTION_WAIT_MS = 60_000;

/**
 * Takes out all that a user has in a pool: his part of both reserves, rounded down, and his dividends. Source: domain
 * 5.4 and 2.12.
 */
export function removeLiquidity(state: State, { userId, market: name }: RemoveLiquidity): Answer {
  const found = poolFor(state, userId, name, false);
  if ("refusal" in found) return found.refusal;
  const { market, pool } = found;
  const provider = pool.providers.get(userId);
  if (provider === undefined) return refused("no_liquidity", `The user has nothing in the pool of ${name}.`);
  if (isLocked(state, market)) {
    return refused("auction_locked", "In the second phase of an auction nothing is taken out of a pool.");
  }
  if (state.timeMs < freeAt(market, provider)) {
    return refused("liquidity_locked", "Liquidity stays in a pool for 24 hours after the last addition.");
  }

  // Nothing is refused below this line.
  takeOut(state, market, pool, userId, provider);
  return accepted({});
}

/**
 * From when on a provider may leave: a day after his last addition. What was added in the auction under way has been of
 * no use to anybody and may go after a minute; what was there before waits its day. Otherwise anyone who calls an
 * interruption could leave by it.
 */
export function freeAt({ status, biddingAt }: Market, { addedAt }: Provider): number {
  return addedAt + (status === "bidding" && addedAt > biddingAt ? AUCTION_WAIT_MS : DAY_MS);
}

/** Gives every provider his part of the pool of a market that leaves the list. */
export function closePool(state: State, market: Market): void {
  const { pool } = market;
  if (pool === undefined) return;
  for (const [userId, provider] of pool.providers) {
    takeOut(state, market, pool, userId, provider);
  }
}

/** The last one takes everything, since his shares are all there are. */
function takeOut(state: State, market: Market, pool: Pool, userId: number, provider: Provider): void {
  const { ledger, events } = state;
  payDividends(state, market, pool, userId, provider);
  const { shares } = provider;
  const { base, quote } = partOf(state, pool, shares);
  for (const [assetId, cell, units] of [
    [market.baseAssetId, pool.cells.base, base],
    [market.quoteAssetId, pool.cells.quote, quote],
  ] as const) {
    if (units === 0n) continue;
    ledger.post(events, cell, -units, 0n, AMM_POSTING.amm_remove, market.id);
    ledger.post(events, ledger.spotCell(userId, assetId), units, 0n, AMM_POSTING.amm_remove, market.id);
  }
  const { baseOffset, quoteOffset } = scaledOffsets(pool, pool.shares - shares);
  pool.baseOffset = baseOffset;
  pool.quoteOffset = quoteOffset;
  pool.shares -= shares;
  pool.providers.delete(userId);
  pool.note();
  emitRareEvent(state, {
    type: "liquidity_removed",
    marketId: market.id,
    userId,
    base: base.toString(),
    quote: quote.toString(),
    shares: shares.toString(),
  });
}
