/**
 * How far from the index of its market a pool may stand that somebody adds to. Anyone who moves a pool, lets others add
 * and moves it back takes of what they have added; how much that is follows from the price and from how narrow the
 * range of the pool is. Source: domain 5.4.
 */
import type { Market } from "../listing/market.ts";
import type { State } from "../state.ts";
import type { Curve } from "./curve.ts";
import type { Pool } from "./pool.ts";
import { curveOf } from "./reserves.ts";
import { rootFloor } from "./root.ts";

/** Additions are made within so many percent of the index of the market. */
const INDEX_BAND_PERCENT = 5n;
/** An addition may lose one part in so many. */
const LOSS_MAX_PART = 1_000n;

/** The reserves of a pool and the offsets of its range, from which its price follows. */
export type Stands = Pick<Curve, "base" | "quote" | "baseOffset" | "quoteOffset">;

/** Whether the price with which a pool would begin lies too far from the index of its market. */
export function beginsFarFromIndex(market: Market, pool: Pool, base: bigint, quote: bigint): boolean {
  return pool.range === undefined
    ? isFarFromIndex(market, ratioOf(market, base, quote))
    : isFarFromIndex(market, [pool.range.price, 1n]);
}

/** Whether the price at which a pool stands does. */
export function standsFarFromIndex(state: State, market: Market, pool: Pool): boolean {
  const { base, quote, baseOffset, quoteOffset } = curveOf(state, market, pool);
  return isFarFromIndex(market, ratioOf(market, base + baseOffset, quote + quoteOffset));
}

/**
 * Whether an addition to such reserves would lose more than a thousandth of its value by index, should trades bring the
 * pool to the index; a share of them loses as the whole does. In quote units times the units of a lot, with A and B
 * what base and quote of the curve are worth, offsets included: A + B - m - AB/m, where m is the root of AB, or the end
 * of the range that the index lies beyond. A pool from 0.95 to 1.05 that stands at 1.05 would lose 1.2 %, and one
 * without ends 0.03 %.
 */
export function losesToIndex(
  { index: { price: index }, unitsPerLot, unitsPerLotTick }: Pick<Market, "index" | "unitsPerLot" | "unitsPerLotTick">,
  { base, quote, baseOffset, quoteOffset }: Stands,
): boolean {
  if (index === 0n) return false;
  const ofBase = (units: bigint) => units * index * unitsPerLotTick;
  const ofQuote = (units: bigint) => units * unitsPerLot;
  const wholeBase = ofBase(base + baseOffset);
  const wholeQuote = ofQuote(quote + quoteOffset);
  const middle = [rootFloor(wholeBase * wholeQuote), ofBase(baseOffset), ofQuote(quoteOffset)].reduce((most, one) =>
    one > most ? one : most,
  );
  const left = middle === 0n ? 0n : middle + (wholeBase * wholeQuote) / middle;
  return (wholeBase + wholeQuote - left) * LOSS_MAX_PART > ofBase(base) + ofQuote(quote);
}

function ratioOf({ unitsPerLot, unitsPerLotTick }: Market, base: bigint, quote: bigint): [bigint, bigint] {
  return [quote * unitsPerLot, base * unitsPerLotTick];
}

/**
 * Whether a price, dividend / divisor ticks, lies more than 5 % from the index of a market, also one of old; without an
 * index any will do. It is never held to a deal: anyone who trades with himself would set it.
 */
function isFarFromIndex({ index: { price: index } }: Market, [dividend, divisor]: readonly [bigint, bigint]): boolean {
  if (index === 0n) return false;
  const scaled = dividend * 100n;
  const least = index * divisor * (100n - INDEX_BAND_PERCENT);
  const most = index * divisor * (100n + INDEX_BAND_PERCENT);
  return scaled < least || scaled > most;
}
