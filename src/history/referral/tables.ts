import { int, table } from "../table.ts";

/** The trade of invited users, a row per user and day, and the payments for it; values in 10^-8. */
export const rebateRows = table(
  "rebates",
  {
    day_ms: int,
    referee_id: int,
    referrer_id: int,
    /** Whose agent the referrer was; 0: nobody's. */
    upline_id: int,
    spot_value: int,
    spot_fee: int,
    futures_value: int,
    futures_fee: int,
    spot_usd: int,
    spot_coin: int,
    futures_usd: int,
    futures_coin: int,
    upline_usd: int,
    upline_coin: int,
    /** 0 but on the day of the first deal. */
    first_deal_ms: int,
    first_deal_value: int,
  },
  {
    key: ["referee_id", "day_ms"],
    indexes: {
      rebates_by_referrer: { on: ["referrer_id", "day_ms", "referee_id"] },
      rebates_by_upline: { on: ["upline_id", "day_ms", "referee_id"] },
    },
  },
);
