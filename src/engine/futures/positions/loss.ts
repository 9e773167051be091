import type { Market } from "../../listing/market.ts";
import { divCeil } from "../../money/rounding.ts";
import type { State } from "../../state.ts";
import { type FuturesSpec, type PositionLevel, signOf, tradeValue } from "./contract.ts";

const ONE_E8 = 100_000_000n;

/** Returns the loss of so many lots at a price against the mark, whether they open or close; 0 where they gain. */
export function lossAt(state: State, market: Market, sells: boolean, price: bigint, lots: bigint): bigint {
  const terms = market.futures as FuturesSpec;
  const change = tradeValue(terms, price, lots) - tradeValue(terms, state.futures.live.mark(market.id), lots);
  const loss = signOf(terms, sells) * change;
  return loss > 0n ? loss : 0n;
}

/**
 * Whether an execution at a price loses its side more than the least maintenance rate against the mark. Up to that
 * every margin covers it, and mostly nothing is lost at all.
 */
export function isFarFromMark(state: State, market: Market, sells: boolean, price: bigint): boolean {
  const mark = state.futures.live.mark(market.id);
  const gap = sells ? mark - price : price - mark;
  if (gap <= 0n) return false;
  return gap * ONE_E8 > (sells ? price : mark) * leastRateE8(market);
}

/** The worst price that is not far from the mark: the lowest that sells, the highest that buys. */
export function nearMark(state: State, market: Market, sells: boolean): bigint {
  const mark = state.futures.live.mark(market.id);
  const rate = leastRateE8(market);
  return sells ? divCeil(mark * ONE_E8, ONE_E8 + rate) : (mark * (ONE_E8 + rate)) / ONE_E8;
}

function leastRateE8(market: Market): bigint {
  return BigInt(((market.futures as FuturesSpec).levels[0] as PositionLevel).maintenanceRateE8);
}
