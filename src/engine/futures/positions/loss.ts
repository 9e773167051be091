import type { Market } from "../../listing/market.ts";
import type { State } from "../../state.ts";
import { type FuturesTerms, signOf, tradeValue } from "./contract.ts";

/** What so many lots lose at a price against the mark, whether they open or close. */
export function lossAt(state: State, market: Market, sells: boolean, price: bigint, lots: bigint): bigint {
  const terms = market.futures as FuturesTerms;
  const change = tradeValue(terms, price, lots) - tradeValue(terms, state.futures.live.mark(market.id), lots);
  const loss = signOf(terms, sells) * change;
  return loss > 0n ? loss : 0n;
}
