import { definePart } from "../part.ts";
import { inserter } from "../table.ts";
import { type LoansQuery, loansOf, type MarginTransfersQuery, marginTransfersOf } from "./margin-queries.ts";
import { loanRows, marginTransferRows } from "./tables.ts";

/** Loans of margin accounts as they stood when something was last done to them, and transfers into and out of these accounts. */
export const margin = definePart({
  name: "margin",
  version: 1,
  tables: [loanRows, marginTransferRows],
  // No file from before this part can have an event of it.
  past: "none",
  migrations: {},
  begin: ({ database }) => {
    const insertLoan = inserter(database, loanRows, ["principal", "interest", "rate_e8", "expired_at", "status"]);
    const insertTransfer = inserter(database, marginTransferRows);
    return {
      happenings: {
        loan_changed: (loan) =>
          insertLoan({
            borrow_id: loan.borrowId,
            user_id: loan.userId,
            market_id: loan.marketId,
            ccy: loan.ccy,
            amount: loan.amount,
            principal: loan.principal,
            interest: loan.interest,
            rate_e8: loan.dailyRateE8,
            created_at: loan.createdAt,
            expired_at: loan.expiredAt,
            is_auto_renew: loan.isAutoRenew ? 1 : 0,
            status: loan.status,
          }),
        margin_transferred: ({ transferId, userId, marketId, isIn, ccy, amount }, timeMs) =>
          insertTransfer({
            transfer_id: transferId,
            user_id: userId,
            market_id: marketId,
            time_ms: timeMs,
            is_in: isIn ? 1 : 0,
            ccy,
            amount,
          }),
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
