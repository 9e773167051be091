import { definePart } from "../part.ts";
import {
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
  version: 1,
  tables: POSITION_TABLES,
  past: "needed",
  migrations: {},
  begin: (file) => new PositionWriter(file),
  queries: ({ db }) => ({
    /** Positions of a user that ended, the last to end first. */
    finishedPositions: (query: FinishedPositionsQuery) => finishedPositionsOf(db, query),
    /** Changes of a user's positions that were no trades, newest first. */
    positionChanges: (query: PositionChangesQuery) => positionChangesOf(db, query),
  }),
});
