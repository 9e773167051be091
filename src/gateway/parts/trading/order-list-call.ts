import type { State } from "../../../engine/state.ts";
import { readOrder } from "../../../engine/trading/emit.ts";
import { NONE } from "../../../engine/trading/order.ts";
import { restingInPriority } from "../../../engine/trading/orders-section.ts";
import { type AdminCall, call } from "../../admin/call.ts";
import { oneOf, optional, text, userId } from "../../admin/field.ts";
import { pageFields, pageOf } from "../../admin/page.ts";
import { orderText } from "../../current/records/orders.ts";
import { Printers } from "../../reading/market-printer.ts";

const SIDES = ["buy", "sell"] as const;

const listOrders = call({
  method: "GET",
  path: "/admin/orders",
  verbs: { "order list": "Show the orders that rest in the books, as the API shows them, with whose they are." },
  fields: {
    user_id: optional(userId, "those of this user"),
    market: optional(text("MARKET", 1, 40), "those of this market, spot and futures"),
    side: optional(oneOf(SIDES), "those of this side"),
    ...pageFields,
  },
  serve({ state }, values) {
    const printers = new Printers(state);
    const { orders, seats, markets } = state;
    const fits = (slot: number) =>
      (values.market === undefined || markets[seats.marketId(orders.seat(slot))]?.name === values.market) &&
      (values.side === undefined || orders.side(slot) === SIDES.indexOf(values.side));
    return pageOf("orders", slotsThat(state, values.user_id, fits), values, (slot) => ({
      user_id: seats.userId(orders.seat(slot)),
      ...JSON.parse(orderText(printers, readOrder(state, slot))),
    }));
  },
});

/** By market, side and priority, or those of one user market by market. */
function* slotsThat(state: State, owner: number | undefined, fits: (slot: number) => boolean): Generator<number> {
  const { orders, seats } = state;
  if (owner === undefined) {
    for (const slot of restingInPriority(state)) if (fits(slot)) yield slot;
    return;
  }
  for (const seat of seats.ofUser(owner)) {
    for (let slot = seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) if (fits(slot)) yield slot;
  }
}

export const ORDER_LIST_CALLS: readonly AdminCall[] = [listOrders];
