/** Public market data in the legacy generation: /v1/market/…, /perpetual/v1/market/…, /v1/common/… */
import type { Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyCall, LegacyHandlers } from "../../legacy/call.ts";
import { printMarketDeal } from "../../legacy/records/deal-shape.ts";
import { besideDepth } from "../../legacy/records/depth.ts";
import { klineOf } from "../../legacy/records/klines.ts";
import { perpetualTickerOf, tickerOf } from "../../legacy/records/tickers.ts";
import type { LegacyMarketInfo, PerpetualMarket } from "../../legacy/types.generated.ts";
import { fromHistory } from "../../reading/from-history.ts";
import { asJson, jsonList } from "../../reading/json-text.ts";
import { type MarketPrinter, type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, marketsNamed } from "../../reading/named-markets.ts";
import type { Product } from "../../reading/product.ts";
import { Refused } from "../../refused.ts";

/** The paths of either product. */
type Of<Rest extends string> = `GET /v1/market/${Rest}` | `GET /perpetual/v1/market/${Rest}`;

export function legacyMarketDataHandlers(backend: Backend, printers: Printers): LegacyHandlers {
  const { state, feeds, history } = backend;
  const listed = (product: Product) => marketsNamed(state, product, undefined) as readonly Market[];

  /** One row per listed market, by its name. */
  const byName = <Row>(product: Product, print: (printer: MarketPrinter) => Row): Record<string, Row> =>
    Object.fromEntries(listed(product).map(({ id, name }) => [name, print(printers.of(id))]));

  const depth =
    (product: Product) =>
    (call: LegacyCall<Of<"depth">>): void => {
      const { market: name, limit, merge } = call.params;
      inMarket(state, product, call, name, ({ id }) => {
        const { json, updatedAt } = feeds.depth(id, limit, merge);
        call.answer(asJson(`{${besideDepth(backend, printers.of(id))},"time":${updatedAt},${json}}`));
      });
    };

  const deals =
    (product: Product) =>
    (call: LegacyCall<Of<"deals">>): void => {
      const { market: name, limit, last_id: lastId } = call.params;
      inMarket(state, product, call, name, ({ id }) =>
        call.answer(jsonList(feeds.recentDeals(id, lastId, limit), (deal) => printMarketDeal(deal, printers.of(id)))),
      );
    };

  const kline =
    (product: Product) =>
    (call: LegacyCall<Of<"kline">>): Promise<void> | undefined => {
      const { market: name, limit, type: period } = call.params;
      return inMarket(state, product, call, name, async ({ id: marketId }) => {
        const query = { marketId, period, priceType: "latest_price", limit, nowMs: call.nowMs } as const;
        const candles = await fromHistory(history.klines(query));
        if (candles instanceof Refused) call.refuse(candles);
        else call.answer(candles.map((candle) => klineOf(printers.of(marketId), candle)));
      });
    };

  return {
    "GET /v1/market/list": (call) => call.answer(listed("spot").map(({ name }) => name)),
    "GET /v1/market/info": (call) => call.answer(byName("spot", infoOf)),
    "GET /v1/market/detail": (call) =>
      inMarket(state, "spot", call, call.params.market, ({ id }) => call.answer(infoOf(printers.of(id)))),
    "GET /v1/market/ticker": (call) =>
      inMarket(state, "spot", call, call.params.market, ({ id }) =>
        call.answer({ date: call.nowMs, ticker: tickerOf(backend, printers.of(id), call.nowMs) }),
      ),
    "GET /v1/market/ticker/all": (call) =>
      call.answer({ date: call.nowMs, ticker: byName("spot", (printer) => tickerOf(backend, printer, call.nowMs)) }),
    "GET /v1/market/depth": depth("spot"),
    "GET /v1/market/deals": deals("spot"),
    "GET /v1/market/kline": kline("spot"),
    "GET /v1/common/currency/rate": (call) => call.answer(currencyRates(state)),

    "GET /perpetual/v1/ping": (call) => call.answer("pong"),
    "GET /perpetual/v1/time": (call) => call.answer(call.nowMs),
    "GET /perpetual/v1/market/list": (call) =>
      call.answer(listed("futures").map(({ id }) => perpetualMarketOf(printers.of(id)))),
    "GET /perpetual/v1/market/limit_config": (call) => call.answer(byName("futures", tiersOf)),
    "GET /perpetual/v1/market/ticker": (call) =>
      inMarket(state, "futures", call, call.params.market, ({ id }) =>
        call.answer({ date: call.nowMs, ticker: perpetualTickerOf(backend, printers.of(id), call.nowMs) }),
      ),
    "GET /perpetual/v1/market/ticker/all": (call) => {
      const ticker = byName("futures", (printer) => perpetualTickerOf(backend, printer, call.nowMs));
      call.answer({ date: call.nowMs, ticker });
    },
    "GET /perpetual/v1/market/depth": depth("futures"),
    "GET /perpetual/v1/market/deals": deals("futures"),
    "GET /perpetual/v1/market/kline": kline("futures"),
  };
}

function infoOf({ market, base, quote }: MarketPrinter): LegacyMarketInfo {
  return {
    name: market.name,
    taker_fee_rate: rateText(market.takerFeeRateE8),
    maker_fee_rate: rateText(market.makerFeeRateE8),
    min_amount: formatDecimal(market.minAmount, market.amountPrecision),
    trading_name: base.ccy,
    trading_decimal: market.amountPrecision,
    pricing_name: quote.ccy,
    pricing_decimal: market.pricePrecision,
  };
}

function perpetualMarketOf(printer: MarketPrinter): PerpetualMarket {
  const { market, terms, base, quote } = printer;
  return {
    name: market.name,
    type: terms.contractType === "linear" ? 1 : 2,
    leverages: terms.leverages.map(String),
    stock: base.ccy,
    money: quote.ccy,
    fee_prec: FEE_RATE_DECIMALS,
    stock_prec: base.scale,
    // Clients take it for the decimals of prices. Source: contract/legacy/README.md, Settled 4.
    money_prec: market.pricePrecision,
    amount_prec: market.amountPrecision,
    amount_min: printer.amount(market.minAmount),
    multiplier: "1",
    tick_size: printer.price(terms.tickSize),
    available: market.status === "online" && !market.suspended,
  };
}

const FEE_RATE_DECIMALS = 5;

function tiersOf({ market, terms }: MarketPrinter) {
  return terms.levels.map(
    ({ amount, leverage, maintenanceRateE8 }) =>
      [formatDecimal(amount, market.amountPrecision), String(leverage), rateText(maintenanceRateE8)] as const,
  );
}

/**
 * Returns the price of one unit of each currency in USD, for which USDT stands: the index, or else the last price, of
 * its USDT market. USDT and USD are 1; a currency without a price is left out. Source: contract/legacy/README.md,
 * Settled 13.
 */
function currencyRates(state: State): Record<string, string> {
  const rates: Record<string, string> = {};
  for (const { ccy } of state.assets) {
    const market = state.marketNamed(`${ccy}USDT`, false);
    const price = market === undefined ? 0n : market.index.price || (state.lastPrice[market.id] ?? 0n);
    if (ccy === "USDT" || ccy === "USD") rates[`${ccy}_to_USD`] = "1";
    else if (market !== undefined && price !== 0n) rates[`${ccy}_to_USD`] = formatDecimal(price, market.pricePrecision);
  }
  return rates;
}
