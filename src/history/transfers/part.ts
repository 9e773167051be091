import { definePart } from "../part.ts";
import { transferRows } from "./tables.ts";
import { type TransfersQuery, transfersOf } from "./transfer-queries.ts";

/** Transfers between accounts of a user. */
export const transfers = definePart({
  name: "transfers",
  version: 1,
  tables: [transferRows],
  past: "needed",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(transferRows);
    return {
      happenings: {
        transferred: ({ transferId, userId, from, to, ccy, amount }, timeMs) =>
          insert({
            transfer_id: transferId,
            user_id: userId,
            time_ms: timeMs,
            from_account: from,
            to_account: to,
            ccy,
            amount,
          }),
      },
    };
  },
  queries: ({ db }) => ({
    /** Transfers between accounts of a user, newest first. */
    transfers: (query: TransfersQuery) => transfersOf(db, query),
  }),
});
