import { definePart } from "../part.ts";
import { transferRecords, transferRows } from "./tables.ts";
import { type TransfersQuery, transfersOf } from "./transfer-queries.ts";

/** Transfers between accounts of a user. */
export const transfers = definePart({
  name: "transfers",
  version: 1,
  tables: [transferRows],
  backfill: "needed",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(transferRows);
    return {
      rareEvents: {
        transferred: (told, timeMs) => insert(transferRecords.rowOf({ ...told, createdAt: timeMs })),
      },
    };
  },
  queries: ({ db }) => ({
    /** Transfers between accounts of a user, newest first. */
    transfers: (query: TransfersQuery) => transfersOf(db, query),
  }),
});
