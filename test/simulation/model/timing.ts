import { endResting } from "./book.ts";
import type { ModelMarket } from "./records.ts";
import { endStop } from "./stopping.ts";
import type { ModelVenue } from "./venue.ts";
import { forgetWindows } from "./windows.ts";

/** Domain 11.3: what has become due by now, market by market. */
export function runDue(venue: ModelVenue): void {
  forgetWindows(venue);
  for (const market of venue.markets) {
    if (market.delisted) continue;
    if (market.status === "counting_down" && market.onlineAt <= venue.timeMs) market.status = "online";
    if (market.delistedAt > 0 && market.delistedAt <= venue.timeMs) delist(venue, market);
  }
}

/** Domain 2.12. */
function delist(venue: ModelVenue, market: ModelMarket): void {
  for (const order of [...market.buys, ...market.sells]) endResting(venue, market, order);
  for (const stop of venue.stops.filter(({ marketId }) => marketId === market.id)) endStop(venue, stop);
  market.delisted = true;
}
