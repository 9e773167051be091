import { int, table, text } from "../table.ts";

/** Stop orders that fired; flags as in the engine's stop event (FLAG, STOP_FLAG). They are few beside orders. */
export const firedStops = table(
  "fired_stops",
  {
    stop_id: int,
    user_id: int,
    account: int,
    market_id: int,
    side: int,
    flags: int,
    price: int,
    amount: int,
    trigger_price: int,
    created_ms: int,
    updated_ms: int,
    /** 0: the order was refused. */
    order_id: int,
    refusal: int,
    client_id: text,
  },
  {
    key: "stop_id",
    indexes: {
      fired_stops_by_user: { on: ["user_id", "account", "stop_id"] },
      fired_stops_by_market: { on: ["user_id", "account", "market_id", "stop_id"] },
    },
  },
);
