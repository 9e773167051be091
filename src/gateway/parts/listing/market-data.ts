/** What everybody may know of the markets of either product: books, deals, candles, tickers, indexes. */
import type { IndexSource, Market } from "../../../engine/listing/market.ts";
import type { State } from "../../../engine/state.ts";
import type { Candle } from "../../../history/kline.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Handler } from "../../current/call.ts";
import { asJson, type JsonText } from "../../current/envelope.ts";
import { dealOf } from "../../current/records/orders.ts";
import type {
  DepthInterval,
  DepthLimit,
  FuturesIndex,
  FuturesTicker,
  Kline,
  SpotIndex,
  SpotTicker,
} from "../../current/types.generated.ts";
import { fromHistory } from "../../reading/from-history.ts";
import { type MarketPrinter, type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, marketsNamed } from "../../reading/named-markets.ts";
import type { Both, Product } from "../../reading/product.ts";
import { Refused } from "../../refusals.ts";

/** Length of the ticker's window, seconds. */
const TICKER_PERIOD_S = 86_400;

/** One row per market that a list names, in its order; without a list per market of the product that is listed. */
export function rowsOf<Row>(
  state: State,
  printers: Printers,
  product: Product,
  names: readonly string[] | undefined,
  print: (printer: MarketPrinter) => Row | undefined,
): Row[] | Refused {
  const markets = marketsNamed(state, product, names);
  if (markets instanceof Refused) return markets;
  return markets.map(({ id }) => print(printers.of(id))).filter((row) => row !== undefined);
}

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
        const printer = printers.of(id);
        call.answer(feeds.recentDeals(id, lastId, limit).map((deal) => dealOf(printer, deal)));
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

/** The last 24 hours. A market without a deal is in the list too: clients take it for the list of markets. */
export function tickerOf(
  { state, feeds }: Pick<Backend, "state" | "feeds">,
  printer: MarketPrinter,
  nowMs: number,
): SpotTicker | FuturesTicker {
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
    ...(market.futures === undefined ? {} : contractFigures(state, printer)),
    period: TICKER_PERIOD_S,
  };
}

function contractFigures({ futures }: State, printer: MarketPrinter) {
  const { id, index } = printer.market;
  return {
    index_price: printer.priceOrNothing(index.price),
    mark_price: printer.priceOrNothing(futures.live.mark(id)),
    open_interest_volume: printer.amount(futures.live.openInterest(id)),
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

/** The index and the sources it has heard of; undefined while the market has none. Only spot says what a source's price is. */
function indexOf(printer: MarketPrinter): SpotIndex | FuturesIndex | undefined {
  const { market } = printer;
  const { price, updatedAt, sources } = market.index;
  if (price === 0n) return undefined;
  const heard = sources.filter((source) => source.price !== 0n).map((source) => sourceOf(market, printer, source));
  return { market: market.name, created_at: updatedAt, price: printer.price(price), sources: heard } as
    | SpotIndex
    | FuturesIndex;
}

function sourceOf({ futures }: Market, printer: MarketPrinter, source: IndexSource) {
  const known = {
    exchange: source.exchange,
    created_at: source.updatedAt,
    index_weight: rateText(source.effectiveWeightE8),
  };
  return futures === undefined ? { ...known, index_price: printer.price(source.price) } : known;
}
