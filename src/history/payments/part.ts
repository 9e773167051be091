import { definePart } from "../part.ts";
import { type DepositsQuery, depositsOf, type WithdrawalsQuery, withdrawalsOf } from "./payment-queries.ts";
import { depositRecords, depositRows, withdrawalRecords, withdrawalRows } from "./tables.ts";

/** Deposits and withdrawals, each as the last event told of it. */
export const payments = definePart({
  name: "payments",
  version: 2,
  tables: [depositRows, withdrawalRows],
  // No file from before this part can have an event of it.
  backfill: "none",
  migrations: {
    2: async ({ db }) => {
      await db.schema.createIndex("withdrawals_by_tx").on("withdrawals").columns(["tx_id", "withdraw_id"]).execute();
    },
  },
  begin: ({ inserter }) => {
    const enterDeposit = inserter(depositRows, [
      "user_id",
      "actual_amount",
      "status",
      "height",
      "confirmations",
      "remark",
    ]);
    const enterWithdrawal = inserter(withdrawalRows, ["tx_id", "status", "height", "confirmations", "note"]);
    return {
      rareEvents: {
        deposit_moved: (told) => enterDeposit(depositRecords.rowOf({ ...told, userId: told.userId ?? 0 })),
        withdrawal_moved: (told) => enterWithdrawal(withdrawalRecords.rowOf(told)),
      },
    };
  },
  queries: ({ db }) => ({
    /** Deposits, newest first. */
    deposits: (query: DepositsQuery) => depositsOf(db, query),
    /** Withdrawals, newest first. */
    withdrawals: (query: WithdrawalsQuery) => withdrawalsOf(db, query),
  }),
});
