import { LegacyStopChannel } from "../../legacy/sockets/channels/stops.ts";
import { channel } from "../../ws/channel.ts";
import { StopChannel } from "../../ws/channels/stops.ts";
import type { GatewayPart } from "../part.ts";
import { cancelStopOrderHandlers } from "./cancel-stop-orders.ts";
import { conditionalHandlers } from "./conditional-orders.ts";
import { STOP_FIGURES } from "./figures.ts";
import { findStops } from "./find-stops.ts";
import { legacyStopCalls } from "./legacy-socket-calls.ts";
import { legacyStopHandlers } from "./legacy-stops.ts";
import { stopOrderHandlers } from "./stop-orders.ts";
import { stopQueryHandlers } from "./stop-queries.ts";

/** Stop orders of both products. */
export const stops = {
  name: "stops",
  refusals: {
    trigger_off_grid: {
      v2: 3639,
      v1: 2,
      rule: "2.11",
      message: "Invalid Parameter: trigger_price has more decimals than the market allows or is 0.",
    },
    trigger_too_high: {
      v2: 3639,
      v1: 2,
      rule: "2.11",
      message: "Invalid Parameter: trigger_price is above the maximum of the market.",
    },
    price_far_from_trigger: {
      v2: 3619,
      v1: 606,
      rule: "2.11",
      message: "The price is too far from the trigger price.",
    },
    too_many_stop_orders: {
      v2: 3639,
      v1: 2,
      perpetual: 3131,
      rule: "2.11",
      message: "Invalid Parameter: the account has as many stop orders in this market as it may.",
    },
    market_order_price: {
      v2: 3639,
      v1: 2,
      rule: "2.11",
      message: "Invalid Parameter: a market order has no price to change.",
    },
  },
  figures: STOP_FIGURES,
  handlers: (backend, printers) => ({
    ...stopOrderHandlers(backend),
    ...cancelStopOrderHandlers(backend, printers),
    ...stopQueryHandlers(backend, printers),
    ...conditionalHandlers(backend, printers),
  }),
  channels: [channel("stop", "both", StopChannel)],
  legacy: legacyStopHandlers,
  legacySockets: { channels: [channel("stop", "both", LegacyStopChannel)], calls: legacyStopCalls },
  finds: [findStops],
} satisfies GatewayPart;
