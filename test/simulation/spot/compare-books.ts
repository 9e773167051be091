import type { State } from "../../../src/engine/state.ts";
import { readOrder } from "../../../src/engine/trading/emit.ts";
import { NONE } from "../../../src/engine/trading/order.ts";
import { compareOrder, type Differ } from "./compare-records.ts";
import type { ModelMarket, ModelOrder } from "./model/records.ts";
import type { ModelVenue } from "./model/venue.ts";
import { offered } from "./orders/slices.ts";

/** Lays all books, in the order of their queues, and their depth beside the model's. */
export function compareBooks(state: State, model: ModelVenue, differ: Differ): void {
  for (const market of model.markets) for (const side of [0, 1]) compareSide(state, market, side, differ);
}

function compareSide(state: State, market: ModelMarket, side: number, differ: Differ): void {
  const book = state.books[market.id];
  const queue = side === 0 ? market.buys : market.sells;
  let slot = book?.first(side) ?? NONE;
  for (const [at, order] of queue.entries()) {
    const ours = slot === NONE ? undefined : readOrder(state, slot);
    compareOrder(`${order.side} ${at} of ${market.name}`, ours, order, differ);
    if (slot !== NONE) {
      if (order.display > 0n) differ(`slice of order ${order.orderId}`, state.orders.shown(slot), order.shown);
      differ(`priority of order ${order.orderId}`, state.orders.prio(slot), order.prio);
      slot = book?.next(slot) ?? NONE;
    }
  }
  if (slot !== NONE)
    differ(`${side === 0 ? "buy" : "sell"} orders of ${market.name}`, readOrder(state, slot), undefined);
  const levels = [...(book?.levels(side) ?? [])].map(({ price, lots }) => `${lots}@${price}`);
  differ(`depth of ${market.name}`, levels.join(), depthOf(queue).join());
}

/** Displayed lots per price. */
function depthOf(queue: readonly ModelOrder[]): string[] {
  const levels: { price: bigint; lots: bigint }[] = [];
  for (const order of queue) {
    const { hidden, price } = order;
    if (hidden) continue;
    const last = levels.at(-1);
    if (last?.price === price) last.lots += offered(order);
    else levels.push({ price, lots: offered(order) });
  }
  return levels.map(({ price, lots }) => `${lots}@${price}`);
}
