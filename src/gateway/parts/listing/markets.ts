/** The lists of markets of both products, with their settings. */
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { FuturesMarket, PositionLevels, SpotMarket } from "../../current/types.generated.ts";
import { type MarketPrinter, type Printers, rateText } from "../../reading/market-printer.ts";
import { rowsOf } from "../../reading/named-markets.ts";
import { Refused } from "../../refused.ts";

export function marketHandlers({ state }: Backend, printers: Printers): Handlers {
  return {
    "GET /spot/market": (call) => {
      const rows = rowsOf(state, printers, "spot", call.params.market, (printer) => spotMarketOf(state, printer));
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows);
    },

    "GET /futures/market": (call) => {
      const openInterestOf = ({ market }: MarketPrinter) => state.futures.live.openInterest(market.id);
      const rows = rowsOf(state, printers, "futures", call.params.market, (printer) =>
        futuresMarketOf(printer, openInterestOf(printer)),
      );
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows);
    },

    "GET /futures/position-level": (call) => {
      const rows = rowsOf(state, printers, "futures", call.params.market, levelsOf);
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows);
    },
  };
}

function spotMarketOf(state: State, printer: MarketPrinter): SpotMarket {
  const { market } = printer;
  return {
    ...listingOf(printer),
    is_amm_available: market.pool !== undefined,
    is_margin_available: state.margin.terms.has(market.id),
    is_pre_market_trading_available: market.preMarketTradingAvailable,
    is_pre_trading_available: market.preMarketTradingAvailable,
    is_api_trading_available: market.apiTradingAvailable,
  };
}

function futuresMarketOf(printer: MarketPrinter, openInterest: bigint): FuturesMarket {
  const { market, terms } = printer;
  const { market: name, ...listing } = listingOf(printer);
  return {
    market: name,
    contract_type: terms.contractType,
    ...listing,
    tick_size: printer.price(terms.tickSize),
    leverage: terms.leverages.map(String),
    open_interest_volume: printer.amount(openInterest),
    is_market_available: market.status === "online" && !market.suspended,
    // Nobody's trades are copied here.
    is_copy_trading_available: false,
    is_api_trading_available: market.apiTradingAvailable,
  };
}

/** Returns the fields that the market records of both products share, from the name to the time of delisting. */
function listingOf(printer: MarketPrinter) {
  const { market, base, quote } = printer;
  return {
    market: market.name,
    maker_fee_rate: rateText(market.makerFeeRateE8),
    taker_fee_rate: rateText(market.takerFeeRateE8),
    min_amount: printer.amount(market.minAmount),
    base_ccy: base.ccy,
    quote_ccy: quote.ccy,
    base_ccy_precision: market.amountPrecision,
    quote_ccy_precision: market.pricePrecision,
    status: market.status,
    delisted_at: market.delistedAt,
  };
}

function levelsOf(printer: MarketPrinter): PositionLevels {
  const { market, terms } = printer;
  return {
    market: market.name,
    level: terms.levels.map(({ amount, leverage, maintenanceRateE8, minInitialRateE8 }) => ({
      amount: printer.amount(amount),
      leverage: String(leverage),
      maintenance_margin_rate: rateText(maintenanceRateE8),
      min_initial_margin_rate: rateText(minInitialRateE8),
    })),
  };
}
