import { type Answer, accepted, refused } from "../answer.ts";
import { hooks } from "../hooks.ts";
import { parseDecimal, pow10 } from "../money/decimal.ts";
import { EXACT_NUMBER_MAX } from "../money/int64.ts";
import { divHalfAwayFromZero } from "../money/rounding.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import type { SetIndexPrices } from "./command-schemas.ts";
import { losesIndexAt, noteBandIndex, noteSilence, STALE_AFTER_MS } from "./index-freshness.ts";
import type { IndexSource, Market } from "./market.ts";
import { scheduleStatus } from "./schedule.ts";

/** The index of every market is worked out again this often, because sources grow stale by themselves. */
const INDEX_EVERY_MS = 5_000;
/** A stale index is fresh again with two updates in a row that lie at least so far apart. */
export const RETURN_MS = 5_000;
const WEIGHT_SCALE = 8;
const WEIGHT_ONE = 100_000_000n;
/** A source this far from the median, or from the last index where there are only two, is dropped. */
const OUTLIER_PERCENT_MAJOR = 2n;
const OUTLIER_PERCENT = 10n;
const MAJORS: ReadonlySet<string> = new Set(["BTC", "ETH"]);
const SOURCES_MAX = 32;

/**
 * Takes in prices of a market's sources and works out its index. Prices have at most 18 decimals and are kept as ticks.
 */
export function setIndexPrices(state: State, command: SetIndexPrices): Answer {
  const market = state.marketNamed(command.market, command.marketType === "FUTURES");
  if (market === undefined || market.delisted) {
    return refused("market_not_found", `The market ${command.market} is not listed.`);
  }
  if (command.sources.length === 0) return refused("invalid_command", "There must be at least one source.");
  const prices: bigint[] = [];
  for (const source of command.sources) {
    const fine = parseDecimal(source.price, 18);
    const price = fine === undefined ? 0n : divHalfAwayFromZero(fine, pow10(18 - market.pricePrecision));
    if (price <= 0n || price > EXACT_NUMBER_MAX) {
      return refused("invalid_command", "The price of a source must be a decimal string above 0.");
    }
    prices.push(price);
  }
  const known = withNewSources(market.index.sources, command.sources);
  if (known === undefined) {
    return refused(
      "invalid_command",
      `Every source has its own name and a weight above 0; a market has at most ${SOURCES_MAX}.`,
    );
  }
  command.sources.forEach((given, at) => {
    const source = known.find((candidate) => candidate.exchange === given.exchange) as IndexSource;
    source.price = prices[at] as bigint;
    source.updatedAt = state.timeMs;
  });
  market.index = { ...market.index, sources: known };
  recomputeIndex(state, market, true);
  state.nextDueMs = Math.min(state.nextDueMs, losesIndexAt(state, market));
  return accepted({ market: market.name });
}

/**
 * The index of a market from its sources: stale ones are dropped, then outliers from the median, or of two that differ
 * the one farther from the last index; what is left counts by weight. Without a source the last index stays and is
 * stale, until two updates in a row lie far enough apart; `isUpdate` says that sources have spoken just now. Source:
 * domain 4.11. Worked example E9: 30000 (30 %), 30010 (30 %), 29990 (20 %), 30700 (20 %) give 30001.25.
 */
export function recomputeIndex(state: State, market: Market, isUpdate: boolean): void {
  const { index } = market;
  const fresh = index.sources.filter((source) => isFresh(state, source));
  const kept = withoutOutliers(
    fresh,
    index.price,
    MAJORS.has((state.assets[market.baseAssetId] as { ccy: string }).ccy) ? OUTLIER_PERCENT_MAJOR : OUTLIER_PERCENT,
  );
  const total = kept.reduce((sum, source) => sum + BigInt(source.weightE8), 0n);
  for (const source of index.sources) {
    source.effectiveWeightE8 =
      kept.includes(source) && total > 0n
        ? Number(divHalfAwayFromZero(BigInt(source.weightE8) * WEIGHT_ONE, total))
        : 0;
  }
  noteWorkedOut(state, market, total > 0n ? state.timeMs : index.updatedAt);
  if (total === 0n) {
    if (!holds(state, "staleIndexWaits")) takeLatest(state, market);
    else {
      loseIndex(state, market);
      // Until somebody speaks of it again, it stays as it is.
      if (fresh.length === 0) state.indexTimes.forget(market.id);
    }
    return;
  }
  if (!holds(state, "staleIndexWaits")) noteStale(state, market, false);
  else if (isUpdate && index.isStale) regainIndex(state, market);
  const weighted = kept.reduce((sum, source) => sum + source.price * BigInt(source.weightE8), 0n);
  index.updatedAt = state.timeMs;
  setPrice(state, market, divHalfAwayFromZero(weighted, total));
}

/** On a tick: sources grow stale without any command, so each index is looked at again every few seconds. */
export function refreshIndexes(state: State): void {
  for (const id of state.indexTimes.until(state.timeMs - INDEX_EVERY_MS)) {
    const market = state.markets[id] as Market;
    if (market.delisted) state.indexTimes.forget(id);
    else recomputeIndex(state, market, false);
  }
}

/** Remembers when the index of a market was worked out last; of one without sources there is nothing to work out. */
export function noteWorkedOut(state: Pick<State, "indexTimes">, { id, index }: Market, atMs: number): void {
  if (index.sources.length === 0) state.indexTimes.forget(id);
  else state.indexTimes.set(id, atMs);
}

/** Whether a source has spoken, and not too long ago. */
export function isFresh({ timeMs }: Pick<State, "timeMs">, { price, updatedAt }: IndexSource): boolean {
  return price > 0n && timeMs - updatedAt <= STALE_AFTER_MS;
}

/**
 * Lets go of indexes that nobody has spoken of for too long, at whatever command comes first: a restart is no
 * exception.
 */
export function loseIndexes(state: State): void {
  for (const market of state.markets) {
    if (!market.delisted && losesIndexAt(state, market) <= state.timeMs) recomputeIndex(state, market, false);
  }
}

/** No source is left: the last index stays, and is stale. */
function loseIndex(state: State, market: Market): void {
  if (market.index.price === 0n) return;
  market.index.returnedAt = 0;
  noteStale(state, market, true);
}

/** A source has spoken of a stale index: the first time that is noted, and far enough after that the index is fresh. */
function regainIndex(state: State, market: Market): void {
  const { index } = market;
  if (index.returnedAt === 0) index.returnedAt = state.timeMs;
  if (state.timeMs - index.returnedAt < RETURN_MS) return;
  index.returnedAt = 0;
  noteStale(state, market, false);
}

/** Tells when an index gets stale or fresh. */
function noteStale(state: State, market: Market, isStale: boolean): void {
  const { index } = market;
  if (index.isStale === isStale || (market.futures === undefined && !holds(state, "staleIndexWaits"))) return;
  index.isStale = isStale;
  if (isStale) state.waiting.add(market.id);
  noteSilence(state, market);
  noteBandIndex(state, market);
  emitRareEvent(state, { type: "index_stale", marketId: market.id, isStale });
  // What has waited for the index is due.
  if (!isStale) scheduleStatus(state, market);
}

/** Rules version 1: the latest price stands in for an index without sources. */
function takeLatest(state: State, market: Market): void {
  const latest = latestOfSpot(state, market);
  noteStale(state, market, latest === 0n);
  if (latest !== 0n && latest !== market.index.price) setPrice(state, market, latest);
}

/**
 * The latest price of a spot market, for a futures market that of the spot market of its name, in its ticks; 0 = none.
 */
function latestOfSpot(state: State, market: Market): bigint {
  if (market.futures === undefined) return state.lastPrice[market.id] as bigint;
  const spot = state.marketNamed(market.name, false);
  if (spot === undefined) return 0n;
  const latest = (state.lastPrice[spot.id] as bigint) * pow10(18);
  return divHalfAwayFromZero(latest, pow10(18 + spot.pricePrecision - market.pricePrecision));
}

function setPrice(state: State, market: Market, price: bigint): void {
  market.index.price = price;
  noteSilence(state, market);
  noteBandIndex(state, market);
  emitRareEvent(state, { type: "index_price", marketId: market.id, price: price.toString() });
  for (const part of hooks()) part.onIndexPrice?.(state, market);
}

function withoutOutliers(fresh: IndexSource[], lastIndex: bigint, percent: bigint): IndexSource[] {
  const far = (price: bigint, from: bigint) => distance(price, from) * 100n >= from * percent;
  if (fresh.length >= 3) {
    // Twice the median, so that the mean of the middle two stays whole.
    const sorted = fresh
      .map((source) => source.price)
      .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
    const upper = sorted[sorted.length >> 1] as bigint;
    const twiceMedian = upper + (sorted.length % 2 === 1 ? upper : (sorted[(sorted.length >> 1) - 1] as bigint));
    return fresh.filter((source) => !far(source.price * 2n, twiceMedian));
  }
  const [first, second] = fresh;
  if (first === undefined || second === undefined || lastIndex === 0n) return fresh;
  const cheaper = first.price < second.price ? first.price : second.price;
  if (distance(first.price, second.price) * 100n < cheaper * percent) return fresh;
  return [distance(first.price, lastIndex) <= distance(second.price, lastIndex) ? first : second];
}

function distance(left: bigint, right: bigint): bigint {
  return left > right ? left - right : right - left;
}

/** The configured sources, those known before keeping their last price; undefined when the list is not sound. */
export function configureSources(
  known: readonly IndexSource[],
  configured: readonly { readonly exchange: string; readonly weight: string }[],
): IndexSource[] | undefined {
  if (configured.length > SOURCES_MAX) return undefined;
  const sources: IndexSource[] = [];
  for (const { exchange, weight } of configured) {
    const weightE8 = parseDecimal(weight, WEIGHT_SCALE);
    const repeated = sources.some((source) => source.exchange === exchange);
    if (!isExchange(exchange) || repeated || weightE8 === undefined || weightE8 < 1n || weightE8 > WEIGHT_ONE)
      return undefined;
    const before = known.find((source) => source.exchange === exchange);
    const { price, updatedAt } = before ?? { price: 0n, updatedAt: 0 };
    sources.push({ exchange, weightE8: Number(weightE8), effectiveWeightE8: 0, price, updatedAt });
  }
  return sources;
}

/** The sources of a market plus those that a feed names for the first time, whose weight is 1 unless given. */
function withNewSources(known: readonly IndexSource[], given: SetIndexPrices["sources"]): IndexSource[] | undefined {
  const sources = known.map((source) => ({ ...source }));
  const named = new Set<string>();
  for (const { exchange, weight } of given) {
    if (!isExchange(exchange) || named.has(exchange)) return undefined;
    named.add(exchange);
    const weightE8 = weight === undefined ? undefined : parseDecimal(weight, WEIGHT_SCALE);
    if (weight !== undefined && (weightE8 === undefined || weightE8 < 1n || weightE8 > WEIGHT_ONE)) return undefined;
    const source = sources.find((candidate) => candidate.exchange === exchange);
    if (source === undefined) {
      sources.push({
        exchange,
        weightE8: Number(weightE8 ?? WEIGHT_ONE),
        effectiveWeightE8: 0,
        price: 0n,
        updatedAt: 0,
      });
    } else if (weightE8 !== undefined) source.weightE8 = Number(weightE8);
  }
  return sources.length <= SOURCES_MAX ? sources : undefined;
}

function isExchange(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,32}$/.test(name);
}
