import { definePart } from "../part.ts";
import { type KlinesQuery, klinesOf, type TradedSecondsQuery, tradedSecondsOf } from "./candle-queries.ts";
import { CandleWriter } from "./candle-writer.ts";
import { CANDLE_TABLES } from "./tables.ts";

/** Candles of deals, indexes and marks. */
export const candles = definePart({
  name: "candles",
  version: 1,
  tables: CANDLE_TABLES,
  backfill: "needed",
  migrations: {},
  begin: (tables) => new CandleWriter(tables),
  queries: ({ db }) => ({
    /** Candles of a market, ascending, without gaps, the open one last. */
    klines: (query: KlinesQuery) => klinesOf(db, query),
    /** Seconds with trades of the last day, from which the tickers start. */
    tradedSeconds: (query: TradedSecondsQuery) => tradedSecondsOf(db, query),
  }),
});
