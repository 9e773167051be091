import { cycleOf, fundingTermsOf } from "../../../engine/futures/funding/cycle.ts";
import type { State } from "../../../engine/state.ts";
import { type MarketPrinter, rateText } from "../../reading/market-printer.ts";
import type { FundingRate } from "../types.generated.ts";

const HOUR_MS = 3_600_000;

/** Source: domain 4.12. */
export function fundingRateOf(state: State, printer: MarketPrinter): FundingRate {
  const { market, terms } = printer;
  const { latestRateE8, nextRateE8, collectsAt, watch } = cycleOf(state, market);
  const { capE8 } = fundingTermsOf(terms);
  return {
    market: market.name,
    mark_price: printer.priceOrNothing(state.futures.live.mark(market.id)),
    latest_funding_rate: rateText(latestRateE8),
    next_funding_rate: rateText(nextRateE8),
    max_funding_rate: rateText(capE8),
    min_funding_rate: rateText(-capE8),
    // Clients take the interval from the two times, before the first collection too.
    latest_funding_time: collectsAt - watch.intervalH * HOUR_MS,
    next_funding_time: collectsAt,
  };
}
