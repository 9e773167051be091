/** Calls that show operators all settings of a market, to look at before a change. */

import { markBandOf } from "../../../engine/futures/funding/cycle.ts";
import { restOf } from "../../../engine/futures/funding/sampling.ts";
import { CELL } from "../../../engine/ledger/cell.ts";
import type { Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { required } from "../../admin/field.ts";
import { MarketPrinter, NOTHING, rateText } from "../../reading/market-printer.ts";
import { Refused } from "../../refused.ts";
import { marketName, marketType } from "./listing-calls.ts";

const listMarkets = call({
  method: "GET",
  path: "/admin/markets",
  verbs: { "market list": "Show every listed market with its settings, in the order of listing." },
  fields: {},
  serve: ({ state }) => ({
    markets: state.markets.filter((market) => !market.delisted).map((market) => marketView(state, market)),
  }),
});

const showMarket = call({
  method: "GET",
  path: "/admin/markets/MARKET",
  verbs: { "market show": "Show a market: its settings, how it stands, its index and where that comes from." },
  fields: { market: required(marketName, "the market"), market_type: marketType },
  serve({ state }, { market: name, market_type: type }) {
    const market = state.marketNamed(name, type === "FUTURES");
    if (market !== undefined) return marketView(state, market);
    return new Refused("market_not_found", `The market ${name} is not listed.`);
  },
});

/** Settings under the names by which they are given. */
function marketView(state: State, market: Market): object {
  const printer = new MarketPrinter(state, market);
  return {
    market: market.name,
    market_type: market.futures === undefined ? "SPOT" : "FUTURES",
    base_ccy: printer.base.ccy,
    quote_ccy: printer.quote.ccy,
    base_ccy_precision: market.amountPrecision,
    quote_ccy_precision: market.pricePrecision,
    min_amount: printer.amount(market.minAmount),
    max_amount: printer.amount(market.maxAmount),
    max_price: printer.price(market.maxPrice),
    maker_fee_rate: rateText(market.makerFeeRateE8),
    taker_fee_rate: rateText(market.takerFeeRateE8),
    market_status: market.status,
    bidding_at: market.biddingAt,
    no_cancel_at: market.noCancelAt,
    online_at: market.onlineAt,
    delisted_at: market.delistedAt,
    suspended: market.suspended,
    is_api_trading_available: market.apiTradingAvailable,
    is_pre_market_trading_available: market.preMarketTradingAvailable,
    latest_price: printer.priceOrNothing(state.lastPrice[market.id] ?? 0n),
    index_price: printer.priceOrNothing(market.index.price),
    index_stale: market.index.isStale,
    ...(market.futures === undefined ? { interruption: interruptionView(market) } : {}),
    index_sources: market.index.sources.map(({ exchange, weightE8, effectiveWeightE8, price, updatedAt }) => ({
      exchange,
      weight: rateText(weightE8),
      share: effectiveWeightE8 === 0 ? NOTHING : rateText(effectiveWeightE8),
      price: printer.priceOrNothing(price),
      updated_at: updatedAt,
    })),
    ...(market.futures === undefined ? {} : contractView(state, printer)),
  };
}

function interruptionView({ interruption }: Market): object | "none" {
  if (interruption === undefined) return "none";
  const { moveE8, windowMs, auctionMs } = interruption;
  return { move: rateText(moveE8), window_ms: windowMs, auction_ms: auctionMs };
}

/**
 * Returns the fields that only a futures market has: its terms, its mark and open interest, and the insurance fund of
 * its settlement currency.
 */
function contractView(state: State, printer: MarketPrinter): object {
  const { market, terms, settle } = printer;
  const { live } = state.futures;
  return {
    contract_type: terms.contractType,
    settle_ccy: settle.ccy,
    tick_size: printer.price(terms.tickSize),
    leverage: terms.leverages,
    level: terms.levels.map(({ amount, leverage, maintenanceRateE8, minInitialRateE8 }) => ({
      amount: printer.amount(amount),
      leverage,
      maintenance_margin_rate: rateText(maintenanceRateE8),
      min_initial_margin_rate: rateText(minInitialRateE8),
    })),
    mark_price: printer.priceOrNothing(live.mark(market.id)),
    mark_band: rateText(markBandOf(terms)),
    impact_rest_ms: restOf(terms),
    open_interest_volume: printer.amount(live.openInterest(market.id)),
    insurance_fund: printer.value(state.ledger.heldByVenue(CELL.insurance_futures, settle.id)),
  };
}

export const MARKET_VIEW_CALLS: readonly AdminCall[] = [listMarkets, showMarket];
