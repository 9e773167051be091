/** Public market data of both products: books, deals, candles, tickers, indexes. */
import type { IndexSource, Market } from "../../../engine/listing/market.ts";
import type { Candle } from "../../../history/candles/kline.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import type { Both } from "../../current/product.ts";
import { dealListText } from "../../current/records/deals.ts";
import { tickerOf } from "../../current/records/ticker.ts";
import type { DepthInterval, DepthLimit, FuturesIndex, Kline, SpotIndex } from "../../current/types.generated.ts";
import { fromHistory } from "../../reading/from-history.ts";
import { asJson, type JsonText } from "../../reading/json-text.ts";
import { type MarketPrinter, type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, rowsOf } from "../../reading/named-markets.ts";
import type { Product } from "../../reading/product.ts";
import { Refused } from "../../refused.ts";

export function marketDataHandlers(backend: Backend, printers: Printers): Handlers {
  const { state, feeds, history } = backend;

  const ticker =
    (product: Product): Handler<Both<"GET", "ticker">> =>
    (call) => {
      const rows = rowsOf(state, printers, product, call.params.market, (printer) =>
        tickerOf(backend, printer, call.nowMs),
      );
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(asJson(JSON.stringify(rows)));
    };

  const depth =
    (product: Product): Handler<Both<"GET", "depth">> =>
    (call) => {
      const { market: name, limit, interval } = call.params;
      inMarket(state, product, call, name, ({ id }) =>
        call.answer(depthText(backend, printers.of(id), limit, interval)),
      );
    };

  const deals =
    (product: Product): Handler<Both<"GET", "deals">> =>
    (call) => {
      const { market: name, limit, last_id: lastId } = call.params;
      inMarket(state, product, call, name, ({ id }) => {
        call.answer(dealListText(printers.of(id), feeds.recentDeals(id, lastId, limit)));
      });
    };

  const kline =
    (product: Product): Handler<Both<"GET", "kline">> =>
    (call) => {
      const { params } = call;
      return inMarket(state, product, call, params.market, async ({ id: marketId }) => {
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
    };

  const index =
    (product: Product): Handler<Both<"GET", "index">> =>
    (call) => {
      const rows = rowsOf(state, printers, product, call.params.market, indexOf);
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(asJson(JSON.stringify(rows)));
    };

  return {
    "GET /spot/ticker": ticker("spot"),
    "GET /futures/ticker": ticker("futures"),
    "GET /spot/depth": depth("spot"),
    "GET /futures/depth": depth("futures"),
    "GET /spot/deals": deals("spot"),
    "GET /futures/deals": deals("futures"),
    "GET /spot/kline": kline("spot"),
    "GET /futures/kline": kline("futures"),
    "GET /spot/index": index("spot"),
    "GET /futures/index": index("futures"),
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

/**
 * The index and the sources it has heard of; undefined while the market has none. Only spot says what a source's price
 * is.
 */
function indexOf(printer: MarketPrinter): SpotIndex | FuturesIndex | undefined {
  const { market } = printer;
  const { price, updatedAt, isStale, sources } = market.index;
  if (price === 0n) return undefined;
  const heard = sources.filter((source) => source.price !== 0n).map((source) => sourceOf(market, printer, source));
  return {
    market: market.name,
    created_at: updatedAt,
    price: printer.price(price),
    is_stale: isStale,
    sources: heard,
  } as SpotIndex | FuturesIndex;
}

function sourceOf({ futures }: Market, printer: MarketPrinter, source: IndexSource) {
  const known = {
    exchange: source.exchange,
    created_at: source.updatedAt,
    index_weight: rateText(source.effectiveWeightE8),
  };
  return futures === undefined ? { ...known, index_price: printer.price(source.price) } : known;
}
