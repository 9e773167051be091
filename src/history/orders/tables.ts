import { int, table, text } from "../table.ts";

/** Stands for every market in `user_orders.market_id`. */
export const ANY_MARKET = -1;

/**
 * Orders that ended with a fill, in the order of their ending. Amounts as in the engine's OrderRecord, flags as in its order event
 * (FLAG, ORDER_FLAG).
 */
export const endedOrders = table(
  "ended_orders",
  {
    rank: int,
    order_id: int,
    user_id: int,
    market_id: int,
    flags: int,
    price: int,
    amount: int,
    unfilled: int,
    filled_lots: int,
    filled_value: int,
    base_fee: int,
    quote_fee: int,
    /** Of a futures order its realized profit. */
    discount_fee: int,
    maker_fee_rate_e8: int,
    taker_fee_rate_e8: int,
    last_filled_lots: int,
    last_filled_price: int,
    created_ms: int,
    updated_ms: int,
    client_id: text,
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
