import { int, table, text } from "../table.ts";

/** Transfers between a main account, which is user_id, and its sub-accounts. */
export const subTransferRows = table(
  "sub_transfers",
  {
    transfer_id: int,
    user_id: int,
    time_ms: int,
    from_user_id: int,
    to_user_id: int,
    from_account: text,
    to_account: text,
    ccy: text,
    amount: text,
  },
  { key: "transfer_id", indexes: { sub_transfers_by_user: { on: ["user_id", "transfer_id"] } } },
);
