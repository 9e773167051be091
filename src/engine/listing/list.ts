import { type Answer, accepted, refused } from "../answer.ts";
import { largestExposure } from "../futures/orders/exposure.ts";
import { positionsIn } from "../futures/positions/account-sums.ts";
import { type FuturesSpec, positionBound } from "../futures/positions/contract.ts";
import { settlementOf } from "../hooks.ts";
import { PLACE_MAX } from "../ledger/cell.ts";
import { parseDecimal, pow10 } from "../money/decimal.ts";
import { larger, smaller } from "../money/extremes.ts";
import { EXACT_NUMBER_MAX, INT64_MAX } from "../money/int64.ts";
import { parseRateE8 } from "../money/rate.ts";
import { emitRareEvent } from "../rare-event.ts";
import { holds } from "../rules-version.ts";
import type { State } from "../state.ts";
import { forgetPrices, openAsTold } from "../trading/interruption.ts";
import type { Settlement } from "../trading/settlement.ts";
import type { Asset } from "./asset.ts";
import { chainFault, chainsFault } from "./chain-settings.ts";
import type { ChangeMarket, ListAsset, ListMarket } from "./command-schemas.ts";
import { boundsFault, changedTerms, futuresBounds, largestLotValue, newTerms } from "./futures-terms.ts";
import { noteBandIndex, noteSilence } from "./index-freshness.ts";
import { changedInterruption } from "./interruption-settings.ts";
import { MARKET_TYPES, type Market, type MarketType, noIndex } from "./market.ts";
import { configureSources, noteWorkedOut } from "./price-index.ts";
import { scheduleStatus } from "./schedule.ts";
import { statusAt, timesFault } from "./status.ts";

const NAME = /^[A-Z0-9]{1,20}$/;
const MARKET_NAME = /^[A-Z0-9]{2,40}$/;
const SCALE_MAX = 18;

/** Lists an asset. Check L2: `maxUnits` whole units fit int64 at the scale. */
export function listAsset(state: State, command: ListAsset): Answer {
  const { ccy, scale } = command;
  if (!NAME.test(ccy)) return refused("invalid_listing", "A currency name is 1 to 20 capital letters and digits.");
  if (!isPrecision(scale)) return refused("invalid_listing", `The scale of an asset is from 0 to ${SCALE_MAX}.`);
  if (state.assetByCcy.has(ccy)) return refused("already_listed", `The asset ${ccy} is listed already.`);
  if (state.assets.length >= PLACE_MAX) return refused("invalid_listing", "The venue cannot hold more assets.");
  const unit = pow10(scale);
  const maxUnits = command.maxUnits === undefined ? INT64_MAX / unit : parseDecimal(command.maxUnits, 0);
  if (maxUnits === undefined || maxUnits < 1n || maxUnits * unit > INT64_MAX) {
    return refused(
      "invalid_listing",
      "L2: max_units must be a whole number, and at the scale fit a signed 64-bit integer.",
    );
  }
  const { chains = [] } = command;
  if (holds(state, "listedChainsChecked")) {
    const fault = firstOf(chains, (one) => chainFault(one, scale)) ?? chainsFault(chains);
    if (fault !== undefined) return refused("invalid_listing", fault);
  }
  const asset: Asset = {
    id: state.assets.length,
    ccy,
    scale,
    fullName: command.fullName ?? ccy,
    maxCustody: maxUnits * unit,
    websiteUrl: command.websiteUrl ?? "",
    whitePaperUrl: command.whitePaperUrl ?? "",
    isSt: command.isSt ?? false,
    interTransferEnabled: command.interTransferEnabled ?? true,
    chains,
  };
  state.enterAsset(asset);
  emitRareEvent(state, { type: "asset_listed", ccy });
  return accepted({ assetId: asset.id });
}

function firstOf<One>(all: readonly One[], faultOf: (one: One) => string | undefined): string | undefined {
  for (const one of all) {
    const fault = faultOf(one);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * Lists a market. Checks L1 and L3 to L7; every bound that trading needs is checked here, once, for the market's life.
 */
export function listMarket(
  state: State,
  command: ListMarket,
  settlement: Settlement = settlementOf(typeOf(command.marketType)),
): Answer {
  const { market: name, amountPrecision: ap, pricePrecision: pp } = command;
  if (!MARKET_NAME.test(name))
    return refused("invalid_listing", "A market name is 2 to 40 capital letters and digits.");
  if (!isMarketType(command.marketType)) return refused("invalid_listing", MARKET_TYPE_RULE);
  const isFutures = command.marketType === "FUTURES";
  if (state.marketNamed(name, isFutures) !== undefined) {
    return refused("already_listed", `The market ${name} is listed already.`);
  }
  if (state.markets.length * 2 + 1 >= PLACE_MAX)
    return refused("invalid_listing", "The venue cannot hold more markets.");
  const base = state.assetByCcy.get(command.baseCcy);
  const quote = state.assetByCcy.get(command.quoteCcy);
  if (base === undefined || quote === undefined) {
    const missing = base === undefined ? command.baseCcy : command.quoteCcy;
    return refused("asset_not_found", `The asset ${missing} is not listed.`);
  }
  if (base === quote) return refused("invalid_listing", "Base and quote currency must differ.");
  if (!isPrecision(ap) || !isPrecision(pp)) return refused("invalid_listing", `Precisions are from 0 to ${SCALE_MAX}.`);
  const futures = isFutures ? newTerms(command, command, base, quote) : undefined;
  if (typeof futures === "string") return refused("invalid_listing", futures);
  const isInverse = futures?.contractType === "inverse";
  if (futures === undefined && (ap + pp > quote.scale || ap > base.scale)) {
    return refused(
      "invalid_listing",
      `L1: the precisions of amount and price (${ap} + ${pp}) must not exceed the scale of ${quote.ccy} ` +
        `(${quote.scale}), ` +
        `nor that of the amount the scale of ${base.ccy} (${base.scale}); so every trade value is exact.`,
    );
  }
  const market: Market = {
    id: state.markets.length,
    name,
    settlement,
    futures,
    pool: undefined,
    quotes: undefined,
    baseAssetId: base.id,
    quoteAssetId: quote.id,
    amountPrecision: ap,
    pricePrecision: pp,
    unitsPerLotTick: isInverse ? 0n : pow10(quote.scale - pp - ap),
    unitsPerLot: isInverse ? 0n : pow10(base.scale - ap),
    minAmount: 1n,
    maxAmount: 0n,
    maxPrice: 0n,
    makerFeeRateE8: 0,
    takerFeeRateE8: 0,
    status: "online",
    biddingAt: 0,
    noCancelAt: 0,
    onlineAt: 0,
    delistedAt: 0,
    delisted: false,
    suspended: false,
    apiTradingAvailable: true,
    preMarketTradingAvailable: false,
    index: noIndex([]),
    interruption: undefined,
    recentPrices: [],
    halt: undefined,
  };
  const smallest = parseDecimal(command.minAmount, ap) ?? 1n;
  const bounds =
    futures === undefined ? spotBounds(market, command, smallest) : futuresBounds(futures, market, smallest);
  market.maxAmount = bounds.maxAmount;
  market.maxPrice = bounds.maxPrice;
  const changed = withChanges(state, market, command);
  if (typeof changed === "string") return refused("invalid_listing", changed);
  state.enterMarket(changed);
  scheduleStatus(state, changed);
  emitRareEvent(state, { type: "market_listed", market: name });
  return accepted({ marketId: changed.id });
}

/** Changes what may change of a listed market; precisions and currencies may not, because orders stand on them. */
export function changeMarket(state: State, command: ChangeMarket): Answer {
  if (!isMarketType(command.marketType)) return refused("invalid_listing", MARKET_TYPE_RULE);
  const market = state.marketNamed(command.market, command.marketType === "FUTURES");
  if (market === undefined || market.delisted) {
    return refused("market_not_found", `The market ${command.market} is not listed.`);
  }
  const changed = withChanges(state, market, command);
  if (typeof changed === "string") return refused("invalid_listing", changed);
  Object.assign(market, changed);
  state.terms.note(market);
  noteBandIndex(state, market);
  noteSilence(state, market);
  market.quotes?.note();
  if (command.interruption !== undefined) forgetPrices(state, market);
  if (command.onlineAt !== undefined) openAsTold(market);
  state.waiting.add(market.id);
  if (command.indexSources !== undefined) {
    noteWorkedOut(state, market, market.index.updatedAt);
    // An index that is gone stands at 0.
    state.margin.thresholds.dirty.add(market.id);
    state.stops.dirty.add(market.id);
  }
  // Other levels ask for other margins.
  if (market.futures !== undefined) {
    for (const slot of positionsIn(state, market.id)) state.futures.noteWritten(slot);
  }
  scheduleStatus(state, market);
  emitRareEvent(state, { type: "market_changed", market: market.name });
  return accepted({ marketId: market.id });
}

/** A copy of the market with the changes, or the sentence that says why it cannot be. */
function withChanges(state: State, market: Market, change: Omit<ChangeMarket, "kind">): Market | string {
  const { amountPrecision: ap, pricePrecision: pp } = market;
  const next: Market = { ...market };
  const minAmount = amountOr(change.minAmount, ap, market.minAmount);
  const maxAmount = amountOr(change.maxAmount, ap, market.maxAmount);
  const maxPrice = amountOr(change.maxPrice, pp, market.maxPrice);
  if (minAmount === undefined || maxAmount === undefined || maxPrice === undefined) {
    return `min_amount and max_amount take at most ${ap} decimals, max_price at most ${pp}.`;
  }
  if (minAmount < 1n || maxAmount < minAmount) return "L7: 0 < min_amount <= max_amount must hold.";
  if (maxPrice < 1n) return "L3: max_price must be at least one tick.";
  if (maxAmount > EXACT_NUMBER_MAX || maxPrice > EXACT_NUMBER_MAX) {
    return "L3: max_amount in lots and max_price in ticks must stay below 2^53.";
  }
  if (market.futures !== undefined) {
    const futures = changedTerms(market.futures, change, market);
    if (typeof futures === "string") return futures;
    next.futures = futures;
    const fault =
      boundsFault(futures, { ...market, minAmount, maxAmount, maxPrice }) ??
      exposureFault(state, market, futures, maxPrice);
    if (fault !== undefined) return fault;
  } else if (maxPrice * maxAmount * market.unitsPerLotTick > INT64_MAX || maxAmount * market.unitsPerLot > INT64_MAX) {
    return (
      "L3: the largest order at the highest price must fit a " + "signed 64-bit integer; lower max_amount or max_price."
    );
  }
  const maker = rateOr(change.makerFeeRate, market.makerFeeRateE8);
  const taker = rateOr(change.takerFeeRate, market.takerFeeRateE8);
  if (maker === undefined || taker === undefined)
    return "L5: fee rates are decimals from 0 to below 1 with at most 8 decimals.";
  if (change.indexSources !== undefined) {
    const sources = configureSources(market.index.sources, change.indexSources);
    if (sources === undefined)
      return "Every index source has its own name and a weight above 0 and at most 1 with 8 decimals.";
    if (sources.length === 0 && state.margin.terms.has(market.id) && holds(state, "marginKeepsIndex"))
      return "A margin market needs at least one source of its index: its loans hang on it.";
    // A market that loses its sources has no index any more; the last one would bound prices for ever.
    next.index = sources.length === 0 ? noIndex(sources) : { ...market.index, sources };
  }
  const interruption = changedInterruption(market, change.interruption);
  if (typeof interruption === "string") return interruption;
  next.interruption = interruption;
  next.minAmount = minAmount;
  next.maxAmount = maxAmount;
  next.maxPrice = maxPrice;
  next.makerFeeRateE8 = maker;
  next.takerFeeRateE8 = taker;
  next.biddingAt = change.biddingAt ?? market.biddingAt;
  next.noCancelAt = change.noCancelAt ?? market.noCancelAt;
  next.onlineAt = change.onlineAt ?? market.onlineAt;
  next.delistedAt = change.delistedAt ?? market.delistedAt;
  next.suspended = change.suspended ?? market.suspended;
  next.apiTradingAvailable = change.apiTradingAvailable ?? market.apiTradingAvailable;
  next.preMarketTradingAvailable = change.preMarketTradingAvailable ?? market.preMarketTradingAvailable;
  const fault = timesFault(state.markets[market.id], next, state.timeMs);
  if (fault !== undefined) return fault;
  next.status = statusAt(market.status, next, state.timeMs);
  return next;
}

/**
 * Levels may not end below what accounts hold and have ordered already, nor prices reach where all that is open is
 * worth too much.
 */
function exposureFault(state: State, market: Market, terms: FuturesSpec, maxPrice: bigint): string | undefined {
  if (state.markets[market.id] === undefined) return undefined;
  if (state.futures.live.openInterest(market.id) * largestLotValue(terms, maxPrice) > INT64_MAX) {
    return "L4: all open positions at the dearest price must fit a signed 64-bit integer; lower max_price.";
  }
  return largestExposure(state, market) <= positionBound(terms)
    ? undefined
    : "The last level must not end below the largest position that accounts hold and have ordered.";
}

const MARKET_TYPE_RULE = `market_type is one of ${MARKET_TYPES.join(", ")}.`;

/** The type that a command names; another than there is will be refused. */
function typeOf(name: string | undefined): MarketType {
  return name === "FUTURES" ? "FUTURES" : "SPOT";
}

function isMarketType(name: string | undefined): boolean {
  return name === undefined || MARKET_TYPES.some((type) => type === name);
}

/**
 * By default a market takes prices of so many ticks, and orders of so many times the smallest amount, where int64 has
 * room for both.
 */
const TICKS = 10n ** 10n;
const SMALLEST_AMOUNTS = 100_000n;

/**
 * Bounds for what a listing leaves open. Price and amount share the room that L3 leaves. A bound that is given gives
 * the other all the rest; else the price takes what prices of so many decimals need, and no more than large orders can
 * spare: coins of little worth have many decimals in their price and trade by the million.
 */
function spotBounds(market: Market, given: ListMarket, minAmount: bigint): { maxAmount: bigint; maxPrice: bigint } {
  const { amountPrecision: ap, pricePrecision: pp } = market;
  const room = INT64_MAX / market.unitsPerLotTick;
  const mostLots = smaller(EXACT_NUMBER_MAX, INT64_MAX / market.unitsPerLot);
  const forAmount = amountOr(given.maxAmount, ap, minAmount * SMALLEST_AMOUNTS) ?? 1n;
  const usual = smaller(smaller(pow10(pp + 7), TICKS), EXACT_NUMBER_MAX);
  const forPrice = amountOr(given.maxPrice, pp, smaller(usual, room / larger(forAmount, 1n))) ?? 1n;
  const maxPrice = larger(forPrice, 1n);
  return { maxAmount: smaller(room / maxPrice, mostLots), maxPrice };
}

function amountOr(text: string | undefined, precision: number, otherwise: bigint): bigint | undefined {
  return text === undefined ? otherwise : parseDecimal(text, precision);
}

function rateOr(text: string | undefined, otherwise: number): number | undefined {
  return text === undefined ? otherwise : parseRateE8(text);
}

function isPrecision(value: number): boolean {
  return value >= 0 && value <= SCALE_MAX;
}
