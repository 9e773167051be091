import type { Backend } from "../../../backend.ts";
import type { MarketPrinter } from "../../../reading/market-printer.ts";
import { PERIOD_S, perpetualFiguresOf } from "../../records/tickers.ts";

type Sources = Pick<Backend, "state" | "feeds">;

/** A LegacyWsState, of a futures market a LegacyWsFuturesState, as JSON. */
export function stateText({ state, feeds }: Sources, printer: MarketPrinter, nowMs: number): string {
  const { id, futures } = printer.market;
  const { last, open, high, low, volume, value } = feeds.ticker(id, nowMs);
  const traded = feeds.recentlyTraded(id);
  const prices = {
    period: PERIOD_S,
    last: printer.priceOrNothing(last),
    open: printer.priceOrNothing(open),
    close: printer.priceOrNothing(last),
    high: printer.priceOrNothing(high),
    low: printer.priceOrNothing(low),
    volume: printer.amount(volume),
    deal: printer.value(value),
    sell_total: printer.amount(traded.sell),
    buy_total: printer.amount(traded.buy),
  };
  return JSON.stringify(
    futures === undefined ? prices : { ...prices, ...perpetualFiguresOf({ state, feeds }, printer, nowMs) },
  );
}
