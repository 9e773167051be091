import { definePart } from "../part.ts";
import {
  type DeleveragingsQuery,
  deleveragingsOf,
  type LiquidationsQuery,
  liquidationsOf,
} from "./liquidation-queries.ts";
import {
  deleveragingRecords,
  deleveragingRows,
  LIQUIDATION_TABLES,
  liquidationRecords,
  liquidationRows,
} from "./tables.ts";

/** Positions that the venue took over, and those that were closed against them. */
export const liquidations = definePart({
  name: "liquidations",
  version: 1,
  tables: LIQUIDATION_TABLES,
  backfill: "needed",
  migrations: {},
  begin: ({ inserter }) => {
    const insertLiquidation = inserter(liquidationRows);
    const insertDeleveraging = inserter(deleveragingRows);
    return {
      rareEvents: {
        liquidated: (told, at) =>
          insertLiquidation(
            liquidationRecords.rowOf({
              ...{ ...told, at, lots: BigInt(told.lots) },
              ...{ liqPrice: BigInt(told.liqPrice), bkrPrice: BigInt(told.bkrPrice) },
            }),
          ),
        deleveraged: (told, at) =>
          insertDeleveraging(
            deleveragingRecords.rowOf({ ...told, at, lots: BigInt(told.lots), price: BigInt(told.price) }),
          ),
      },
    };
  },
  queries: ({ db }) => ({
    /** Positions of a market that the venue took over, newest first. */
    liquidations: (query: LiquidationsQuery) => liquidationsOf(db, query),
    /** Closings of a user's positions against positions that the venue took over, newest first. */
    deleveragings: (query: DeleveragingsQuery) => deleveragingsOf(db, query),
  }),
});
