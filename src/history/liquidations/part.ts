import { definePart } from "../part.ts";
import {
  type DeleveragingsQuery,
  deleveragingsOf,
  type LiquidationsQuery,
  liquidationsOf,
} from "./liquidation-queries.ts";
import { deleveragingRows, LIQUIDATION_TABLES, liquidationRows } from "./tables.ts";

/** Positions that the venue took over, and those that were closed against them. */
export const liquidations = definePart({
  name: "liquidations",
  version: 1,
  tables: LIQUIDATION_TABLES,
  past: "needed",
  migrations: {},
  begin: ({ inserter }) => {
    const insertLiquidation = inserter(liquidationRows);
    const insertDeleveraging = inserter(deleveragingRows);
    return {
      happenings: {
        liquidated: ({ marketId, isShort, lots, liqPrice, bkrPrice }, timeMs) =>
          insertLiquidation({
            market_id: marketId,
            time_ms: timeMs,
            is_short: isShort ? 1 : 0,
            lots: BigInt(lots),
            liq_price: BigInt(liqPrice),
            bkr_price: BigInt(bkrPrice),
          }),
        deleveraged: ({ dealId, positionId, userId, marketId, isShort, lots, price }, timeMs) =>
          insertDeleveraging({
            deal_id: dealId,
            position_id: positionId,
            user_id: userId,
            market_id: marketId,
            time_ms: timeMs,
            is_short: isShort ? 1 : 0,
            lots: BigInt(lots),
            price: BigInt(price),
          }),
      },
    };
  },
  queries: ({ db }) => ({
    /** Positions of a market that the venue took over, newest first. */
    liquidations: (query: LiquidationsQuery) => liquidationsOf(db, query),
    /** What was closed of a user's position against positions that the venue took over, newest first. */
    deleveragings: (query: DeleveragingsQuery) => deleveragingsOf(db, query),
  }),
});
