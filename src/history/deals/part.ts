import { definePart } from "../part.ts";
import { dealPositions } from "../positions/tables.ts";
import { balanceChanges } from "../statement/tables.ts";
import { dealClock } from "./deal-clock.ts";
import {
  dealOf,
  type MarketDealsQuery,
  marketDealsOf,
  type OrderDealsQuery,
  orderDealsOf,
  type UserDealsQuery,
  userDealsOf,
} from "./deal-queries.ts";
import { DealWriter } from "./deal-writer.ts";
import { DEAL_TABLES } from "./tables.ts";

/** Executions. */
export const deals = definePart({
  name: "deals",
  version: 1,
  tables: DEAL_TABLES,
  reads: [dealPositions, balanceChanges],
  backfill: "needed",
  migrations: {},
  begin: (tables) => DealWriter.begin(tables),
  queries: (tables) => {
    const { db } = tables;
    const clock = dealClock(tables);
    return {
      /** Deals of a user in a market, newest first; a deal with oneself gives two rows. */
      userDeals: (query: UserDealsQuery) => userDealsOf(tables, clock, query),
      /** Deals of one order of a user, newest first. */
      orderDeals: (query: OrderDealsQuery) => orderDealsOf(db, query),
      /** One deal with both its sides, whosever; undefined when there is none. */
      dealOfAnybody: (query: { readonly dealId: number }) => dealOf(db, query),
      /** Deals of a market, newest first. */
      marketDeals: (query: MarketDealsQuery) => marketDealsOf(db, query),
    };
  },
});
