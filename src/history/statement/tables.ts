import { int, table } from "../table.ts";

/**
 * Every change of the total of a user's cell that is no leg of a deal, freezes and releases being none. kind is one of
 * POSTING, account one of CELL.
 */
export const balanceChanges = table(
  "balance_changes",
  {
    user_id: int,
    /** See entries.ts. */
    entry: int,
    time_ms: int,
    account: int,
    market_id: int,
    asset_id: int,
    kind: int,
    change: int,
    balance: int,
  },
  {
    key: ["user_id", "entry"],
    indexes: {
      balance_changes_by_kind: { on: ["user_id", "kind", "entry"] },
      balance_changes_by_entry: { on: ["entry"], unique: true },
    },
  },
);
