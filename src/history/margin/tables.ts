import type { Fields } from "../../engine/record.ts";
import { recordRows } from "../record-rows.ts";
import { table } from "../table.ts";

/** The row of a loan. */
export const LOAN_FIELDS = {
  ...{ borrowId: "id", userId: "id", marketId: "id", ccy: "text", amount: "decimal", principal: "decimal" },
  ...{ interest: "decimal", dailyRateE8: "rateE8", createdAt: "ms", expiredAt: "ms", isAutoRenew: "flag" },
  status: "text",
} as const satisfies Fields;

export const loanRecords = recordRows(LOAN_FIELDS, {
  ...{ dailyRateE8: "rate_e8", createdAt: "created_at", expiredAt: "expired_at" },
});

/** One row a loan; what is owed of one that runs has grown since. */
export const loanRows = table("loans", loanRecords.columns, {
  key: "borrow_id",
  indexes: { loans_by_user: { on: ["user_id", "borrow_id"] } },
});

/** The row of a transfer between the spot account of a user and a margin account. */
export const MARGIN_TRANSFER_FIELDS = {
  ...{ transferId: "id", userId: "id", marketId: "id", createdAt: "ms", isIn: "flag", ccy: "text", amount: "decimal" },
  /** Units that the margin account held of the currency afterwards, frozen ones among them. */
  balance: "value",
} as const satisfies Fields;

export const marginTransferRecords = recordRows(MARGIN_TRANSFER_FIELDS, { createdAt: "time_ms" });

export const marginTransferRows = table("margin_transfers", marginTransferRecords.columns, {
  key: "transfer_id",
  indexes: { margin_transfers_by_user: { on: ["user_id", "ccy", "transfer_id"] } },
});
