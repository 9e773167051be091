import { definePart } from "../part.ts";
import {
  type DealEffectsQuery,
  dealEffectsOf,
  endedPositionOf,
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
  backfill: "needed",
  // Of deals of before it stays unknown what they did: flags of 0 are those of no position.
  migrations: {
    2: async ({ addColumn }) => {
      for (const column of ["flags", "amount", "entry_cost", "margin", "pnl", "margin_change", "covered"]) {
        await addColumn("deal_positions", column);
      }
    },
  },
  begin: (tables) => new PositionWriter(tables),
  queries: ({ db }) => ({
    /** Positions of a user that ended, the last to end first. */
    finishedPositions: (query: FinishedPositionsQuery) => finishedPositionsOf(db, query),
    /** The one of this id that ended, whosever it was. */
    endedPosition: (query: { readonly positionId: number }) => endedPositionOf(db, query),
    /** Changes of a user's positions that were no trades, newest first. */
    positionChanges: (query: PositionChangesQuery) => positionChangesOf(db, query),
    /**
     * The effects of deals on the positions of the users whose orders are named, in the order in which they are asked
     * for.
     */
    dealEffects: (query: DealEffectsQuery) => dealEffectsOf(db, query),
  }),
});
