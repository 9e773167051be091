import type { Fields } from "../../engine/record.ts";
import { recordRows } from "../record-rows.ts";
import { table } from "../table.ts";

/** The row of a transfer between accounts of a user. */
export const TRANSFER_FIELDS = {
  ...{ transferId: "id", userId: "id", createdAt: "ms", from: "text", to: "text", ccy: "text", amount: "decimal" },
} as const satisfies Fields;

export const transferRecords = recordRows(TRANSFER_FIELDS, {
  ...{ createdAt: "time_ms", from: "from_account", to: "to_account" },
});

export const transferRows = table("transfers", transferRecords.columns, {
  key: "transfer_id",
  indexes: { transfers_by_user: { on: ["user_id", "ccy", "transfer_id"] } },
});
