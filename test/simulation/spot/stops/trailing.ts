/** Triggers that follow the price once more: each trail is looked at, whenever anything has happened. Domain 2.20. */
import type { ModelMarket, ModelStop } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { isTrading, reference } from "../orders/checks.ts";

const ONE = 100_000_000n;

export function isTrail({ trail = 0n, trailRateE8 = 0 }: ModelStop): boolean {
  return trail > 0n || trailRateE8 > 0;
}

/** The price that a stop order looks at: of a trail by the latest price within a twentieth of the index. */
export function priceOf(market: ModelMarket, stop: ModelStop): bigint {
  if (stop.triggerType === "index_price") return market.index;
  const price = reference(market);
  const { index } = market;
  if (stop.waits !== "follows" && stop.waits !== "to begin") return price;
  if (index === 0n || price === 0n) return price;
  const low = (index * 95n + 99n) / 100n;
  const high = (index * 105n) / 100n;
  return price < low ? low : price > high ? high : price;
}

/** Takes notice of the prices of all markets that trade; those that begin are told of by `tell`. */
export function followPrices(venue: ModelVenue, tell: (stop: ModelStop) => void): void {
  for (const stop of venue.stops) {
    const market = venue.markets[stop.marketId] as ModelMarket;
    const price = priceOf(market, stop);
    if (price === 0n || !isTrading(venue, market)) continue;
    if (stop.waits === "follows") {
      const extreme = stop.extreme as bigint;
      if (stop.side === "sell" ? price > extreme : price < extreme) see(stop, price);
    } else if (stop.waits === "to begin") {
      stop.waits = "follows";
      see(stop, price);
      stop.updatedAt = venue.timeMs;
      tell(stop);
    }
  }
}

/** Lets a trail that has come to its activation price begin with the next look; whether it is such a one. */
export function activate(stop: ModelStop): boolean {
  if (!isTrail(stop) || stop.waits !== "for price") return false;
  stop.waits = "to begin";
  stop.direction = stop.side === "sell" ? "higher" : "lower";
  return true;
}

function see(stop: ModelStop, extreme: bigint): void {
  const { trail = 0n, side } = stop;
  const rate = BigInt(stop.trailRateE8 ?? 0);
  stop.extreme = extreme;
  if (side === "sell") stop.trigger = rate > 0n ? (extreme * (ONE - rate)) / ONE : extreme - trail;
  else stop.trigger = rate > 0n ? (extreme * (ONE + rate) + ONE - 1n) / ONE : extreme + trail;
}
