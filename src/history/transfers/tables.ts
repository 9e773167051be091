import { int, table, text } from "../table.ts";

/** Transfers between accounts of a user. */
export const transferRows = table(
  "transfers",
  { transfer_id: int, user_id: int, time_ms: int, from_account: text, to_account: text, ccy: text, amount: text },
  { key: "transfer_id", indexes: { transfers_by_user: { on: ["user_id", "ccy", "transfer_id"] } } },
);
