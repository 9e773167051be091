import { klineRows } from "../candles/tables.ts";
import { definePart } from "../part.ts";
import {
  type BasisQuery,
  basisOf,
  type FundingRatesQuery,
  fundingRatesOf,
  type PremiumsQuery,
  premiumsOf,
} from "./funding-queries.ts";
import { FUNDING_TABLES, fundingRateRows, premiumRows } from "./tables.ts";

/** Funding of futures markets, and the premiums that it comes from. */
export const funding = definePart({
  name: "funding",
  version: 1,
  tables: FUNDING_TABLES,
  reads: [klineRows],
  backfill: "needed",
  migrations: {},
  begin: ({ inserter }) => {
    const insertRate = inserter(fundingRateRows);
    const insertPremium = inserter(premiumRows, "keep");
    return {
      rareEvents: {
        premium_sampled: ({ marketId, minuteMs, premiumE8 }) =>
          insertPremium({ market_id: marketId, time_ms: minuteMs, premium_e8: premiumE8 }),
        funding_collected: ({ marketId, atMs, rateE8, actualRateE8 }) =>
          insertRate({ market_id: marketId, time_ms: atMs, rate_e8: rateE8, actual_rate_e8: actualRateE8 }),
      },
    };
  },
  queries: ({ db }) => ({
    /** Collections of funding in a market, newest first. */
    fundingRates: (query: FundingRatesQuery) => fundingRatesOf(db, query),
    /** Premium samples of a market, newest first. */
    premiums: (query: PremiumsQuery) => premiumsOf(db, query),
    /** How far the latest price of a market lay from its index, every ten minutes, ascending. */
    basis: (query: BasisQuery) => basisOf(db, query),
  }),
});
