import type { Fields } from "../../engine/record.ts";
import { recordRows } from "../record-rows.ts";
import { counted, table } from "../table.ts";

/** A position that the venue took over, no matter who had it. Prices are 0 where there is none. */
export const LIQUIDATION_FIELDS = {
  ...{ marketId: "id", at: "ms", isShort: "flag", lots: "lots", liqPrice: "ticks", bkrPrice: "ticks" },
} as const satisfies Fields;

export const liquidationRecords = recordRows(LIQUIDATION_FIELDS, { at: "time_ms" });

export const liquidationRows = table(
  "liquidations",
  { liquidation_id: counted, ...liquidationRecords.columns },
  { key: "liquidation_id", indexes: { liquidations_by_market: { on: ["market_id", "liquidation_id"] } } },
);

/** A position, or part of it, that was closed against one of those. */
export const DELEVERAGING_FIELDS = {
  ...{ dealId: "id", positionId: "id", userId: "id", marketId: "id", at: "ms", isShort: "flag" },
  ...{ lots: "lots", price: "ticks" },
} as const satisfies Fields;

export const deleveragingRecords = recordRows(DELEVERAGING_FIELDS, { at: "time_ms" });

export const deleveragingRows = table("deleveragings", deleveragingRecords.columns, {
  key: ["position_id", "deal_id"],
});

export const LIQUIDATION_TABLES = [liquidationRows, deleveragingRows] as const;
