import { sql } from "kysely";
import { CELL } from "../../engine/ledger/cell.ts";
import { POSTING } from "../../engine/ledger/posting.ts";
import { type ChangedTables, definePart } from "../part.ts";
import { type LoansQuery, loansOf, type MarginTransfersQuery, marginTransfersOf } from "./margin-queries.ts";
import { loanRecords, loanRows, marginTransferRecords, marginTransferRows } from "./tables.ts";

const CELL_MASK = 255;

/**
 * Loans of margin accounts as they stood when something was last done to them, and transfers into and out of these
 * accounts.
 */
export const margin = definePart({
  name: "margin",
  version: 2,
  tables: [loanRows, marginTransferRows],
  // No file from before this part can have an event of it.
  backfill: "none",
  migrations: { 2: addBalances },
  begin: ({ inserter }) => {
    const insertLoan = inserter(loanRows, ["principal", "interest", "rate_e8", "expired_at", "status"]);
    const insertTransfer = inserter(marginTransferRows);
    /** The total of the margin account that was posted to last: a transfer is told right after its postings. */
    let balance = 0n;
    return {
      /** Word positions as in decodePosting of engine/event.ts. */
      posting: ({ i32, i64 }, at) => {
        if (((i32[at * 2 + 3] as number) & CELL_MASK) === CELL.margin) {
          balance = (i64[at + 4] as bigint) + (i64[at + 5] as bigint);
        }
      },
      rareEvents: {
        loan_changed: (loan) => insertLoan(loanRecords.rowOf(loan)),
        margin_transferred: (told, timeMs) =>
          insertTransfer(marginTransferRecords.rowOf({ ...told, createdAt: timeMs, balance })),
      },
    };
  },
  queries: ({ db }) => ({
    /** Loans of a user, newest first. */
    loans: (query: LoansQuery) => loansOf(db, query),
    /** Transfers into and out of the margin accounts of a user, newest first. */
    marginTransfers: (query: MarginTransfersQuery) => marginTransfersOf(db, query),
  }),
});

/**
 * Version 2 tells what accounts held after transfers, which the statement knows: of an account, the nth change by a
 * transfer is that of its nth transfer. (What leaves with a market is posted as one, too, and comes after all of them.)
 */
async function addBalances({ db, addColumn }: ChangedTables): Promise<void> {
  await addColumn("margin_transfers", "balance");
  await sql`
    with transfers as (
      select transfer_id, user_id, market_id,
        row_number() over (partition by user_id, market_id order by transfer_id) as place
      from margin_transfers
    ), changes as (
      select balance, user_id, market_id,
        row_number() over (partition by user_id, market_id order by entry) as place
      from balance_changes where account = ${CELL.margin} and kind = ${POSTING.transfer}
    )
    update margin_transfers set balance = known.balance
    from (select transfer_id, balance from transfers join changes using (user_id, market_id, place)) as known
    where known.transfer_id = margin_transfers.transfer_id
  `.execute(db);
}
