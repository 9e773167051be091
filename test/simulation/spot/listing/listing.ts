import type { ChangeMarket, ListAsset, ListMarket } from "../../../../src/engine/listing/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import { lending } from "../margin/account.ts";
import { INT64_TOP, least, ONE_E8, SAFE_TOP, tenTo, unitsOf } from "../model/numbers.ts";
import type { ModelMarket } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { configureSources } from "./index-price.ts";
import { setInterruption } from "./interruption.ts";

/** Domain 1.2, with check L2. */
export function listAsset(venue: ModelVenue, { ccy, scale, maxUnits }: ListAsset): Refusal | undefined {
  if (!/^[A-Z0-9]{1,20}$/.test(ccy) || scale < 0 || scale > 18) return "invalid_listing";
  if (venue.assets.some((asset) => asset.ccy === ccy)) return "already_listed";
  const units = maxUnits === undefined ? INT64_TOP / tenTo(scale) : unitsOf(maxUnits, 0);
  if (units === undefined || units < 1n || units * tenTo(scale) > INT64_TOP) return "invalid_listing";
  venue.assets.push({ id: venue.assets.length, ccy, scale, custodyMax: units * tenTo(scale) });
  return undefined;
}

/** Domain 1.2, with checks L1, L3, L5 and L7. */
export function listMarket(venue: ModelVenue, command: ListMarket): Refusal | undefined {
  const { market: name, amountPrecision, pricePrecision } = command;
  if (!/^[A-Z0-9]{2,40}$/.test(name)) return "invalid_listing";
  if (venue.listedByName(name) !== undefined) return "already_listed";
  const base = venue.assets.find((asset) => asset.ccy === command.baseCcy);
  const quote = venue.assets.find((asset) => asset.ccy === command.quoteCcy);
  if (base === undefined || quote === undefined) return "asset_not_found";
  if (base === quote) return "invalid_listing";
  for (const precision of [amountPrecision, pricePrecision])
    if (precision < 0 || precision > 18) return "invalid_listing";
  if (amountPrecision + pricePrecision > quote.scale || amountPrecision > base.scale) return "invalid_listing";
  const lotTick = tenTo(quote.scale - amountPrecision - pricePrecision);
  const lot = tenTo(base.scale - amountPrecision);
  const { maxPrice, maxAmount } = boundsOf(command, lotTick, lot);
  const market: ModelMarket = {
    id: venue.markets.length,
    name,
    base,
    quote,
    amountPrecision,
    pricePrecision,
    lotTick,
    lot,
    minAmount: 0n,
    maxAmount,
    maxPrice,
    makerRate: 0n,
    takerRate: 0n,
    status: "online",
    biddingAt: 0,
    noCancelAt: 0,
    onlineAt: 0,
    delistedAt: 0,
    delisted: false,
    suspended: false,
    apiOpen: true,
    latest: 0n,
    sources: [],
    index: 0n,
    indexAt: 0,
    isStale: false,
    returnedAt: 0,
    interruption: undefined,
    recent: [],
    halt: undefined,
    pool: undefined,
    buys: [],
    sells: [],
  };
  const refusal = change(venue, market, command);
  if (refusal !== undefined) return refusal;
  venue.markets.push(market);
  venue.outcome.madeId = market.id;
  return undefined;
}

/**
 * Domain 1.2: what a listing bounds, and what it gets where it says nothing. A number that cannot be read is refused
 * later.
 */
function boundsOf(
  { amountPrecision, pricePrecision, minAmount, maxAmount, maxPrice }: ListMarket,
  lotTick: bigint,
  lot: bigint,
): Pick<ModelMarket, "maxPrice" | "maxAmount"> {
  const room = INT64_TOP / lotTick;
  const lots =
    maxAmount === undefined
      ? (unitsOf(minAmount, amountPrecision) ?? 1n) * 100_000n
      : unitsOf(maxAmount, amountPrecision);
  const beside = lots === undefined || lots === 0n ? room : room / lots;
  const usual = least(least(tenTo(pricePrecision + 7), tenTo(10)), beside);
  const highest = (maxPrice === undefined ? usual : unitsOf(maxPrice, pricePrecision)) || 1n;
  return { maxPrice: highest, maxAmount: least(least(room / highest, INT64_TOP / lot), SAFE_TOP) };
}

export function changeMarket(venue: ModelVenue, command: ChangeMarket): Refusal | undefined {
  const market = venue.listedByName(command.market);
  if (market === undefined) return "market_not_found";
  const changed = { ...market };
  const refusal = change(venue, changed, command);
  if (refusal === undefined) Object.assign(market, changed);
  return refusal;
}

/** Takes the settings that are given into a market that is not in use yet; what does not fit refuses all of them. */
function change(
  venue: ModelVenue,
  market: ModelMarket,
  given: Omit<ChangeMarket, "kind" | "market">,
): Refusal | undefined {
  const known = venue.markets[market.id] !== undefined;
  const minAmount = optional(given.minAmount, market.amountPrecision, market.minAmount);
  const maxAmount = optional(given.maxAmount, market.amountPrecision, market.maxAmount);
  const maxPrice = optional(given.maxPrice, market.pricePrecision, market.maxPrice);
  const makerRate = optional(given.makerFeeRate, 8, market.makerRate);
  const takerRate = optional(given.takerFeeRate, 8, market.takerRate);
  if (minAmount === undefined || maxAmount === undefined || maxPrice === undefined) return "invalid_listing";
  if (makerRate === undefined || takerRate === undefined) return "invalid_listing";
  if (minAmount < 1n || minAmount > maxAmount || maxPrice < 1n) return "invalid_listing";
  if (maxAmount > SAFE_TOP || maxPrice > SAFE_TOP) return "invalid_listing";
  if (maxPrice * maxAmount * market.lotTick > INT64_TOP || maxAmount * market.lot > INT64_TOP) return "invalid_listing";
  if (makerRate >= ONE_E8 || takerRate >= ONE_E8) return "invalid_listing";
  if (given.indexSources !== undefined) {
    const sources = configureSources(market.sources, given.indexSources);
    if (sources === undefined) return "invalid_listing";
    if (sources.length === 0 && lending(venue).terms.has(market.id)) return "invalid_listing";
    market.sources = sources;
    if (sources.length === 0) {
      market.index = 0n;
      market.indexAt = 0;
      market.isStale = false;
      market.returnedAt = 0;
    }
  }
  const refusal = setInterruption(market, given.interruption);
  if (refusal !== undefined) return refusal;
  const biddingAt = given.biddingAt ?? market.biddingAt;
  const noCancelAt = given.noCancelAt ?? market.noCancelAt;
  const onlineAt = given.onlineAt ?? market.onlineAt;
  const delistedAt = given.delistedAt ?? market.delistedAt;
  const times = { biddingAt, noCancelAt, onlineAt, delistedAt };
  if (timesFault(known ? market : undefined, times, venue.timeMs)) return "invalid_listing";
  Object.assign(market, { minAmount, maxAmount, maxPrice, makerRate, takerRate, ...times });
  market.suspended = given.suspended ?? market.suspended;
  market.apiOpen = given.apiTradingAvailable ?? market.apiOpen;
  // Who is told when to open does not wait once more.
  if (given.onlineAt !== undefined && market.halt !== undefined) market.halt = { ...market.halt, prolonged: true };
  // An auction under way ends by its opening alone.
  if (known && market.status === "bidding") return undefined;
  if (onlineAt <= venue.timeMs) market.status = "online";
  else market.status = biddingAt > 0 && biddingAt <= venue.timeMs ? "bidding" : "counting_down";
  return undefined;
}

/** Domain 2.12: whether a market that has the times of `before`, if it is listed yet, may not have these. */
function timesFault(
  before: ModelMarket | undefined,
  times: Pick<ModelMarket, "biddingAt" | "noCancelAt" | "onlineAt" | "delistedAt">,
  now: number,
): boolean {
  const { biddingAt, noCancelAt, onlineAt, delistedAt } = times;
  if (biddingAt < 0 || noCancelAt < 0 || onlineAt < 0 || delistedAt < 0) return true;
  if (before?.status === "online" && onlineAt > now) return true;
  const isBegun = before !== undefined && before.status !== "counting_down";
  if (isBegun && biddingAt !== before.biddingAt) return true;
  if (isBegun && noCancelAt !== before.noCancelAt) {
    if (before.status === "online" || isLocked(before, now)) return true;
  }
  if (biddingAt === 0) return noCancelAt !== 0;
  if (biddingAt >= onlineAt || (!isBegun && onlineAt <= now)) return true;
  return noCancelAt !== 0 && (noCancelAt < biddingAt || noCancelAt > onlineAt);
}

/** Whether the second phase of an auction is on. */
export function isLocked(market: ModelMarket, now: number): boolean {
  return !market.delisted && market.status === "bidding" && market.noCancelAt > 0 && market.noCancelAt <= now;
}

function optional(text: string | undefined, decimals: number, otherwise: bigint): bigint | undefined {
  return text === undefined ? otherwise : unitsOf(text, decimals);
}
