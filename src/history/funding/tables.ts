import { int, table } from "../table.ts";

/** Collections of funding of futures markets, rates in 10^-8. */
export const fundingRateRows = table(
  "funding_rates",
  { market_id: int, time_ms: int, rate_e8: int, actual_rate_e8: int },
  { key: ["market_id", "time_ms"] },
);

/** Premium samples of futures markets, in 10^-8. */
export const premiumRows = table(
  "premiums",
  { market_id: int, time_ms: int, premium_e8: int },
  { key: ["market_id", "time_ms"] },
);

export const FUNDING_TABLES = [fundingRateRows, premiumRows] as const;
