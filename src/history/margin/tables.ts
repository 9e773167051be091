import { int, table, text } from "../table.ts";

/** One row a loan; what is owed of one that runs has grown since. */
export const loanRows = table(
  "loans",
  {
    borrow_id: int,
    user_id: int,
    market_id: int,
    ccy: text,
    amount: text,
    principal: text,
    interest: text,
    rate_e8: int,
    created_at: int,
    expired_at: int,
    is_auto_renew: int,
    status: text,
  },
  { key: "borrow_id", indexes: { loans_by_user: { on: ["user_id", "borrow_id"] } } },
);

/** Transfers between the spot account of a user and a margin account; units that this held of the currency afterwards. */
export const marginTransferRows = table(
  "margin_transfers",
  { transfer_id: int, user_id: int, market_id: int, time_ms: int, is_in: int, ccy: text, amount: text, balance: int },
  { key: "transfer_id", indexes: { margin_transfers_by_user: { on: ["user_id", "ccy", "transfer_id"] } } },
);
