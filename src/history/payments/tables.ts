import type { Fields } from "../../engine/record.ts";
import { recordRows } from "../record-rows.ts";
import { table } from "../table.ts";

/** The row of a deposit. */
export const DEPOSIT_FIELDS = {
  depositId: "id",
  /** 0: nobody knows whose. */
  userId: "id",
  ...{ createdAt: "ms", method: "text", chain: "text", txId: "text", toAddress: "text", memo: "text", ccy: "text" },
  ...{ amount: "decimal", actualAmount: "decimal", status: "text" },
  /** Of its block, 0 while in none, and how many confirmations it had when it was last told of. */
  ...{ height: "count", confirmations: "count" },
  remark: "text",
} as const satisfies Fields;

export const depositRecords = recordRows(DEPOSIT_FIELDS, { createdAt: "time_ms" });

/** Deposits as they stand. */
export const depositRows = table("deposits", depositRecords.columns, {
  key: "deposit_id",
  indexes: {
    deposits_by_user: { on: ["user_id", "deposit_id"] },
    deposits_by_ccy: { on: ["user_id", "ccy", "deposit_id"] },
    deposits_by_tx: { on: ["tx_id", "deposit_id"] },
    deposits_by_status: { on: ["status", "deposit_id"] },
  },
});

/** The row of a withdrawal; height and confirmations as of a deposit. */
export const WITHDRAWAL_FIELDS = {
  ...{ withdrawId: "id", userId: "id", createdAt: "ms", method: "text", chain: "text", toAddress: "text" },
  ...{ memo: "text", ccy: "text", amount: "decimal", feeCcy: "text", fee: "decimal", actualAmount: "decimal" },
  ...{ txId: "text", status: "text", height: "count", confirmations: "count", remark: "text", note: "text" },
} as const satisfies Fields;

export const withdrawalRecords = recordRows(WITHDRAWAL_FIELDS, { createdAt: "time_ms" });

/** Withdrawals as they stand. */
export const withdrawalRows = table("withdrawals", withdrawalRecords.columns, {
  key: "withdraw_id",
  indexes: {
    withdrawals_by_user: { on: ["user_id", "withdraw_id"] },
    withdrawals_by_ccy: { on: ["user_id", "ccy", "withdraw_id"] },
    withdrawals_by_status: { on: ["status", "withdraw_id"] },
    withdrawals_by_tx: { on: ["tx_id", "withdraw_id"] },
  },
});
