import { counted, int, table } from "../table.ts";

/** Positions that the venue took over. Prices in ticks. */
export const liquidationRows = table(
  "liquidations",
  { liquidation_id: counted, market_id: int, time_ms: int, is_short: int, lots: int, liq_price: int, bkr_price: int },
  { key: "liquidation_id", indexes: { liquidations_by_market: { on: ["market_id", "liquidation_id"] } } },
);

/** Positions that were closed against those. */
export const deleveragingRows = table(
  "deleveragings",
  {
    deal_id: int,
    position_id: int,
    user_id: int,
    market_id: int,
    time_ms: int,
    is_short: int,
    lots: int,
    price: int,
  },
  { key: ["position_id", "deal_id"] },
);

export const LIQUIDATION_TABLES = [liquidationRows, deleveragingRows] as const;
