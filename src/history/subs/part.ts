import { definePart } from "../part.ts";
import { type SubTransfersQuery, subTransfersOf } from "./sub-transfer-queries.ts";
import { subTransferRecords, subTransferRows } from "./tables.ts";

/** Transfers between main accounts and their sub-accounts. */
export const subs = definePart({
  name: "subs",
  version: 1,
  tables: [subTransferRows],
  // No file from before this part can have an event of it.
  backfill: "none",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(subTransferRows);
    return {
      rareEvents: {
        sub_transferred: (told, timeMs) => insert(subTransferRecords.rowOf({ ...told, createdAt: timeMs })),
      },
    };
  },
  queries: ({ db }) => ({
    /** Transfers of a main account with its sub-accounts and between these, newest first. */
    subTransfers: (query: SubTransfersQuery) => subTransfersOf(db, query),
  }),
});
