/** What everybody may know of the spot markets. */
import type { IndexSource } from "../../../engine/listing/market.ts";
import type { Candle } from "../../../history/kline.ts";
import type { Backend } from "../../backend.ts";
import { asJson, type JsonText } from "../../envelope.ts";
import { Refused } from "../../refusals.ts";
import type { Handlers } from "../api.ts";
import type { DepthInterval, DepthLimit, Kline, SpotIndex, SpotMarket, SpotTicker } from "../types.generated.ts";
import { fromHistory } from "./from-history.ts";
import { type MarketPrinter, type Printers, rateText } from "./market-printer.ts";
import { inMarket, marketsNamed } from "./named-markets.ts";
import { dealOf } from "./wire.ts";

/** Length of the ticker's window, seconds. */
const TICKER_PERIOD_S = 86_400;

export function spotMarketHandlers(backend: Backend, printers: Printers): Handlers {
  const { state, feeds, history } = backend;

  /** One row per market that a list names; without a list per market that is listed. */
  function rowsOf<Row>(names: readonly string[] | undefined, print: (printer: MarketPrinter) => Row): Row[] | Refused {
    const markets = marketsNamed(state, names);
    return markets instanceof Refused ? markets : markets.map(({ id }) => print(printers.of(id)));
  }

  return {
    "GET /spot/market": (call) => {
      const rows = rowsOf(call.params.market, marketOf);
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows);
    },

    "GET /spot/ticker": (call) => {
      const rows = rowsOf(call.params.market, (printer) => tickerOf(backend, printer, call.nowMs));
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows);
    },

    "GET /spot/depth": (call) => {
      const { market: name, limit, interval } = call.params;
      inMarket(state, call, name, ({ id }) => call.answer(depthText(backend, printers.of(id), limit, interval)));
    },

    "GET /spot/deals": (call) => {
      const { market: name, limit, last_id: lastId } = call.params;
      inMarket(state, call, name, ({ id }) => {
        const printer = printers.of(id);
        call.answer(feeds.recentDeals(id, lastId, limit).map((deal) => dealOf(printer, deal)));
      });
    },

    "GET /spot/kline": (call) => {
      const { params } = call;
      return inMarket(state, call, params.market, async ({ id: marketId }) => {
        const candles = await fromHistory(
          history.klines({
            marketId,
            period: params.period,
            priceType: params.price_type,
            limit: params.limit,
            startTime: params.start_time,
            endTime: params.end_time,
            nowMs: call.nowMs,
          }),
        );
        if (candles instanceof Refused) call.refuse(candles);
        else call.answer(candles.map((candle) => klineOf(printers.of(marketId), candle)));
      });
    },

    "GET /spot/index": (call) => {
      const rows = rowsOf(call.params.market, (printer) => indexOf(printer));
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows.filter((row) => row !== undefined));
    },
  };
}

function marketOf(printer: MarketPrinter): SpotMarket {
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
    // The engine has no pools and no margin accounts yet.
    is_amm_available: false,
    is_margin_available: false,
    is_pre_market_trading_available: market.preMarketTradingAvailable,
    is_pre_trading_available: market.preMarketTradingAvailable,
    is_api_trading_available: market.apiTradingAvailable,
  };
}

/** The last 24 hours. A market without a deal is in the list too: clients take it for the list of markets. */
export function tickerOf({ feeds }: Pick<Backend, "feeds">, printer: MarketPrinter, nowMs: number): SpotTicker {
  const { market } = printer;
  const ticker = feeds.ticker(market.id, nowMs);
  const last = printer.priceOrNothing(ticker.last);
  return {
    market: market.name,
    last,
    open: printer.priceOrNothing(ticker.open),
    close: last,
    high: printer.priceOrNothing(ticker.high),
    low: printer.priceOrNothing(ticker.low),
    volume: printer.amount(ticker.volume),
    value: printer.value(ticker.value),
    volume_sell: printer.amount(ticker.volumeSell),
    volume_buy: printer.amount(ticker.volumeBuy),
    period: TICKER_PERIOD_S,
  };
}

/** The book as feeds keep it ready in text, over which the checksum was taken. */
function depthText(
  { feeds }: Pick<Backend, "feeds">,
  printer: MarketPrinter,
  limit: DepthLimit,
  interval: DepthInterval,
): JsonText {
  const { id, name } = printer.market;
  const { json, updatedAt, checksum } = feeds.depth(id, limit, interval);
  const last = printer.priceOrNothing(feeds.lastPrice(id));
  return asJson(
    `{"market":"${name}","is_full":true,` +
      `"depth":{${json},"last":"${last}","updated_at":${updatedAt},"checksum":${checksum}}}`,
  );
}

function klineOf(printer: MarketPrinter, candle: Candle): Kline {
  return {
    market: printer.market.name,
    created_at: candle.createdAt,
    open: printer.price(candle.open),
    close: printer.price(candle.close),
    high: printer.price(candle.high),
    low: printer.price(candle.low),
    volume: printer.amount(candle.volume),
    value: printer.value(candle.value),
  };
}

/** The index and the sources it has heard of; undefined while the market has none. */
function indexOf(printer: MarketPrinter): SpotIndex | undefined {
  const { market } = printer;
  const { price, updatedAt, sources } = market.index;
  if (price === 0n) return undefined;
  const sourceOf = (source: IndexSource) => ({
    exchange: source.exchange,
    created_at: source.updatedAt,
    index_weight: rateText(source.effectiveWeightE8),
    index_price: printer.price(source.price),
  });
  return {
    market: market.name,
    created_at: updatedAt,
    price: printer.price(price),
    sources: sources.filter((source) => source.price !== 0n).map(sourceOf),
  };
}
