import { definePart } from "../part.ts";
import { type PoolIncomeQuery, poolIncomeOf } from "./pool-queries.ts";
import { poolIncomeRows } from "./tables.ts";

/** The earnings of providers of pools, day by day. */
export const pools = definePart({
  name: "pools",
  version: 1,
  tables: [poolIncomeRows],
  // No file from before this part can have an event of it.
  backfill: "none",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(poolIncomeRows);
    return {
      rareEvents: {
        pool_income: ({ userId, marketId, atMs, base, quote, liquidity, proportionE8, dividends }) =>
          insert({
            user_id: userId,
            market_id: marketId,
            time_ms: atMs,
            base,
            quote,
            liquidity,
            proportion_e8: proportionE8,
            dividends,
          }),
      },
    };
  },
  queries: ({ db }) => ({
    /** The days of a provider in a market, newest first. */
    poolIncome: (query: PoolIncomeQuery) => poolIncomeOf(db, query),
  }),
});
