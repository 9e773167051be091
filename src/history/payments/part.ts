import type { Happenings } from "../../engine/event.ts";
import { definePart } from "../part.ts";
import { type DepositsQuery, depositsOf, type WithdrawalsQuery, withdrawalsOf } from "./payment-queries.ts";
import { depositRows, withdrawalRows } from "./tables.ts";

/** Deposits and withdrawals, each as the last event told of it. */
export const payments = definePart({
  name: "payments",
  version: 2,
  tables: [depositRows, withdrawalRows],
  // No file from before this part can have an event of it.
  past: "none",
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
      happenings: {
        deposit_moved: (told: Happenings["deposit_moved"]) =>
          enterDeposit({
            deposit_id: told.depositId,
            user_id: told.userId ?? 0,
            time_ms: told.createdAt,
            method: told.method,
            chain: told.chain,
            tx_id: told.txId,
            to_address: told.toAddress,
            memo: told.memo,
            ccy: told.ccy,
            amount: told.amount,
            actual_amount: told.actualAmount,
            status: told.status,
            height: told.height,
            confirmations: told.confirmations,
            remark: told.remark,
          }),
        withdrawal_moved: (told: Happenings["withdrawal_moved"]) =>
          enterWithdrawal({
            withdraw_id: told.withdrawId,
            user_id: told.userId,
            time_ms: told.createdAt,
            method: told.method,
            chain: told.chain,
            to_address: told.toAddress,
            memo: told.memo,
            ccy: told.ccy,
            amount: told.amount,
            fee_ccy: told.feeCcy,
            fee: told.fee,
            actual_amount: told.actualAmount,
            tx_id: told.txId,
            status: told.status,
            height: told.height,
            confirmations: told.confirmations,
            remark: told.remark,
            note: told.note,
          }),
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
