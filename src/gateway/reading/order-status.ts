import type { OrderRecord } from "../../engine/event.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { Backend } from "../backend.ts";
import { Refused } from "../refused.ts";
import { fromHistory } from "./from-history.ts";
import { openOrder } from "./open-orders.ts";

/**
 * How each of the user's orders stands, in the order of the ids; undefined for what was never one of them or was
 * cancelled without a fill. Orders that rest cost history nothing.
 */
export async function statusOf(
  { state, history }: Backend,
  userId: number,
  market: Market,
  orderIds: readonly number[],
): Promise<(OrderRecord | Refused | undefined)[]> {
  const orders: (OrderRecord | Refused | undefined)[] = orderIds.map((id) => openOrder(state, userId, market.id, id));
  const missing = orderIds.filter((_id, index) => orders[index] === undefined);
  if (missing.length === 0) return orders;
  const ended = await fromHistory(history.endedOrders({ userId, marketId: market.id, orderIds: missing }));
  if (ended instanceof Refused) return orders.map((order) => order ?? ended);
  const byId = new Map(ended.map((order) => [order.orderId, order]));
  return orders.map((order, index) => order ?? byId.get(orderIds[index] as number));
}
