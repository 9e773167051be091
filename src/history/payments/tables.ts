import { int, table, text } from "../table.ts";

/** Deposits as they stand; user 0 while nobody knows whose one is. Amounts are decimals. */
export const depositRows = table(
  "deposits",
  {
    deposit_id: int,
    user_id: int,
    time_ms: int,
    method: text,
    chain: text,
    tx_id: text,
    to_address: text,
    memo: text,
    ccy: text,
    amount: text,
    actual_amount: text,
    status: text,
    height: int,
    confirmations: int,
    remark: text,
  },
  {
    key: "deposit_id",
    indexes: {
      deposits_by_user: { on: ["user_id", "deposit_id"] },
      deposits_by_ccy: { on: ["user_id", "ccy", "deposit_id"] },
      deposits_by_tx: { on: ["tx_id", "deposit_id"] },
      deposits_by_status: { on: ["status", "deposit_id"] },
    },
  },
);

/** Withdrawals as they stand. */
export const withdrawalRows = table(
  "withdrawals",
  {
    withdraw_id: int,
    user_id: int,
    time_ms: int,
    method: text,
    chain: text,
    to_address: text,
    memo: text,
    ccy: text,
    amount: text,
    fee_ccy: text,
    fee: text,
    actual_amount: text,
    tx_id: text,
    status: text,
    height: int,
    confirmations: int,
    remark: text,
    note: text,
  },
  {
    key: "withdraw_id",
    indexes: {
      withdrawals_by_user: { on: ["user_id", "withdraw_id"] },
      withdrawals_by_ccy: { on: ["user_id", "ccy", "withdraw_id"] },
      withdrawals_by_status: { on: ["status", "withdraw_id"] },
      withdrawals_by_tx: { on: ["tx_id", "withdraw_id"] },
    },
  },
);
