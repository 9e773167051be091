import type { Fields } from "../../engine/record.ts";
import { recordRows } from "../record-rows.ts";
import { table } from "../table.ts";

/** The row of a transfer between a main account, whose the user id is, and its sub-accounts. */
export const SUB_TRANSFER_FIELDS = {
  ...{ transferId: "id", userId: "id", createdAt: "ms", fromUserId: "id", toUserId: "id" },
  ...{ from: "text", to: "text", ccy: "text", amount: "decimal" },
} as const satisfies Fields;

export const subTransferRecords = recordRows(SUB_TRANSFER_FIELDS, {
  ...{ createdAt: "time_ms", from: "from_account", to: "to_account" },
});

export const subTransferRows = table("sub_transfers", subTransferRecords.columns, {
  key: "transfer_id",
  indexes: { sub_transfers_by_user: { on: ["user_id", "transfer_id"] } },
});
