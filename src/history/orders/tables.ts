import { ORDER_FIELDS } from "../../engine/event.ts";
import { recordRows } from "../record-rows.ts";
import { int, table, text } from "../table.ts";

/** Stands for every market in `user_orders.market_id`. */
export const ANY_MARKET = -1;

/** The figures of an order that are kept as they are. Its deducted fee and its profit share a column of their own. */
export const orderRows = recordRows(ORDER_FIELDS, { left: "unfilled", discountFee: null, realizedPnl: null });

/**
 * Orders that ended with a fill, in the order of their ending; flags as in the engine's order event (FLAG, ORDER_FLAG).
 */
export const endedOrders = table(
  "ended_orders",
  {
    rank: int,
    flags: int,
    ...orderRows.columns,
    /** Of a futures order its realized profit. */
    discount_fee: int,
  },
  { key: "rank", indexes: { ended_orders_by_id: { on: ["order_id"], unique: true } } },
);

/** One row per way to ask for an ended order: with its market or any, with its client id or any (empty). */
export const userOrders = table(
  "user_orders",
  { segment: int, user_id: int, account: int, market_id: int, client_id: text, side: int, order_id: int },
  {
    key: ["segment", "user_id", "account", "market_id", "client_id", "side", "order_id"],
    segmented: { by: "order_id", of: "ended_orders", alsoBy: [] },
  },
);

export const orderSegments = table("order_segments", { segment: int }, { key: "segment" });

export const ORDER_TABLES = [endedOrders, userOrders, orderSegments] as const;
