import { definePart } from "../part.ts";
import {
  type DealEffectsQuery,
  dealEffectsOf,
  type FinishedPositionsQuery,
  finishedPositionsOf,
  type PositionChangesQuery,
  positionChangesOf,
} from "./position-queries.ts";
import { PositionWriter } from "./position-writer.ts";
import { POSITION_TABLES } from "./tables.ts";

/** Positions that ended, and what changed positions besides trades. */
export const positions = definePart({
  name: "positions",
  version: 2,
  tables: POSITION_TABLES,
  past: "needed",
  // Of deals of before it stays unknown what they did: flags of 0 are those of no position.
  migrations: {
    2: (database) => {
      for (const column of ["flags", "amount", "entry_cost", "margin", "pnl", "margin_change", "covered"]) {
        database.exec(`alter table deal_positions add column ${column} integer not null default 0`);
      }
    },
  },
  begin: (file) => new PositionWriter(file),
  queries: ({ db }) => ({
    /** Positions of a user that ended, the last to end first. */
    finishedPositions: (query: FinishedPositionsQuery) => finishedPositionsOf(db, query),
    /** Changes of a user's positions that were no trades, newest first. */
    positionChanges: (query: PositionChangesQuery) => positionChangesOf(db, query),
    /** What deals did to the positions of those whose orders are named, in the order in which they are asked for. */
    dealEffects: (query: DealEffectsQuery) => dealEffectsOf(db, query),
  }),
});
