import { int, table, text } from "../table.ts";

/** Days of providers of pools; amounts in units of their assets, of any size. */
export const poolIncomeRows = table(
  "pool_income",
  {
    user_id: int,
    market_id: int,
    time_ms: int,
    base: text,
    quote: text,
    liquidity: text,
    proportion_e8: int,
    dividends: text,
  },
  { key: ["user_id", "market_id", "time_ms"] },
);
