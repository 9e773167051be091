import type { State } from "../../../engine/state.ts";
import type { Backend } from "../../backend.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";
import type { FuturesTicker, SpotTicker } from "../types.generated.ts";

/** Length of the ticker's window, seconds. */
const TICKER_PERIOD_S = 86_400;

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
