/** The reserves of a pool, and the figures that follow from them. */
import { VENUE } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import { AMM_CELL } from "./codes.ts";
import type { Curve } from "./curve.ts";
import { DAY_MS, Pool } from "./pool.ts";

/** A pool of a market that holds nothing yet; its cells are made where they are not there. */
export function newPool({ ledger, timeMs }: State, { id, baseAssetId, quoteAssetId }: Market): Pool {
  const cell = (kind: number, assetId: number, isQuote: 0 | 1) =>
    ledger.cell(kind, VENUE, id * 2 + isQuote, assetId, id);
  const cells = {
    base: cell(AMM_CELL.amm, baseAssetId, 0),
    quote: cell(AMM_CELL.amm, quoteAssetId, 1),
    basePot: cell(AMM_CELL.amm_pot, baseAssetId, 0),
    quotePot: cell(AMM_CELL.amm_pot, quoteAssetId, 1),
  };
  return new Pool(id, cells, (Math.floor(timeMs / DAY_MS) + 1) * DAY_MS);
}

/** The curve on which a pool stands. */
export function curveOf({ ledger }: State, market: Market, pool: Pool): Curve {
  return {
    base: ledger.available(pool.cells.base),
    quote: ledger.available(pool.cells.quote),
    baseOffset: pool.baseOffset,
    quoteOffset: pool.quoteOffset,
    grid: {
      unitsPerLot: market.unitsPerLot,
      unitsPerLotTick: market.unitsPerLotTick,
      digits: pool.gridDigits,
      maxPrice: market.maxPrice,
    },
  };
}

/** Returns the part of the reserves that so many shares are, in units, rounded down; 0 of a pool without shares. */
export function partOf(
  { ledger }: State,
  pool: Pool,
  shares: bigint,
): { readonly base: bigint; readonly quote: bigint } {
  if (pool.shares === 0n) return { base: 0n, quote: 0n };
  return {
    base: (shares * ledger.available(pool.cells.base)) / pool.shares,
    quote: (shares * ledger.available(pool.cells.quote)) / pool.shares,
  };
}

/** So many base units in quote units at the pool's own price, rounded down; 0 while the pool is empty. */
export function worthOfBase(state: State, pool: Pool, base: bigint): bigint {
  const wholeBase = state.ledger.available(pool.cells.base) + pool.baseOffset;
  return wholeBase === 0n ? 0n : (base * (state.ledger.available(pool.cells.quote) + pool.quoteOffset)) / wholeBase;
}
