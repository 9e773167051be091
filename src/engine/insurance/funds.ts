/** Which insurance funds pay for a market. */
import type { FuturesSpec } from "../futures/positions/contract.ts";
import { CELL } from "../ledger/cell.ts";
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import type { Fund } from "./insurance-state.ts";

/** The fund of a futures market, in its settlement asset. */
export function futuresFund({ id, futures }: Market): Fund {
  return { cellKind: CELL.insurance_futures, assetId: (futures as FuturesSpec).settleAssetId, marketId: id };
}

/** The fund of a margin market, in its base or its quote asset. */
export function marginFund({ id, baseAssetId, quoteAssetId }: Market, isQuote: boolean): Fund {
  return { cellKind: CELL.insurance_margin, assetId: isQuote ? quoteAssetId : baseAssetId, marketId: id };
}

/** All funds of a market: one of a futures market, two of a margin market, none of another. */
export function fundsOf({ margin }: State, market: Market): Fund[] {
  if (market.futures !== undefined) return [futuresFund(market)];
  return margin.terms.has(market.id) ? [marginFund(market, false), marginFund(market, true)] : [];
}
