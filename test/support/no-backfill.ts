import type { PastTrades } from "../../src/feeds/feeds.ts";

/** What feeds of a venue start from that nothing has happened in yet. */
export const NO_BACKFILL: PastTrades = {
  tradedSeconds: async () => [],
  marketDeals: async () => [],
  fundingRates: async () => ({ rows: [] }),
};
