import { type Answer, accepted, refused } from "../answer.ts";
import type { Asset } from "../listing/asset.ts";
import type { Market } from "../listing/market.ts";
import { usdSum } from "../listing/usd-price.ts";
import { parseDecimal } from "../money/decimal.ts";
import { divCeil, divHalfAwayFromZero } from "../money/rounding.ts";
import type { Outflow } from "../part.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { refusePledging } from "../wallet/outflow.ts";
import { firstAddition, type Taken } from "./begin.ts";
import { AMM_POSTING } from "./codes.ts";
import type { AddLiquidity } from "./command-schemas.ts";
import { beginsFarFromIndex, losesToIndex, type Stands, standsFarFromIndex } from "./off-index.ts";
import type { Pool } from "./pool.ts";
import { newProvider, settleClaims } from "./provider.ts";
import { poolFor } from "./refuse.ts";
import { curveOf } from "./reserves.ts";

/** An addition is worth so many dollars at least, in 10^-8. */
export const ADDITION_USD_MIN_E8 = 200n * 100_000_000n;
/** Check L8: a reserve holds so many units at most. */
const RESERVE_MAX = 1n << 62n;

/**
 * Adds to a pool, in its ratio; what is offered beyond it stays in the spot account. The shares that are made are
 * rounded down and what they cost is rounded up, so that nobody who is in the pool loses by it, however it came to its
 * reserves. Source: domain 5.4.
 */
export function addLiquidity(state: State, command: AddLiquidity): Answer {
  const { userId } = command;
  const found = poolFor(state, userId, command.market, true);
  if ("refusal" in found) return found.refusal;
  const { market, pool } = found;
  const base = amountOf(state, market.baseAssetId, command.baseAmount);
  const quote = amountOf(state, market.quoteAssetId, command.quoteAmount);
  if (base === undefined || quote === undefined) {
    return refused(
      "invalid_command",
      "Both amounts must be decimals above 0, with no more decimals than their currencies have.",
    );
  }
  const isFirst = pool.shares === 0n;
  if (isFirst && beginsFarFromIndex(market, pool, base, quote)) {
    return refused("pool_price_off_index", "A pool begins at a price within 5 % of the index of its market.");
  }
  // Anyone who moves a pool, lets others add and moves it back takes of what they have added.
  if (!isFirst && holds(state, "additionsByIndex") && standsFarFromIndex(state, market, pool)) {
    return refused("pool_price_off_index", "The price of the pool lies more than 5 % from the index of its market.");
  }
  const taken = isFirst ? firstAddition(market, pool, base, quote) : furtherAddition(state, pool, base, quote);
  const stands = isFirst ? taken : curveOf(state, market, pool);
  const worth = usdOf(state, market, taken, stands);
  if (taken.shares === 0n || (worth !== undefined && worth < ADDITION_USD_MIN_E8)) {
    return refused("liquidity_too_small", "An addition to a pool must be worth at least 200 USD.");
  }
  if (holds(state, "additionsByLoss") && losesToIndex(market, stands)) {
    return refused(
      "pool_price_off_index",
      "The pool stands so far from the index of its market that an addition would lose more than 0.1 % as it " +
        "comes back.",
    );
  }
  const { ledger } = state;
  const grown = [ledger.available(pool.cells.base) + taken.base, ledger.available(pool.cells.quote) + taken.quote];
  if (grown.some((reserve) => reserve > RESERVE_MAX)) {
    return refused("liquidity_too_large", "The pool cannot hold so much.");
  }
  if (held(state, userId, market.baseAssetId) < taken.base || held(state, userId, market.quoteAssetId) < taken.quote) {
    return refused("insufficient_balance", "The spot account cannot cover the addition.");
  }
  const { assets } = state;
  const pledge: Outflow[] = [
    [assets[market.baseAssetId] as Asset, taken.base],
    [assets[market.quoteAssetId] as Asset, taken.quote],
  ];
  const kept = refusePledging(state, userId, pledge, "others");
  if (kept !== undefined) return kept;

  // Nothing is refused below this line.
  move(state, market, pool, userId, taken);
  const provider = pool.providers.get(userId) ?? newProvider(pool);
  settleClaims(pool, provider);
  provider.shares += taken.shares;
  provider.addedAt = state.timeMs;
  pool.providers.set(userId, provider);
  pool.shares += taken.shares;
  pool.baseOffset = taken.baseOffset;
  pool.quoteOffset = taken.quoteOffset;
  pool.note();
  emitRareEvent(state, {
    type: "liquidity_added",
    marketId: market.id,
    userId,
    base: taken.base.toString(),
    quote: taken.quote.toString(),
    shares: taken.shares.toString(),
  });
  return accepted({});
}

/** An addition to a pool that has begun: a reserve of nothing bounds nothing. */
function furtherAddition({ ledger }: State, pool: Pool, base: bigint, quote: bigint): Taken {
  const { shares: all } = pool;
  const hasBase = ledger.available(pool.cells.base);
  const hasQuote = ledger.available(pool.cells.quote);
  const byBase = hasBase === 0n ? undefined : (base * all) / hasBase;
  const byQuote = hasQuote === 0n ? undefined : (quote * all) / hasQuote;
  const shares = byBase === undefined ? (byQuote ?? 0n) : byQuote === undefined || byBase < byQuote ? byBase : byQuote;
  return {
    shares,
    base: divCeil(shares * hasBase, all),
    quote: divCeil(shares * hasQuote, all),
    ...scaledOffsets(pool, all + shares),
  };
}

/** The offsets of a pool that will have `shares` of what it has. */
export function scaledOffsets(
  pool: Pool,
  shares: bigint,
): { readonly baseOffset: bigint; readonly quoteOffset: bigint } {
  return {
    baseOffset: divHalfAwayFromZero(pool.baseOffset * shares, pool.shares),
    quoteOffset: divHalfAwayFromZero(pool.quoteOffset * shares, pool.shares),
  };
}

function move({ ledger, events }: State, market: Market, pool: Pool, userId: number, { base, quote }: Taken): void {
  for (const [assetId, cell, units] of [
    [market.baseAssetId, pool.cells.base, base],
    [market.quoteAssetId, pool.cells.quote, quote],
  ] as const) {
    if (units === 0n) continue;
    ledger.post(events, ledger.spotCell(userId, assetId), -units, 0n, AMM_POSTING.amm_add, market.id);
    ledger.post(events, cell, units, 0n, AMM_POSTING.amm_add, market.id);
  }
}

/**
 * Returns the worth of an addition in dollars by index. A currency of the market without a price counts as much as the
 * other side. Where the pool takes nothing of that other side, the currency counts by the end of the range at which the
 * pool stands. Undefined where neither has a price.
 */
function usdOf(state: State, { baseAssetId, quoteAssetId }: Market, added: Taken, stands: Stands): bigint | undefined {
  const { base, quote } = added;
  const [ofBase, ofQuote] = [usdSum(state, [[baseAssetId, base]]), usdSum(state, [[quoteAssetId, quote]])];
  if (ofBase !== undefined && ofQuote !== undefined) return ofBase + ofQuote;
  if ((ofBase === undefined && ofQuote === undefined) || !holds(state, "additionsByOneSide")) return undefined;
  const known = (ofBase ?? ofQuote) as bigint;
  if (known > 0n) return 2n * known;
  const wholeBase = stands.base + stands.baseOffset;
  const wholeQuote = stands.quote + stands.quoteOffset;
  if (wholeBase === 0n || wholeQuote === 0n) return 0n;
  return ofBase === undefined
    ? usdSum(state, [[quoteAssetId, (base * wholeQuote) / wholeBase]])
    : usdSum(state, [[baseAssetId, (quote * wholeBase) / wholeQuote]]);
}

/** An amount above 0 in units of its asset. */
function amountOf({ assets }: State, assetId: number, text: string): bigint | undefined {
  const units = parseDecimal(text, assets[assetId]?.scale ?? 0);
  return units === 0n ? undefined : units;
}

function held({ ledger }: State, userId: number, assetId: number): bigint {
  const cell = ledger.findSpotCell(userId, assetId);
  return cell < 0 ? 0n : ledger.available(cell);
}
