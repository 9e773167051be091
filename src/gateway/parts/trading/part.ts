import { LegacyOrderChannel } from "../../legacy/sockets/channels/orders.ts";
import { LegacyUserDealsChannel } from "../../legacy/sockets/channels/user-deals.ts";
import { channel } from "../../ws/channel.ts";
import { OrderChannel } from "../../ws/channels/orders.ts";
import { UserDealsChannel } from "../../ws/channels/user-deals.ts";
import type { GatewayPart } from "../part.ts";
import { cancelOrderHandlers } from "./cancel-orders.ts";
import { ORDER_FIGURES } from "./figures.ts";
import { findDeals, findOrders } from "./find-orders.ts";
import { legacyOrderHandlers } from "./legacy-orders.ts";
import { legacyOrderCalls } from "./legacy-socket-calls.ts";
import { modifyOrderHandlers } from "./modify-orders.ts";
import { ORDER_LIST_CALLS } from "./order-list-call.ts";
import { orderQueryHandlers } from "./order-queries.ts";
import { PAST_CALLS } from "./past-calls.ts";
import { placeOrderHandlers } from "./place-orders.ts";

/** Orders of both products. */
export const trading = {
  name: "trading",
  refusals: {
    margin_not_available: {
      v2: 3639,
      v1: 2,
      rule: "2.1 row 2",
      message: "Invalid Parameter: the market offers no margin trading.",
    },
    amount_off_grid: {
      v2: 3639,
      v1: 2,
      rule: "2.1 row 5",
      message: "Invalid Parameter: amount has more decimals than the market allows.",
    },
    amount_too_small: {
      v2: 3127,
      v1: 602,
      rule: "2.1 row 5",
      message: "The amount is below the minimum of the market.",
    },
    amount_too_large: {
      v2: 3639,
      v1: 2,
      rule: "2.1 row 5",
      message: "Invalid Parameter: amount is above the maximum of the market.",
    },
    price_off_grid: {
      v2: 3639,
      v1: 2,
      perpetual: 3128,
      rule: "2.1 row 5",
      message: "Invalid Parameter: price has more decimals than the market allows or is 0.",
    },
    price_too_high: {
      v2: 3639,
      v1: 2,
      rule: "2.1 row 5",
      message: "Invalid Parameter: price is above the maximum of the market.",
    },
    price_far_from_latest: {
      v2: 3606,
      v1: 606,
      rule: "2.9",
      message: "The price is too far from the index, or from the latest price while there is no fresh index.",
    },
    price_far_from_index: { v2: 3615, v1: 606, rule: "2.9", message: "The price is too far from the index price." },
    no_counter_orders: {
      v2: 3620,
      v1: 1,
      perpetual: 3110,
      rule: "2.1 row 9",
      message: "There are no orders on the other side for a market order.",
    },
    too_many_open_orders: {
      v2: 3639,
      v1: 2,
      rule: "2.1 row 7",
      message: "Invalid Parameter: the account has as many open orders in this market as it may.",
    },
    would_take: {
      v2: 3622,
      v1: 1,
      perpetual: 3129,
      rule: "2.1 row 9",
      message: "The maker_only order would have matched at once and was discarded.",
    },
    display_too_small: {
      v2: 3639,
      v1: 2,
      rule: "2.21",
      message:
        "Invalid Parameter: display_amount is less than min_amount of the market, or than a twentieth of the amount.",
    },
    not_fillable: {
      v2: 3621,
      v1: 1,
      perpetual: 3116,
      rule: "2.1 row 9",
      message: "The fok order could not be filled whole at once and was discarded.",
    },
    order_not_found: { v2: 3600, v1: 600, rule: "2.15", message: "There is no such order." },
    order_not_modifiable: {
      v2: 3639,
      v1: 2,
      rule: "2.10",
      message: "Invalid Parameter: an order of this type cannot be modified.",
    },
    nothing_to_modify: { v2: 3639, v1: 2, rule: "2.10", message: "Invalid Parameter: amount or price must be given." },
    amount_below_filled: {
      v2: 3639,
      v1: 2,
      rule: "2.10",
      message: "Invalid Parameter: amount must exceed what is already filled.",
    },
    auction_locked: {
      v2: 3610,
      v1: 1,
      rule: "2.12",
      message: "In the second phase of the call auction orders can be neither changed nor cancelled.",
    },
  },
  figures: ORDER_FIGURES,
  handlers: (backend, printers) => ({
    ...placeOrderHandlers(backend, printers),
    ...modifyOrderHandlers(backend, printers),
    ...cancelOrderHandlers(backend, printers),
    ...orderQueryHandlers(backend, printers),
  }),
  calls: [...ORDER_LIST_CALLS, ...PAST_CALLS],
  nouns: { order: "show the orders of everybody", deal: "show the deals of users" },
  channels: [channel("order", "both", OrderChannel), channel("user_deals", "both", UserDealsChannel)],
  legacy: legacyOrderHandlers,
  legacySockets: {
    channels: [channel("order", "both", LegacyOrderChannel), channel("user_deals", "both", LegacyUserDealsChannel)],
    calls: legacyOrderCalls,
  },
  finds: [findOrders, findDeals],
} satisfies GatewayPart;
