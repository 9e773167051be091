import { STOP_FIELDS } from "../../engine/stops/stop-event.ts";
import { recordRows } from "../record-rows.ts";
import { int, table } from "../table.ts";

/** The figures of a stop order that are kept as they are. */
export const stopRows = recordRows(STOP_FIELDS, { trigger: "trigger_price" });

/** Stop orders that fired; flags as in the engine's stop event (FLAG, STOP_FLAG). They are few beside orders. */
export const firedStops = table(
  "fired_stops",
  {
    ...stopRows.columns,
    account: int,
    side: int,
    flags: int,
    /** 0: the order was refused. */
    order_id: int,
    refusal: int,
  },
  {
    key: "stop_id",
    indexes: {
      fired_stops_by_user: { on: ["user_id", "account", "stop_id"] },
      fired_stops_by_market: { on: ["user_id", "account", "market_id", "stop_id"] },
    },
  },
);
