import { POSTING_FLAG } from "../../engine/event.ts";
import { dealClock } from "../deals/deal-clock.ts";
import { DEAL_TABLES } from "../deals/tables.ts";
import { definePart } from "../part.ts";
import { entriesOf } from "./entries.ts";
import { type StatementQuery, statementOf } from "./statement-queries.ts";
import { balanceChanges } from "./tables.ts";

const { kindShift, kindMask, legShift, legMask } = POSTING_FLAG;
const CELL_MASK = 255;

/**
 * Changes of the totals of users' cells: the legs of deals lie with the deals, every other change is a row. Source:
 * domain 6.2.
 */
export const statement = definePart({
  name: "statement",
  version: 1,
  tables: [balanceChanges],
  reads: DEAL_TABLES,
  backfill: "needed",
  migrations: {},
  begin: async (tables) => {
    const insert = tables.inserter(balanceChanges);
    const entries = await entriesOf(tables);
    return {
      /** Word positions as in decodePosting of engine/event.ts. Freezes and releases change no total. */
      posting: ({ i32, i64 }, at, timeMs) => {
        const userId = i32[at * 2 + 2] as number;
        const marks = i32[at * 2 + 3] as number;
        if (userId < 0 || ((marks >> legShift) & legMask) !== 0) return;
        const change = (i64[at + 2] as bigint) + (i64[at + 3] as bigint);
        if (change === 0n) return;
        insert({
          user_id: userId,
          entry: entries.next(),
          time_ms: timeMs,
          account: marks & CELL_MASK,
          market_id: marks >>> 16,
          asset_id: i32[at * 2 + 1] as number,
          kind: (marks >> kindShift) & kindMask,
          change,
          balance: (i64[at + 4] as bigint) + (i64[at + 5] as bigint),
        });
      },
    };
  },
  queries: (tables) => {
    const clock = dealClock(tables);
    return {
      /** Changes of the totals of a user's cells, newest first. */
      statement: (query: StatementQuery) => statementOf(tables, clock, query),
    };
  },
});
