import type { SetIndexPrices } from "../../../../src/engine/listing/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { distance, divideNear, ONE_E8, SAFE_TOP, tenTo, unitsOf } from "../model/numbers.ts";
import type { ModelMarket, ModelSource } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";

const NAME = /^[A-Za-z0-9_.-]{1,32}$/;

/**
 * The sources that an operator names, those known before with what they last said; undefined when something is wrong.
 */
export function configureSources(
  known: readonly ModelSource[],
  given: readonly { readonly exchange: string; readonly weight: string }[],
): ModelSource[] | undefined {
  const sources: ModelSource[] = [];
  for (const { exchange, weight } of given) {
    const units = weightOf(weight);
    if (units === undefined || !NAME.test(exchange)) return undefined;
    if (sources.some((source) => source.exchange === exchange)) return undefined;
    const before = known.find((source) => source.exchange === exchange);
    sources.push({ exchange, weight: units, price: before?.price ?? 0n, at: before?.at ?? 0 });
  }
  return sources.length > 32 ? undefined : sources;
}

/** Domain 4.11: prices of a feed come in, and the index is worked out. */
export function setIndexPrices(venue: ModelVenue, command: SetIndexPrices): Refusal | undefined {
  const market = venue.listedByName(command.market);
  if (market === undefined) return "market_not_found";
  if (command.sources.length === 0) return "invalid_command";
  const sources = market.sources.map((source) => ({ ...source }));
  const named = new Set<string>();
  for (const { exchange, price, weight } of command.sources) {
    const fine = unitsOf(price, 18);
    const ticks = fine === undefined ? 0n : divideNear(fine, tenTo(18 - market.pricePrecision));
    const units = weight === undefined ? undefined : weightOf(weight);
    if (ticks === 0n || ticks > SAFE_TOP || (weight !== undefined && units === undefined)) return "invalid_command";
    if (named.has(exchange) || !NAME.test(exchange)) return "invalid_command";
    named.add(exchange);
    let source = sources.find((candidate) => candidate.exchange === exchange);
    if (source === undefined) {
      source = { exchange, weight: ONE_E8, price: 0n, at: 0 };
      sources.push(source);
    }
    source.weight = units ?? source.weight;
    source.price = ticks;
    source.at = venue.timeMs;
  }
  if (sources.length > 32) return "invalid_command";
  market.sources = sources;
  workOutIndex(venue, market, true);
  return undefined;
}

/** At a tick each index is looked at that had no source for 5 s. */
export function tickIndexes(venue: ModelVenue): undefined {
  for (const market of venue.markets) {
    if (market.delisted || market.sources.length === 0) continue;
    if (venue.timeMs - market.indexAt >= 5_000) workOutIndex(venue, market, false);
  }
}

/** Before anything else: an index that nobody has spoken of for more than 60 s is stale. */
export function loseIndexes(venue: ModelVenue): void {
  for (const market of venue.markets) {
    const isSilent = market.sources.every(({ at }) => venue.timeMs - at > 60_000);
    if (!market.delisted && market.index > 0n && isSilent) workOutIndex(venue, market, false);
  }
}

function workOutIndex(venue: ModelVenue, market: ModelMarket, isUpdate: boolean): void {
  const heard = market.sources.filter((source) => source.price > 0n && venue.timeMs - source.at <= 60_000);
  const kept = withoutOutliers(market, heard);
  if (kept.length === 0) {
    market.isStale = market.index > 0n;
    market.returnedAt = 0;
    return;
  }
  if (isUpdate && market.isStale) {
    if (market.returnedAt === 0) market.returnedAt = venue.timeMs;
    if (venue.timeMs - market.returnedAt >= 5_000) market.isStale = false;
    if (!market.isStale) market.returnedAt = 0;
  }
  let weights = 0n;
  let sum = 0n;
  for (const { weight, price } of kept) {
    weights += weight;
    sum += weight * price;
  }
  market.index = divideNear(sum, weights);
  market.indexAt = venue.timeMs;
}

function withoutOutliers(market: ModelMarket, heard: ModelSource[]): ModelSource[] {
  const percent = ["BTC", "ETH"].includes(market.base.ccy) ? 2n : 10n;
  if (heard.length >= 3) {
    const prices = heard.map(({ price }) => price).sort((first, second) => Number(first - second));
    const middle = prices.length / 2;
    const twiceMedian = (prices[Math.ceil(middle) - 1] as bigint) + (prices[Math.floor(middle)] as bigint);
    return heard.filter(({ price }) => distance(2n * price, twiceMedian) * 100n < percent * twiceMedian);
  }
  const [first, second] = heard;
  if (first === undefined || second === undefined || market.index === 0n) return heard;
  const lower = first.price < second.price ? first.price : second.price;
  if (distance(first.price, second.price) * 100n < percent * lower) return heard;
  return distance(second.price, market.index) < distance(first.price, market.index) ? [second] : [first];
}

function weightOf(text: string): bigint | undefined {
  const weight = unitsOf(text, 8);
  return weight === undefined || weight < 1n || weight > ONE_E8 ? undefined : weight;
}
