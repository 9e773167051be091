/** The last 24 hours of markets as the legacy generation prints them. */
import { type Cycle, cycleOf } from "../../../engine/futures/funding/cycle.ts";
import { CELL } from "../../../engine/ledger/cell.ts";
import type { Backend } from "../../backend.ts";
import { type MarketPrinter, rateText } from "../../reading/market-printer.ts";
import type { LegacyTicker, PerpetualTicker } from "../types.generated.ts";

export const PERIOD_S = 86_400;
const MINUTE_MS = 60_000;

type Sources = Pick<Backend, "state" | "feeds">;

export function tickerOf({ feeds }: Sources, printer: MarketPrinter, nowMs: number): LegacyTicker {
  const { id } = printer.market;
  const { last, open, high, low, volume } = feeds.ticker(id, nowMs);
  const best = feeds.bestQuotes(id);
  return {
    buy: printer.priceOrNothing(best.bidPrice),
    buy_amount: printer.amount(best.bidLots),
    sell: printer.priceOrNothing(best.askPrice),
    sell_amount: printer.amount(best.askLots),
    open: printer.priceOrNothing(open),
    high: printer.priceOrNothing(high),
    low: printer.priceOrNothing(low),
    last: printer.priceOrNothing(last),
    vol: printer.amount(volume),
  };
}

export function perpetualTickerOf({ state, feeds }: Sources, printer: MarketPrinter, nowMs: number): PerpetualTicker {
  const { market } = printer;
  const traded = feeds.recentlyTraded(market.id);
  return {
    period: PERIOD_S,
    ...tickerOf({ state, feeds }, printer, nowMs),
    sell_total: printer.amount(traded.sell),
    buy_total: printer.amount(traded.buy),
    ...perpetualFiguresOf({ state, feeds }, printer, nowMs),
  };
}

/** Returns the figures of a futures market beside its ticker, over HTTP and on sockets. */
export function perpetualFiguresOf({ state, feeds }: Sources, printer: MarketPrinter, nowMs: number) {
  const { market, settle } = printer;
  const cycle = cycleOf(state, market);
  const { latestRateE8, nextRateE8 } = cycle;
  return {
    sign_price: printer.priceOrNothing(state.futures.live.mark(market.id)),
    index_price: printer.priceOrNothing(market.index.price),
    funding_time: fundingTime(cycle, nowMs),
    position_amount: printer.amount(state.futures.live.openInterest(market.id)),
    funding_rate_last: rateText(feeds.lastFundingE8(market.id)),
    // The cycle under way decides the coming settlement, the trailing interval tells most of the one after it.
    funding_rate_next: rateText(latestRateE8),
    funding_rate_predict: rateText(nextRateE8),
    insurance: printer.value(state.ledger.heldByVenue(CELL.insurance_futures, settle.id)),
  };
}

/** Minutes until funding is collected. */
export function fundingTime({ collectsAt }: Pick<Cycle, "collectsAt">, nowMs: number): number {
  return Math.max(0, Math.ceil((collectsAt - nowMs) / MINUTE_MS));
}
